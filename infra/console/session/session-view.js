import './composer.js';
import './transcript-view.js';
import './watch-button.js';
import { opened } from './ahead.js';
import { html, nothing, Part } from '../page/part.js';
import { sessionAddress } from '../page/routes.js';
import { ending, repositoryName, title } from '../text/text.js';

/** The view of a session: its transcript, the field for messages, and the panel of its results. */
class SessionView extends Part {
  static properties = { route: { attribute: false }, mayWrite: { type: Boolean }, me: { attribute: false }, version: { state: true } };
  /** @type {import('./session-state.js').SessionState | null} */
  #state = null;

  constructor() {
    super();
    this.route = null;
    this.mayWrite = true;
    this.me = null;
    this.version = 0;
  }

  /** The panel shows itself when what it shows is there: what was said is wanted first. */
  connectedCallback() {
    super.connectedCallback();
    import('./session-panel.js').catch(() => this.tell('outdated'));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#state?.close();
    this.#state = null;
  }

  willUpdate() {
    if (this.#state?.id === this.route.id) return;
    this.#state?.close();
    const state = opened(this.route.id);
    state.addEventListener('change', () => this.#changed(state));
    state.addEventListener('ended', (/** @type {CustomEvent} */ event) => this.tell('turn-ended', ending(event.detail.status)));
    this.#state = state;
    if (state.session) this.#changed(state);
  }

  #changed(state) {
    this.version++;
    if (state.session) {
      document.title = `${state.isAsking ? 'Waits for you · ' : state.isWorking ? '● ' : ''}${title(state.session)}`;
      this.tell('session-seen', state.session);
    }
  }

  render() {
    const state = this.#state;
    if (state.problem) return this.#problem(state.problem);
    if (!state.session) return html`<main class="session" aria-busy="true"><p class="waiting">Loading…</p></main>`;
    return html`<main class="session" aria-busy=${!state.isLoaded} @again=${this.#again} @request-settled=${(event) => state.heard(event.detail.request)}>
      ${this.#header(state.session)}
      ${state.isLoaded ? html`<transcript-view .state=${state} .version=${this.version} .mayWrite=${this.mayWrite} .me=${this.me} .request=${this.route.request}></transcript-view>` : html`<p class="waiting">Loading…</p>`}
      ${this.mayWrite ? html`<message-composer .state=${state} .version=${this.version}></message-composer>` : html`<p class="composer lead">Your key may read, and not write.</p>`}
    </main>
    ${state.isWhole ? this.#panel(state) : html`<aside class="panel" aria-busy="true"></aside>`}`;
  }

  #panel(state) {
    return html`<session-panel .state=${state} .version=${this.version} .mayWrite=${this.mayWrite} .me=${this.me} .tab=${this.route.tab} .item=${this.route.item} @remarked=${this.#remarked}></session-panel>`;
  }

  #problem(problem) {
    const text = problem.status === 404 ? 'There is no such session in this workspace. It may have been deleted.' : problem.message;
    return html`<main class="session"><div class="waiting"><h1>The session cannot be shown</h1><p>${text}</p>
      <p><button class="button" @click=${this.#reopened}>Try again</button></p></div></main>`;
  }

  /** A message that failed, to be edited first. */
  #again(event) {
    this.querySelector('message-composer')?.add(event.detail);
    this.focusOn('message-composer textarea');
  }

  /** A comment to a line, which waits among others for the next message. */
  #remarked(event) {
    this.querySelector('message-composer')?.add(event.detail);
  }

  #reopened() {
    this.#state?.close();
    this.#state = null;
    this.requestUpdate();
  }

  #header(session) {
    const repositories = session.repositories ?? [];
    return html`<header>
      <a class="back" href="#/" aria-label="All sessions">‹</a>
      <h1 dir="auto">${title(session)}</h1>
      <span class="chip">${session.agent_name}</span>
      ${repositories.slice(0, 1).map((each) => html`<span class="chip" dir="auto">${repositoryName(each)}${each.branch ? ` → ${each.branch}` : ''}</span>`)}
      ${repositories.length > 1 ? html`<span class="chip">+ ${repositories.length - 1}</span>` : nothing}
      <span class="space"></span>
      <watch-button .sessionId=${session.id}></watch-button>
      <a class="button to-panel" href=${sessionAddress(session.id, 'all')}>Results</a>
    </header>`;
  }

  /** What a key does here. @param {string} key */
  pressed(key) {
    if (key === 'Escape' && this.#state?.isWorking) this.querySelector('message-composer')?.stop();
    if (key === '[') this.querySelector('transcript-view')?.turn(-1);
    if (key === ']') this.querySelector('transcript-view')?.turn(1);
  }
}
customElements.define('session-view', SessionView);
