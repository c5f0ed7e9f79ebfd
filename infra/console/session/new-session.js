import './file-drop.js';
import './repository-list.js';
import { html, nothing, Part } from '../page/part.js';
import { get, onceOnly, post } from '../page/api.js';
import { attached, LARGEST, listed, MOST, sent } from './attachments.js';
import { draft, keepDraft } from '../page/drafts.js';
import { asked, CEILINGS } from './new-session-request.js';
import { sessionAddress } from '../page/routes.js';
import { plain, size } from '../text/text.js';

const DRAFT = 'new';

/** The composer of a new session, with which the page begins: message, agent and repositories; all else is folded. */
class NewSession extends Part {
  static properties = {
    view: {},
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
    this.view = 'new';
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
    this.#load();
  }

  /** Where it was asked for, the message comes next; where the page just begins with it, only if nothing else has the focus. */
  updated(changed) {
    if (!changed.has('view')) return;
    document.title = this.view === 'new' ? 'New session' : 'Agent Sessions';
    if (this.view === 'new' || document.activeElement === document.body) this.focusOn('#message');
  }

  async #load() {
    try {
      this.agents = (await get('agents')).items;
      this.agent = usualAgent(this.agents);
    } catch (fault) {
      this.failed(fault, () => this.#load());
    }
    this.secrets = await get('secrets').then((page) => page.items.map((secret) => secret.name), () => null);
  }

  render() {
    return html`<main class="session scrolled"><div class="page narrow begin"><p class="back"><a href="#/">‹ Sessions</a></p>${this.#form()}</div></main>`;
  }

  #form() {
    return html`<form class="fields" aria-busy=${this.agents === null && !this.problem} @submit=${this.#submitted} @keydown=${this.#pressed}>
      <h1><label for="message">What should the agent do?</label></h1>
      ${this.#message()}
      ${this.problem ? html`<div class="problem" role="alert">${this.problem}${this.#faults()}</div>` : nothing}
      ${this.#agent()}
      <repository-list .secrets=${this.secrets}></repository-list>
      ${this.#more()}
    </form>`;
  }

  #message() {
    return html`<div class="composer"><file-drop class="box" @files=${(event) => this.#attach(event.detail)}>
      <textarea id="message" name="message" rows="4" dir="auto" required maxlength="262144" placeholder="Say what is to be done" .value=${draft(DRAFT)} @input=${(event) => keepDraft(DRAFT, event.target.value)}></textarea>
      ${this.files.length ? listed(this.files, (file) => (this.files = this.files.filter((each) => each !== file))) : nothing}
      <div class="bar"><span class="keys"><kbd>Ctrl</kbd> <kbd>Enter</kbd> starts</span>
        <input type="file" aria-label="Files" multiple hidden @change=${this.#chosen}>
        <button type="button" class="button quiet" title="Up to ${MOST} files of ${size(LARGEST)} each; or drop them here, or paste a picture" @click=${() => this.querySelector('input[type=file]').click()}>Add files</button>
        <button class="button primary" ?disabled=${this.doing !== '' || !this.agents}>${this.doing || 'Start'}</button></div>
    </file-drop></div>`;
  }

  #agent() {
    const chosen = this.agents?.find((agent) => agent.name === this.agent);
    return html`<div class="pair">
        <div><label for="agent">Agent</label>
          <select class="field" id="agent" name="agent_name" .value=${this.agent} @change=${(event) => (this.agent = event.target.value)}>
            ${(this.agents ?? []).map((agent) => html`<option value=${agent.name} ?selected=${agent.name === this.agent}>${agent.name}</option>`)}
          </select></div>
        ${chosen?.models?.length ? this.#models(chosen) : nothing}
      </div>
      ${chosen ? html`<p class="lead">${plain(chosen.description)}</p>` : nothing}`;
  }

  #models(agent) {
    return html`<div><label for="model">Model</label><select class="field" id="model" name="model">
      <option value="">${usual(agent.default_model)}</option>
      ${agent.models.filter((model) => model !== agent.default_model).map((model) => html`<option value=${model}>${model}</option>`)}</select></div>`;
  }

  #more() {
    return html`<details class="more"><summary>Title, variables, secrets, script, ceilings</summary>
        <label for="name">Title</label>
        <input class="field" id="name" name="title" dir="auto" maxlength="200" placeholder="the first line">
        <label for="variables">Variables, one per line: NAME=value</label>
        <textarea class="field mono" id="variables" name="variables" rows="3" spellcheck="false" placeholder="LOG_LEVEL=debug"></textarea>
        <label for="secrets">Secrets for the agent, separated by commas</label>
        <input class="field mono" id="secrets" name="secrets" spellcheck="false" placeholder="PACKAGE_TOKEN" list="secret-names">
        <datalist id="secret-names">${(this.secrets ?? []).map((name) => html`<option value=${name}></option>`)}</datalist>
        <label for="setup">Script before the first turn</label>
        <textarea class="field mono" id="setup" name="setup" rows="2" spellcheck="false" placeholder="npm ci"></textarea>
        ${ceilings('turn', 'At most, each turn')}${ceilings('session', 'At most, all turns together')}
      </details>`;
  }

  #faults() {
    return this.details.length ? html`<ul>${this.details.map((each) => html`<li><span class="mono">${each.field}</span> ${each.message}</li>`)}</ul>` : nothing;
  }

  #chosen(event) {
    this.#attach([...event.target.files]);
    event.target.value = '';
  }

  #attach(chosen) {
    Object.assign(this, attached(this.files, chosen));
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
      const { asked: repositories } = /** @type {any} */ (this.querySelector('repository-list'));
      const files = await sent(this.files);
      this.doing = 'Starting…';
      const session = await this.#start(asked(form, repositories, files));
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

/** The one that was taken last; at first one that has a model. @param {any[]} agents */
function usualAgent(agents) {
  const last = localStorage.getItem('agent');
  return (agents.find(({ name }) => name === last) ?? agents.find(({ models }) => models.length) ?? agents[0])?.name ?? '';
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
