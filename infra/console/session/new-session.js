import { html, nothing, Part } from '../page/part.js';
import { get, onceOnly, post } from '../page/api.js';
import { attached, LARGEST, listed, MOST, sent } from './attachments.js';
import { draft, keepDraft } from '../page/drafts.js';
import { asked, CEILINGS } from './new-session-request.js';
import { sessionAddress } from '../page/routes.js';
import { plain, size } from '../text/text.js';

const DRAFT = 'new';

/** The form for a new session: agent, message, model, and the inputs of the work. */
class NewSession extends Part {
  static properties = {
    agents: { state: true },
    agent: { state: true },
    secrets: { state: true },
    files: { state: true },
    doing: { state: true },
    problem: { state: true },
    details: { state: true },
  };
  #sending = { text: '', once: '' };

  constructor() {
    super();
    this.agents = null;
    this.agent = '';
    this.secrets = null;
    this.files = [];
    this.doing = '';
    this.problem = '';
    this.details = [];
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'New session';
    this.#load();
  }

  firstUpdated() {
    this.focusOn('#message');
  }

  async #load() {
    try {
      this.agents = (await get('agents')).items;
      this.agent = this.agents.find((agent) => agent.name === localStorage.getItem('agent'))?.name ?? this.agents[0]?.name ?? '';
    } catch (fault) {
      this.failed(fault, () => this.#load());
    }
    this.secrets = await get('secrets').then((page) => page.items.map((secret) => secret.name), () => null);
  }

  render() {
    return html`<main class="session scrolled"><div class="page narrow"><p class="back"><a href="#/">‹ Sessions</a></p><h1>New session</h1>
      ${this.#form()}</div></main>`;
  }

