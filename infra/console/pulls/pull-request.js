import { html, nothing, Part } from '../page/part.js';
import { get, onceOnly, post } from '../page/api.js';

/** What is done for a session without a turn. */
const JOBS = { pull_request: 'The pull request is being made…', push: 'The changes are being pushed…' };
const PROVIDERS = [['github', 'GitHub'], ['gitlab', 'GitLab'], ['gitea', 'Gitea or Forgejo']];

/** The button beside a repository's changes that has a pull request made of them, with its form. */
class PullRequest extends Part {
  static properties = {
    state: { attribute: false }, path: {}, version: { type: Number },
    isOpen: { state: true }, isSending: { state: true }, asksProvider: { state: true }, problem: { state: true },
  };

  #sent = { text: '', once: '' };

  constructor() {
    super();
    /** @type {any} the session's */
    this.state = null;
    /** of the repository in the session */
    this.path = '';
    this.version = 0;
    this.isOpen = false;
    this.isSending = false;
    /** whether the host's name does not tell what kind of host it is */
    this.asksProvider = false;
    this.problem = '';
  }

  render() {
    const { session, isWorking } = this.state;
    const isBeingMade = Boolean(session.job);
    const isAsked = session.status === 'requires_action';
    return html`<p class="choices wrap"><button class="button" aria-expanded=${this.isOpen} ?disabled=${isWorking || isBeingMade || isAsked}
        title=${isAsked ? 'When what waits is decided on' : isWorking ? 'When the session is idle' : nothing} @click=${this.#toggle}>Create pull request</button>
        <span role="status">${isBeingMade ? JOBS[session.job] ?? 'Something else is being done…' : nothing}</span></p>
      ${this.isOpen && !isBeingMade ? this.#form(session) : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}`;
  }

  #form(session) {
    const id = (name) => `pull-${name}-${this.path}`;
    return html`<form @submit=${this.#submit}>
      <label for=${id('title')}>Title</label><input class="field" id=${id('title')} name="title" maxlength="200" placeholder=${session.title ?? ''}>
      <label for=${id('body')}>Description</label><textarea class="field" id=${id('body')} name="body" maxlength="4000" rows="3"></textarea>
      <div class="pair"><div><label for=${id('branch')}>Branch</label><input class="field mono" id=${id('branch')} name="branch" placeholder="one of the session's own"></div>
        <div><label for=${id('base')}>Into</label><input class="field mono" id=${id('base')} name="base" placeholder="default branch"></div></div>
      ${this.asksProvider ? html`<label for=${id('provider')}>Kind of host</label><select class="field" id=${id('provider')} name="provider" required>
        <option value="">Choose one</option>${PROVIDERS.map(([value, name]) => html`<option value=${value}>${name}</option>`)}</select>` : nothing}
      <p class="choices wrap"><label class="choice"><input type="checkbox" name="draft"> As a draft</label><span class="space"></span>
        <button type="button" class="button quiet" @click=${this.#toggle}>Cancel</button><button class="button" ?disabled=${this.isSending}>Create</button></p></form>`;
  }

  #toggle() {
    this.isOpen = !this.isOpen;
    this.problem = '';
    this.focusOn(this.isOpen ? 'input' : 'button');
  }

  async #submit(event) {
    event.preventDefault();
    const given = Object.fromEntries([...new FormData(event.target)].filter(([, text]) => String(text).trim()));
    this.isSending = true;
    await this.attempt(() => this.#send({ path: this.path, ...given, draft: 'draft' in given }));
    this.isSending = false;
  }

  /** The same wish is one, however often it is tried. */
  async #send(body) {
    const text = JSON.stringify(body);
    if (this.#sent.text !== text) this.#sent = { text, once: onceOnly() };
    const at = `sessions/${this.state.id}`;
    await post(`${at}/pull-requests`, body, { headers: { 'Idempotency-Key': this.#sent.once } }).catch((refusal) => {
      if (refusal.details?.some(({ field }) => field === 'provider')) this.asksProvider = true;
      throw refusal;
    });
    this.#sent = { text: '', once: '' };
    this.isOpen = false;
    this.state.renew(await get(at));
  }
}
customElements.define('pull-request', PullRequest);
