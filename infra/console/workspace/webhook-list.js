import { html, nothing } from '../page/part.js';
import { call, get, post } from '../page/api.js';
import { moment, plain } from '../text/text.js';
import { SettingsList } from './settings-list.js';

const LATEST = 20;

/** The page of webhooks, with the latest deliveries of each. */
class WebhookList extends SettingsList {
  static properties = { opened: { state: true }, deliveries: { state: true } };

  constructor() {
    super({
      path: 'webhooks',
      noun: 'webhook',
      title: 'Webhooks',
      lead: 'Tell a program when a thread ends, instead of being asked. Signed as Standard Webhooks has it.',
      columns: ['Sent to', 'State', 'Last success'],
      saving: 'Create',
      removing: 'Delete',
    });
    /** the id of the one whose deliveries are shown */
    this.opened = '';
    this.deliveries = null;
  }

  async read() {
    await super.read();
    if (!this.items.some((one) => one.id === this.opened)) this.opened = '';
    if (this.opened) this.deliveries = (await get(`webhooks/${this.opened}/deliveries`, { query: { limit: LATEST } })).items;
  }

  row(one) {
    const state = one.is_enabled ? 'on' : `off${one.disabled_reason ? `: ${one.disabled_reason}` : ''}`;
    return html`<tr class=${one.is_enabled ? '' : 'ended'}><td class="mono">${plain(one.url)}${one.description ? html`<br>${plain(one.description)}` : nothing}</td>
      <td>${plain(state)}</td><td>${one.last_success_at ? moment(one.last_success_at) : 'never'}</td><td>${this.actions(one, this.#others(one))}</td></tr>`;
  }

  #others(one) {
    return html`<button class="button quiet" @click=${() => this.#ping(one)}>Ping</button>
      <button class="button quiet" @click=${() => this.#open(one.id)}>Deliveries</button>
      <button class="button quiet" @click=${() => this.#switch(one)}>${one.is_enabled ? 'Turn off' : 'Turn on'}</button>
      `;
  }

  more() {
    if (!this.opened) return nothing;
    return html`<h3>Deliveries</h3>
      ${this.deliveries?.length ? this.table('Deliveries', ['Event', 'When', 'State', 'Attempts'], this.deliveries, (one) => this.#delivery(one)) : html`<p class="lead">None yet.</p>`}
      <p class="choices"><button class="button" @click=${() => this.#open(this.opened)}>Refresh</button><button class="button quiet" @click=${() => (this.opened = '')}>Close</button></p>`;
  }

  #delivery(one) {
    return html`<tr><td>${one.type}</td><td>${moment(one.created_at)}</td><td>${state(one)}</td><td>${one.attempts.length}</td>
      <td><button class="button quiet" @click=${() => this.#again(one)}>Redeliver</button></td></tr>`;
  }

  fields() {
    return html`<label for="webhook-url">URL</label><input class="field mono" id="webhook-url" name="url" type="url" required maxlength="2000" placeholder="https://hooks.example.org/agent-sessions">
      <label for="webhook-description">Description</label><input class="field" id="webhook-description" name="description" maxlength="200" dir="auto">`;
  }

  async save(form) {
    const description = String(form.get('description')).trim();
    const webhook = await post('webhooks', { url: String(form.get('url')).trim(), ...(description && { description }) });
    this.made = { words: html`<b>This secret signs what is sent.</b> Copy it now: it cannot be shown again.`, value: webhook.secret };
  }

  async #open(id) {
    this.deliveries = null;
    this.opened = id;
    await this.load();
  }

  #ping(one) {
    return this.change(async () => {
      await call('POST', `webhooks/${one.id}/ping`);
      this.opened = one.id;
    });
  }

  #again(delivery) {
    return this.change(() => call('POST', `webhooks/${this.opened}/deliveries/${delivery.id}/redeliver`));
  }

  #switch(one) {
    return this.change(() => call('PATCH', `webhooks/${one.id}`, { body: { is_enabled: !one.is_enabled } }));
  }
}

function state(delivery) {
  const last = delivery.attempts.at(-1);
  const why = last?.error ? ` (${last.status_code ?? last.error})` : '';
  return `${delivery.status}${why}`;
}
customElements.define('webhook-list', WebhookList);
