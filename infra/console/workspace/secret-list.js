import { html, nothing, Part, repeat } from '../page/part.js';
import { call, get } from '../page/api.js';
import { age, plain } from '../text/text.js';

/** The secrets of the workspace: named here, never shown. */
class SecretList extends Part {
  static properties = { secrets: { state: true }, writing: { state: true }, doomed: { state: true }, problem: { state: true } };

  constructor() {
    super();
    this.secrets = null;
    /** @type {any} the one whose value is written; without a name a new one */
    this.writing = null;
    this.doomed = '';
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  async #load() {
    try {
      this.secrets = (await get('secrets')).items;
    } catch (fault) {
      if (fault.status !== 404) this.failed(fault, () => this.#load());
    }
  }

  render() {
    if (!this.secrets && !this.problem) return nothing;
    return html`<section aria-labelledby="secrets-title"><h2 id="secrets-title">Secrets</h2>
      <p class="lead">For repositories and agents. A value can be replaced, never read.</p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.secrets?.length ? this.#table() : nothing}
      ${this.writing ? this.#form() : html`<p><button class="button" @click=${() => this.#write({ name: '', hosts: [], environment: false })}>New secret</button></p>`}
    </section>`;
  }

  #table() {
    return html`<div class="wide-table" tabindex="0" role="region" aria-label="Secrets"><table>
      <thead><tr><th>Name</th><th>For</th><th>Changed</th><th><span class="unseen">What to do</span></th></tr></thead>
      <tbody>${repeat(this.secrets, (secret) => secret.name, (secret) => html`<tr><td class="mono">${secret.name}</td><td>${uses(secret)}</td><td>${ago(secret.updated_at)}</td><td>${this.#actions(secret)}</td></tr>`)}</tbody></table></div>`;
  }

  #actions(secret) {
    if (this.doomed === secret.name) {
      return html`<button class="button danger" @click=${() => this.#remove(secret)}>Delete it</button><button class="button quiet" @click=${() => (this.doomed = '')}>Keep it</button>`;
    }
    return html`<button class="button quiet" @click=${() => this.#write(secret)}>Replace</button><button class="button quiet danger" @click=${() => (this.doomed = secret.name)}>Delete</button>`;
  }

  #form() {
    const { name, hosts, environment } = this.writing;
    return html`<form class="fields card" @submit=${this.#submitted}>
      <label for="secret-name">Name</label><input class="field mono" id="secret-name" name="name" required pattern="[A-Z][A-Z0-9_]{0,63}" placeholder="GIT_TOKEN" .value=${name} ?readonly=${name !== ''}>
      <label for="secret-value">Value</label><input class="field mono" id="secret-value" name="value" type="password" required autocomplete="off">
      <label for="secret-hosts">Hosts it may be sent to as a git credential, separated by commas</label><input class="field mono" id="secret-hosts" name="hosts" placeholder="git.example.org" .value=${hosts.join(', ')}>
      <label class="choice"><input type="checkbox" name="environment" ?checked=${environment}> Agents may get it as a variable</label>
      <p class="choices"><button class="button primary">Save</button><button type="button" class="button" @click=${() => (this.writing = null)}>Cancel</button></p>
    </form>`;
  }

  #write(secret) {
    this.writing = secret;
    this.focusOn(secret.name ? '#secret-value' : '#secret-name');
  }

  async #submitted(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const hosts = String(form.get('hosts')).split(',').map((host) => host.trim()).filter(Boolean);
    const body = { value: String(form.get('value')), hosts, environment: form.has('environment') };
    await this.#change(async () => {
      await call('PUT', `secrets/${encodeURIComponent(String(form.get('name')))}`, { body });
      this.writing = null;
    });
  }

  async #remove(secret) {
    await this.#change(() => call('DELETE', `secrets/${encodeURIComponent(secret.name)}`));
    this.doomed = '';
  }

  #change(action) {
    return this.attempt(async () => {
      await action();
      await this.#load();
    });
  }
}

function uses({ hosts, environment }) {
  return [...hosts.map(plain), ...(environment ? ['agents'] : [])].join(', ') || 'nothing yet';
}

function ago(time) {
  const short = age(time, Date.now());
  return short === 'now' ? 'just now' : / [mh]$/.test(short) ? `${short} ago` : short;
}
customElements.define('secret-list', SecretList);
