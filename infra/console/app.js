import './session/roster.js';
import './session/session-view.js';
import { settled } from './session/ahead.js';
import { pending } from './requests/pending.js';
import { html, nothing, Part } from './page/part.js';
import { get } from './page/api.js';
import { connection } from './page/connection.js';
import { storedKey } from './page/key.js';
import { route } from './page/routes.js';
import { takenCode } from './page/sign-in.js';

/** The views whose modules are loaded when they are first opened. */
const BEGUN = () => import('./session/new-session.js');
const LATER = { home: BEGUN, new: BEGUN, inbox: () => import('./requests/inbox-view.js'), settings: () => import('./workspace/settings-view.js'), usage: () => import('./workspace/usage-view.js') };
const DECIDING = new Set(['a', 'd']); // a key that is held down decides nothing
const PAIRS = new Set(['gs', 'gi']);
const WRITING = 'input, textarea, select, [contenteditable]';

/** The page: sign-in, the open view, and keyboard shortcuts. */
class ConsoleApp extends Part {
  static properties = {
    isSignedIn: { state: true },
    code: { state: true },
    route: { state: true },
    me: { state: true },
    isLost: { state: true },
    isWaiting: { state: true },
    isOld: { state: true },
    spoken: { state: true },
  };
  #pressedBefore = '';

  constructor() {
    super();
    this.replaceChildren();
    this.code = takenCode();
    this.isSignedIn = storedKey() !== '';
    this.route = route(location.hash);
    this.me = null;
    this.isLost = connection.isLost;
    this.isWaiting = false;
    this.isOld = false;
    this.spoken = '';
    this.#fetched();
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('hashchange', () => this.#moved());
    addEventListener('signed-out', () => (this.isSignedIn = false));
    addEventListener('offline', () => connection.lost());
    addEventListener('online', () => this.querySelector('session-roster')?.load());
    addEventListener('keydown', (event) => this.#pressed(event));
    connection.addEventListener('change', () => this.#connectionTurned());
    connection.addEventListener('wait', () => (this.isWaiting = connection.isWaiting));
    pending.addEventListener('change', (/** @type {CustomEvent} */ event) => event.detail.length && (this.spoken = 'A request waits for you.'));
    if (this.isSignedIn) this.#meet();
  }

  render() {
    if (this.code || !this.isSignedIn) {
      return html`${this.#bar()}<sign-in .code=${this.code} @signed-in=${this.#signedIn}></sign-in>`;
    }
    return html`<button class="button skip" @click=${this.#skip}>Skip the list</button>${this.#bar()}
      <div class="app view-${this.route.view}${this.route.tab ? ' with-tab' : ''}" @shortcuts=${this.#showShortcuts} @session-seen=${this.#seen} @session-gone=${this.#gone} @turn-ended=${this.#ended} @request-settled=${this.#settled} @outdated=${this.#outdated}>
        <session-roster .current=${this.route.id} .workspace=${this.me?.workspace ?? ''} .mayWrite=${this.#mayWrite}></session-roster>
        ${this.#view()}
      </div>
      <div class="unseen" role="status" aria-live="polite">${this.spoken}</div>
      <shortcut-list></shortcut-list>`;
  }

  #bar() {
    if (this.isOld) return html`<div class="offline" role="status">The service has a newer page. <button class="button" @click=${() => location.reload()}>Load it</button></div>`;
    if (this.isLost) return html`<div class="offline" role="status">No connection to the service. Trying again…</div>`;
    return this.isWaiting ? html`<div class="offline" role="status">Too many requests by this key in a minute. Waiting for the service…</div>` : nothing;
  }

  #view() {
    switch (this.route.view) {
      case 'session':
        return html`<session-view .route=${this.route} .mayWrite=${this.#mayWrite} .me=${this.me}></session-view>`;
      case 'inbox':
        return html`<inbox-view .me=${this.me}></inbox-view>`;
      case 'settings':
        return html`<settings-view .me=${this.me}></settings-view>`;
      case 'usage':
        return html`<usage-view></usage-view>`;
      default:
        if (!this.#mayWrite) return html`<main class="session"><div class="waiting"><h1>Agent Sessions</h1><p>Choose a session. Your key may read, and not write.</p></div></main>`;
        return html`<new-session .view=${this.route.view}></new-session>`;
    }
  }

  #fetched() {
    LATER[this.route.view]?.().catch(() => this.#outdated());
  }

  /** A module that cannot be loaded any more was replaced by a newer release. */
  #outdated() {
    this.isOld = !connection.isLost;
  }

  async #meet() {
    await settled;
    this.me = await get('me').catch(() => null);
  }

