import './copy-button.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { call, get, post } from '../page/api.js';
import { age, moment, plain } from '../text/text.js';

const SCOPES = ['read', 'write', 'admin'];

/** The API keys of the workspace: made, shown once, revoked. */
class KeyList extends Part {
  static properties = {
    me: { attribute: false },
    keys: { state: true },
    made: { state: true },
    isMaking: { state: true },
    isMissing: { state: true },
    doomed: { state: true },
    problem: { state: true },
  };

  constructor() {
    super();
    this.me = null;
    this.keys = null;
    this.made = null;
    this.isMaking = false;
    this.isMissing = false;
    this.doomed = '';
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  async #load() {
    try {
      this.keys = (await get('keys')).items;
    } catch (fault) {
      if (fault.status === 404) this.isMissing = true;
      else this.failed(fault, () => this.#load());
    }
  }

  render() {
    if (this.isMissing) return nothing;
    return html`<section aria-labelledby="keys"><h2 id="keys">API keys</h2>
      <p class="lead">A program sends one as <code>Authorization: ApiKey …</code>. It sees this workspace and nothing else.</p>
      ${this.made ? this.#once() : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.keys ? this.#table() : this.problem ? nothing : html`<p class="lead" aria-busy="true">Loading…</p>`}
      ${this.isMaking ? this.#form() : html`<p><button class="button primary" @click=${this.#making}>New key</button></p>`}
    </section>`;
  }

  #once() {
    return html`<div class="notice" role="status"><b>${plain(this.made.name)} was created.</b> Copy it now: it is kept nowhere and cannot be shown again.
      <div class="mono"><span class="value">${this.made.key}</span><copy-button .text=${this.made.key}></copy-button>
        <button class="button quiet" @click=${() => (this.made = null)}>Done</button></div></div>`;
  }

  #table() {
    return html`<div class="wide-table" tabindex="0" role="region" aria-label="API keys"><table>
      <thead><tr><th>Name</th><th>May</th><th>Last used</th><th>Expires</th><th><span class="unseen">What to do</span></th></tr></thead>
      <tbody>${repeat(this.keys, (key) => key.id, (key) => this.#row(key))}</tbody></table></div>`;
  }

  #row(key) {
    const ended = key.revoked_at ? `revoked ${moment(key.revoked_at)}` : key.expires_at && Date.parse(key.expires_at) < Date.now() ? 'ended' : '';
    return html`<tr class=${ended ? 'ended' : ''}><td dir="auto">${plain(key.name ?? 'unnamed')}${key.id === this.me?.key_id ? ' (this page)' : ''}</td><td>${key.scopes.join(', ')}</td>
      <td>${used(key.last_used_at)}</td><td>${ended || expiry(key.expires_at)}</td><td>${ended ? nothing : this.#revoking(key)}</td></tr>`;
  }

  #revoking(key) {
    if (this.doomed !== key.id) return html`<button class="button quiet danger" @click=${() => (this.doomed = key.id)}>Revoke</button>`;
    return html`<button class="button danger" @click=${() => this.#revoke(key)}>Revoke it</button><button class="button quiet" @click=${() => (this.doomed = '')}>Keep it</button>`;
  }

  #form() {
    return html`<form class="fields card" @submit=${this.#submitted}>
      <label for="key-name">Name</label><input class="field" id="key-name" name="name" required maxlength="100" dir="auto" placeholder="ci-nightly">
      <fieldset><legend>May</legend>${SCOPES.map((scope) => html`<label class="choice"><input type="checkbox" name="scopes" value=${scope} ?checked=${scope !== 'admin'}> ${scope}</label> `)}</fieldset>
      <label for="days">Ends after</label>
      <select class="field" id="days" name="days"><option value="90">90 days</option><option value="30">30 days</option><option value="7">7 days</option><option value="365">a year</option><option value="">never</option></select>
      <p class="choices"><button class="button primary">Create</button><button type="button" class="button" @click=${() => (this.isMaking = false)}>Cancel</button></p>
    </form>`;
  }

  #making() {
    this.isMaking = true;
    this.focusOn('#key-name');
  }

  async #submitted(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const days = String(form.get('days'));
    await this.#change(async () => {
      const body = { name: String(form.get('name')).trim(), scopes: form.getAll('scopes'), ...(days && { expires_in_days: Number(days) }) };
      this.made = await post('keys', body);
      this.isMaking = false;
    });
  }

  async #revoke(key) {
    await this.#change(() => call('DELETE', `keys/${key.id}`));
    this.doomed = '';
  }

  #change(action) {
    return this.attempt(async () => {
      await action();
      await this.#load();
    });
  }
}

function used(time) {
  if (!time) return 'never';
  return Date.now() - Date.parse(time) < 3_600_000 * 2 ? 'this hour' : `${age(time, Date.now())} ago`;
}

function expiry(time) {
  if (!time) return 'never';
  const days = Math.ceil((Date.parse(time) - Date.now()) / 86_400_000);
  return days > 1 ? `in ${days} days` : moment(time);
}
customElements.define('key-list', KeyList);
