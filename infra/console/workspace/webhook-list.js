import './copy-button.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { call, get, post } from '../page/api.js';
import { moment, plain } from '../text/text.js';

const LATEST = 20;

/** The webhooks of the workspace and their latest deliveries. */
class WebhookList extends Part {
  static properties = {
    webhooks: { state: true },
    made: { state: true },
    isMaking: { state: true },
    opened: { state: true },
    deliveries: { state: true },
    doomed: { state: true },
    problem: { state: true },
  };

  constructor() {
    super();
    this.webhooks = null;
    this.made = null;
    this.isMaking = false;
    /** the id of the one whose deliveries are shown */
    this.opened = '';
    this.deliveries = null;
    this.doomed = '';
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  async #load() {
    try {
      this.webhooks = (await get('webhooks')).items;
      if (this.opened) this.deliveries = (await get(`webhooks/${this.opened}/deliveries`, { query: { limit: LATEST } })).items;
    } catch (fault) {
      if (fault.status !== 404) this.failed(fault, () => this.#load());
    }
  }

  render() {
    if (!this.webhooks && !this.problem) return nothing;
    return html`<section aria-labelledby="webhooks-title"><h2 id="webhooks-title">Webhooks</h2>
      <p class="lead">Tell a program when a thread ends, instead of being asked. Signed as Standard Webhooks has it.</p>
      ${this.made ? this.#once() : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.webhooks?.length ? this.#table() : nothing}
      ${this.opened ? this.#sent() : nothing}
      ${this.isMaking ? this.#form() : html`<p><button class="button" @click=${this.#making}>New webhook</button></p>`}
    </section>`;
  }

  #once() {
    return html`<div class="notice" role="status"><b>This secret signs what is sent.</b> Copy it now: it cannot be shown again.
      <div class="mono"><span class="value">${this.made}</span><copy-button .text=${this.made}></copy-button>
        <button class="button quiet" @click=${() => (this.made = null)}>Done</button></div></div>`;
  }

  #table() {
    return html`<div class="wide-table" tabindex="0" role="region" aria-label="Webhooks"><table>
      <thead><tr><th>Sent to</th><th>State</th><th>Last success</th><th><span class="unseen">What to do</span></th></tr></thead>
      <tbody>${repeat(this.webhooks, (one) => one.id, (one) => this.#row(one))}</tbody></table></div>`;
  }

  #row(one) {
    const state = one.is_enabled ? 'on' : `off${one.disabled_reason ? `: ${one.disabled_reason}` : ''}`;
    return html`<tr class=${one.is_enabled ? '' : 'ended'}><td class="mono">${plain(one.url)}${one.description ? html`<br>${plain(one.description)}` : nothing}</td>
      <td>${plain(state)}</td><td>${one.last_success_at ? moment(one.last_success_at) : 'never'}</td><td>${this.#actions(one)}</td></tr>`;
  }

  #actions(one) {
    if (this.doomed === one.id) {
      return html`<button class="button danger" @click=${() => this.#remove(one)}>Delete it</button><button class="button quiet" @click=${() => (this.doomed = '')}>Keep it</button>`;
    }
    return html`<button class="button quiet" @click=${() => this.#ping(one)}>Ping</button>
      <button class="button quiet" @click=${() => this.#open(one.id)}>Deliveries</button>
      <button class="button quiet" @click=${() => this.#switch(one)}>${one.is_enabled ? 'Turn off' : 'Turn on'}</button>
      <button class="button quiet danger" @click=${() => (this.doomed = one.id)}>Delete</button>`;
  }

  #sent() {
    return html`<h3>Deliveries</h3>
      ${this.deliveries?.length ? html`<div class="wide-table" tabindex="0" role="region" aria-label="Deliveries"><table>
        <thead><tr><th>Event</th><th>When</th><th>State</th><th>Attempts</th><th><span class="unseen">What to do</span></th></tr></thead>
        <tbody>${repeat(this.deliveries, (one) => one.id, (one) => html`<tr><td>${one.type}</td><td>${moment(one.created_at)}</td><td>${state(one)}</td><td>${one.attempts.length}</td>
          <td><button class="button quiet" @click=${() => this.#again(one)}>Redeliver</button></td></tr>`)}</tbody></table></div>` : html`<p class="lead">None yet.</p>`}
      <p class="choices"><button class="button" @click=${() => this.#open(this.opened)}>Refresh</button><button class="button quiet" @click=${() => (this.opened = '')}>Close</button></p>`;
  }

  #form() {
    return html`<form class="fields card" @submit=${this.#submitted}>
      <label for="webhook-url">URL</label><input class="field mono" id="webhook-url" name="url" type="url" required maxlength="2000" placeholder="https://hooks.example.org/agent-sessions">
      <label for="webhook-description">Description</label><input class="field" id="webhook-description" name="description" maxlength="200" dir="auto">
      <p class="choices"><button class="button primary">Create</button><button type="button" class="button" @click=${() => (this.isMaking = false)}>Cancel</button></p>
    </form>`;
  }

  #making() {
    this.isMaking = true;
    this.focusOn('#webhook-url');
  }

  async #submitted(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const description = String(form.get('description')).trim();
    await this.#change(async () => {
      const webhook = await post('webhooks', { url: String(form.get('url')).trim(), ...(description && { description }) });
      this.made = webhook.secret;
      this.isMaking = false;
    });
  }

  async #open(id) {
    this.deliveries = null;
    this.opened = id;
    await this.#load();
  }

  #ping(one) {
    return this.#change(async () => {
      await call('POST', `webhooks/${one.id}/ping`);
      this.opened = one.id;
    });
  }

  #again(delivery) {
    return this.#change(() => call('POST', `webhooks/${this.opened}/deliveries/${delivery.id}/redeliver`));
  }

  #switch(one) {
    return this.#change(() => call('PATCH', `webhooks/${one.id}`, { body: { is_enabled: !one.is_enabled } }));
  }

  async #remove(one) {
    await this.#change(() => call('DELETE', `webhooks/${one.id}`));
    if (this.opened === one.id) this.opened = '';
    this.doomed = '';
  }

  #change(action) {
    return this.attempt(async () => {
      await action();
      await this.#load();
    });
  }
}

function state(delivery) {
  const last = delivery.attempts.at(-1);
  const why = last?.error ? ` (${last.status_code ?? last.error})` : '';
  return `${delivery.status}${why}`;
}
customElements.define('webhook-list', WebhookList);
