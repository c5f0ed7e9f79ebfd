import './key-list.js';
import './limits-form.js';
import './secret-list.js';
import './webhook-list.js';
import { html, nothing, Part } from '../page/part.js';
import { get } from '../page/api.js';
import { forgetKey } from '../page/key.js';
import { choose, theme, THEMES } from '../page/theme.js';
import { counted, plain, size } from '../text/text.js';

/** The workspace as its people see it: keys, secrets, webhooks, agents, limits, and how the service is. */
class SettingsView extends Part {
  static properties = { me: { attribute: false }, agents: { state: true }, health: { state: true }, problem: { state: true } };

  constructor() {
    super();
    this.me = null;
    this.agents = null;
    this.health = null;
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Workspace settings';
    this.#load();
  }

  async #load() {
    get('health').then((health) => (this.health = health), () => (this.health = { status: 'not well' }));
    try {
      this.agents = (await get('agents')).items;
    } catch (fault) {
      this.failed(fault, () => this.#load());
    }
  }

  render() {
    const isAdmin = !this.me?.scopes || this.me.scopes.includes('admin');
    return html`<main class="session scrolled"><div class="page">
      <p class="back"><a href="#/">‹ Sessions</a></p>
      <h1>Workspace settings</h1>
      <p class="lead">${this.me ? `${this.me.workspace} · ${this.me.limits.requests_per_minute} requests a minute a key` : 'Loading…'}</p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${isAdmin ? html`<key-list .me=${this.me}></key-list><secret-list></secret-list><webhook-list></webhook-list><limits-form></limits-form>` : html`<p class="lead">Keys, secrets, webhooks and ceilings are for keys with the scope <code>admin</code>; yours may ${this.me.scopes.join(', ')}.</p>`}
      ${this.#agents()}${this.#limits()}${this.#health()}
      <h2>This browser</h2>${this.#theme()}<p class="lead">${this.me?.name ? html`Signed in with the key <b>${plain(this.me.name)}</b>.` : 'Signed in.'}</p>
      <p><button class="button" @click=${this.#leave}>Sign out</button></p>
    </div></main>`;
  }

  #agents() {
    if (!this.agents) return nothing;
    return html`<h2>Agents</h2><div class="wide-table" tabindex="0" role="region" aria-label="Agents"><table><thead><tr><th>Name</th><th>What it is</th><th>Models</th><th>Network</th></tr></thead>
      <tbody>${this.agents.map((agent) => html`<tr><td>${agent.name}</td><td>${plain(agent.description)}</td><td>${(agent.models ?? []).join(', ') || '—'}</td><td>${network(agent)}</td></tr>`)}</tbody></table></div>`;
  }

  #limits() {
    if (!this.me) return nothing;
    const { limits } = this.me;
    return html`<h2>Limits</h2><p class="lead">A message may have ${size(limits.message_bytes)}, a request ${size(limits.request_body_bytes)}; the workspace ${counted(limits.live_keys, 'live key')}.</p>`;
  }

  #health() {
    if (!this.health) return nothing;
    const { status, isolation, memory } = this.health;
    const more = [isolation && `isolation ${isolation}`, memory && `memory ${memory}`].filter(Boolean).join(' · ');
    return html`<h2>Service</h2><p class="lead"><i class="dot inline ${status === 'ok' ? 'ok' : 'bad'}"></i> ${status === 'ok' ? 'Well' : status}${more ? ` · ${more}` : ''}</p>`;
  }

  #theme() {
    return html`<fieldset class="choices themes"><legend class="unseen">Colours</legend>
      ${THEMES.map((each) => html`<label class="choice"><input type="radio" name="theme" .checked=${each === theme()} @change=${() => choose(each)}> ${each === 'system' ? 'As the system' : each === 'light' ? 'Light' : 'Dark'}</label>`)}</fieldset>`;
  }

  #leave() {
    forgetKey();
    dispatchEvent(new Event('signed-out'));
  }
}

function network(agent) {
  const { mode, hosts = [] } = agent.network ?? {};
  const words = { none: 'none', model: 'its model only', hosts: hosts.join(', '), open: 'open' };
  return words[mode] ?? '—';
}
customElements.define('settings-view', SettingsView);