  #form() {
    const chosen = this.agents?.find((agent) => agent.name === this.agent);
    const takesInputs = chosen?.models !== undefined;
    return html`<form class="fields" aria-busy=${this.agents === null && !this.problem} @submit=${this.#submitted} @keydown=${this.#pressed}>
      <label for="message">What should the agent do?</label>
      <textarea class="field" id="message" name="message" rows="6" dir="auto" required maxlength="262144" .value=${draft(DRAFT)} @input=${(event) => keepDraft(DRAFT, event.target.value)}></textarea>
      <div class="pair">
        <div><label for="agent">Agent</label>
          <select class="field" id="agent" name="agent_name" .value=${this.agent} @change=${(event) => (this.agent = event.target.value)}>
            ${(this.agents ?? []).map((agent) => html`<option value=${agent.name} ?selected=${agent.name === this.agent}>${agent.name}</option>`)}
          </select></div>
        ${chosen?.models?.length ? this.#models(chosen) : nothing}
      </div>
      ${chosen ? html`<p class="lead">${plain(chosen.description)}</p>` : nothing}
      <label for="name">Title (optional)</label>
      <input class="field" id="name" name="title" dir="auto" maxlength="200" placeholder="the first line">
      ${takesInputs ? this.#inputs() : nothing}
      ${this.problem ? html`<div class="problem" role="alert">${this.problem}${this.#faults()}</div>` : nothing}
      <p class="choices"><button class="button primary" ?disabled=${this.doing !== '' || !this.agents}>${this.doing || 'Start'}</button><span class="lead keys"><kbd>Ctrl</kbd> <kbd>Enter</kbd> starts</span></p>
    </form>`;
  }

  #models(agent) {
    return html`<div><label for="model">Model</label><select class="field" id="model" name="model">
      <option value="">${usual(agent.default_model)}</option>
      ${agent.models.filter((model) => model !== agent.default_model).map((model) => html`<option value=${model}>${model}</option>`)}</select></div>`;
  }

  #inputs() {
    return html`<details class="more"><summary>Repository</summary>
        <label for="url">URL</label><input class="field mono" id="url" name="url" type="url" placeholder="https://git.example.org/team/app.git" pattern="https?://.*">
        <div class="pair"><div><label for="ref">Branch, tag or commit</label><input class="field mono" id="ref" name="ref" placeholder="default branch"></div>
          <div><label for="credential">Secret with its access token</label>${this.#credential()}</div></div>
        <label class="choice"><input type="checkbox" name="push"> Push the changes to a new branch</label>
      </details>
      <details class="more"><summary>Files${this.files.length ? ` (${this.files.length})` : ''}</summary>
        <p class="lead">Up to ${MOST} files of ${size(LARGEST)} each. The agent finds them in its folder.</p>
        ${listed(this.files, (file) => (this.files = this.files.filter((each) => each !== file)))}
        <input type="file" aria-label="Files" multiple hidden @change=${this.#chosen}>
        <p><button type="button" class="button" @click=${() => this.querySelector('input[type=file]').click()}>Add files</button></p>
      </details>
      <details class="more"><summary>Variables</summary>
        <label for="variables">One per line: NAME=value</label>
        <textarea class="field mono" id="variables" name="variables" rows="3" spellcheck="false" placeholder="LOG_LEVEL=debug"></textarea>
        <label for="secrets">Secrets for the agent, separated by commas</label>
        <input class="field mono" id="secrets" name="secrets" spellcheck="false" placeholder="PACKAGE_TOKEN" list="secret-names">
        <datalist id="secret-names">${(this.secrets ?? []).map((name) => html`<option value=${name}></option>`)}</datalist>
        <label for="setup">Script before the first turn</label>
        <textarea class="field mono" id="setup" name="setup" rows="2" spellcheck="false" placeholder="npm ci"></textarea>
      </details>
      <details class="more"><summary>Ceilings</summary>
        ${ceilings('turn', 'Each turn')}${ceilings('session', 'All turns together')}
      </details>`;
  }

  #credential() {
    if (this.secrets === null) return html`<input class="field mono" id="credential" name="credential" placeholder="GIT_TOKEN">`;
    return html`<select class="field" id="credential" name="credential"><option value="">None</option>${this.secrets.map((name) => html`<option value=${name}>${name}</option>`)}</select>`;
  }

  #faults() {
    return this.details.length ? html`<ul>${this.details.map((each) => html`<li><span class="mono">${each.field}</span> ${each.message}</li>`)}</ul>` : nothing;
  }

  #chosen(event) {
    const { files, problem } = attached(this.files, [...event.target.files]);
    this.files = files;
    this.problem = problem;
    event.target.value = '';
  }

  #pressed(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  }

  async #submitted(event) {
    event.preventDefault();
    if (this.doing || !this.agents) return;
    Object.assign(this, { problem: '', details: [], doing: this.files.length ? 'Uploading…' : 'Starting…' });
    try {
      const form = new FormData(event.target);
      const files = await sent(this.files);
      this.doing = 'Starting…';
      const session = await this.#start(asked(form, files));
      keepDraft(DRAFT, '');
      localStorage.setItem('agent', session.agent_name);
      this.tell('session-seen', session);
      location.hash = sessionAddress(session.id);
    } catch (fault) {
      this.failed(fault);
      this.details = fault.details ?? [];
    }
    this.doing = '';
  }

  #start(body) {
    const text = JSON.stringify(body);
    if (this.#sending.text !== text) this.#sending = { text, once: onceOnly() };
    return post('sessions', body, { headers: { 'Idempotency-Key': this.#sending.once } });
  }
}

/** What the agent takes where no model is chosen. @param {string | undefined} model */
const usual = (model) => (!model ? 'Default' : model === 'default' ? model : `${plain(model)} (default)`);

/** The fields for what may be used at most. @param {string} scope @param {string} legend */
function ceilings(scope, legend) {
  const id = (each) => `${scope}-${each.name}`;
  return html`<fieldset class="ceilings"><legend>${legend}</legend><div class="pair">${CEILINGS.map((each) => html`<div>
    <label for=${id(each)}>${each.label}</label><input class="field" id=${id(each)} name=${id(each)} type="number" min=${each.step} step=${each.step} placeholder="any"></div>`)}</div></fieldset>`;
}
customElements.define('new-session', NewSession);