  #signedIn() {
    this.code = '';
    this.isSignedIn = storedKey() !== '';
    this.#meet();
  }

  #moved() {
    const code = takenCode();
    if (code) this.code = code;
    this.route = route(location.hash);
    this.#fetched();
  }

  #connectionTurned() {
    this.isLost = connection.isLost;
    this.spoken = this.isLost ? 'No connection to the service.' : 'Connected again.';
    if (this.isLost) return;
    this.querySelector('session-roster')?.load();
    if (!this.me && this.isSignedIn) this.#meet();
  }

  #seen(event) {
    this.querySelector('session-roster')?.seen(event.detail);
  }

  /** What a key may not do is not offered; while nothing is known of it, everything is. */
  get #mayWrite() {
    return this.me?.scopes?.includes('write') ?? true;
  }

  #ended(event) {
    this.spoken = event.detail;
    this.querySelector('session-roster')?.load();
  }

  #settled(event) {
    this.spoken = event.detail.words;
    pending.gone(event.detail.request.id);
    this.querySelector('session-roster')?.load();
  }

  #gone(event) {
    this.querySelector('session-roster')?.forget(event.detail);
  }

  /** From the beginning of the page to what is open, past every row of the list. */
  #skip() {
    const main = this.querySelector('main');
    main?.setAttribute('tabindex', '-1');
    main?.focus();
  }

  async #showShortcuts() {
    await import('./page/shortcuts.js').catch(() => this.#outdated());
    this.querySelector('shortcut-list')?.open?.();
  }

  #pressed(event) {
    const isWriting = event.target instanceof Element && event.target.matches(WRITING);
    if (!this.isSignedIn || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape') return this.#escaped(event.target);
    if (isWriting || (event.repeat && DECIDING.has(event.key))) return;
    const pair = this.#pressedBefore + event.key;
    this.#pressedBefore = event.key === 'g' ? 'g' : '';
    if (this.#does(PAIRS.has(pair) ? pair : event.key)) event.preventDefault();
  }

  /** Out of a field of the list or of a new session it leads back to the page, and out of the search to all sessions; elsewhere it stops the turn. */
  #escaped(target) {
    if (target instanceof HTMLElement && target.closest('session-roster, new-session') && target.matches(WRITING)) {
      if (target.matches('[type=search]')) this.querySelector('session-roster')?.searchFor('');
      target.blur();
    } else this.querySelector('session-view')?.pressed('Escape');
  }

  /** To the field of the open session, or else to that of a new one. @param {boolean} [isNew] */
  #compose(isNew = this.route.view !== 'session') {
    /** @type {HTMLElement | null} */
    const field = this.querySelector(isNew ? '#message' : 'message-composer textarea');
    if (field?.checkVisibility()) field.focus();
    else if (isNew) location.hash = '#/new';
  }

  /** To all sessions; the keys go on from the row of the one that was open. */
  #toList() {
    this.querySelector('session-roster')?.move(0);
    location.hash = '#/';
  }

  /** The first time to the request, so that none is decided unseen. @param {'a' | 'd'} key */
  #decide(key) {
    const open = [...this.querySelectorAll('request-card')].filter((card) => card.isOpen);
    const here = open.find((card) => card.contains(document.activeElement));
    if (here) here.pressed(key);
    else open[0]?.show();
  }

  #does(keys) {
    const roster = this.querySelector('session-roster');
    const actions = {
      j: () => roster?.move(1),
      k: () => roster?.move(-1),
      '/': () => roster?.search(),
      c: () => this.#compose(),
      n: () => this.#compose(true),
      gs: () => this.#toList(),
      gi: () => (location.hash = '#/inbox'),
      a: () => this.#decide('a'),
      d: () => this.#decide('d'),
      '?': () => this.#showShortcuts(),
      '[': () => this.querySelector('session-view')?.pressed('['),
      ']': () => this.querySelector('session-view')?.pressed(']'),
    };
    actions[keys]?.();
    return keys in actions;
  }
}
customElements.define('console-app', ConsoleApp);
