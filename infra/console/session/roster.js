import { settled } from './ahead.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { call, get } from '../page/api.js';
import { sessionAddress } from '../page/routes.js';
import { age, oneLine, repositoryName, title } from '../text/text.js';

const EVERY = 15_000;
const PAGE = 100;
const GROUPS = [
  { name: 'Working', dot: 'busy' },
  { name: 'Done', dot: 'ok' },
  { name: 'Failed', dot: 'bad' },
];
const FAILED = new Set(['failed', 'timed_out']);

/** @param {any} session */
const groupOf = (session) => (session.status === 'working' ? 'Working' : FAILED.has(session.outcome) ? 'Failed' : 'Done');

/** The list of sessions, grouped by status. While the pointer is over it, no row moves. */
class SessionRoster extends Part {
  static properties = {
    current: {},
    workspace: {},
    mayWrite: { type: Boolean },
    sessions: { state: true },
    agents: { state: true },
    filter: { state: true },
    problem: { state: true },
    next: { state: true },
    isHeld: { state: true },
    isScrolled: { state: true },
  };
  #timer = 0;
  /** @type {Map<string, string>} the group in which a session stands while nothing moves */
  #places = new Map();
  #order = [];
  #asked = 0;
  /** @type {Map<string, string>} how many there are, archived or not, where nothing was searched for */
  #all = new Map();
  /** whose row was brought into sight */
  #inSight = '';
  /** when the newest session began of those that were there when the list was last seen from its top */
  #met = '';

  constructor() {
    super();
    this.current = '';
    this.workspace = '';
    this.mayWrite = true;
    this.sessions = null;
    this.agents = [];
    this.filter = { q: '', agent_name: '', archived: '' };
    this.problem = '';
    this.next = '';
    this.isHeld = false;
    this.isScrolled = false;
  }

  connectedCallback() {
    super.connectedCallback();
    this.#begin();
    this.#timer = setInterval(() => document.visibilityState === 'visible' && this.load(), EVERY);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  /** What there is to choose from is wanted later than what there is to see. */
  async #begin() {
    await settled;
    await this.load();
    this.agents = await get('agents').then((page) => page.items, () => []);
  }

  /** Reads the newest page again; what was loaded beyond it stays. */
  async load() {
    const asked = ++this.#asked;
    try {
      const page = await get('sessions', { query: { ...this.filter, archived: this.filter.archived || 'false', limit: PAGE } });
      if (asked !== this.#asked) return;
      const fresh = new Map(page.items.map((session) => [session.id, session]));
      const beyond = page._links.next ? this.#beyond(fresh, page.items.at(-1)) : [];
      this.sessions = [...page.items, ...beyond];
      if (beyond.length === 0) this.next = page._links.next?.href ?? '';
      this.#count();
      this.problem = '';
    } catch (fault) {
      if (asked === this.#asked) this.problem = fault.message;
    }
  }

  #beyond(fresh, last) {
    return (this.sessions ?? []).filter((session) => !fresh.has(session.id) && session.created_at < last.created_at);
  }

  async #more() {
    const page = await call('GET', this.next);
    this.sessions = [...this.sessions, ...page.items];
    this.next = page._links.next?.href ?? '';
    this.#count();
  }

  #count() {
    const { q, agent_name, archived } = this.filter;
    if (!q && !agent_name) this.#all.set(archived, `${this.sessions.length}${this.next ? '+' : ''}`);
  }

  /** What the open session has told of itself counts at once. @param {any} seen */
  seen(seen) {
    if (!this.sessions) return;
    const isKnown = this.sessions.some((session) => session.id === seen.id);
    if (!isKnown) return void this.load();
    this.sessions = this.sessions.map((session) => (session.id === seen.id ? { ...session, ...known(seen) } : session));
  }

  /** @param {string} id */
  forget(id) {
    this.sessions = this.sessions?.filter((session) => session.id !== id) ?? null;
  }

  /** A session that is opened by an address, or begun, is seen in the list as well. */
  updated() {
    const here = this.querySelector('.row.here');
    const id = here ? this.current : '';
    if (id !== this.#inSight) here?.scrollIntoView({ block: 'nearest' });
    this.#inSight = id;
  }

  render() {
    return html`<aside class="roster" aria-label="Sessions">
      <header><a class="brand" href="#/">Agent Sessions</a><span class="workspace">${this.workspace}</span></header>
      <div class="tools">
        ${this.mayWrite ? html`<a class="button primary" href="#/new">New session</a>` : nothing}
        <input class="field" type="search" aria-label="Search titles" placeholder="Search titles  ( / )" .value=${this.filter.q} @input=${this.#searched}>
        <div class="filters">
          <select class="field" aria-label="Agent" @change=${(event) => this.#filtered({ agent_name: event.target.value })}>
            <option value="" .selected=${!this.filter.agent_name}>All agents</option>
            ${this.agents.map((agent) => html`<option value=${agent.name} .selected=${agent.name === this.filter.agent_name}>${agent.name}</option>`)}
          </select>
          <select class="field" aria-label="Archived or not" @change=${(event) => this.#filtered({ archived: event.target.value })}>
            <option value="">Current</option><option value="true">Archived</option>
          </select>
        </div>
        ${this.#found()}
      </div>
      <nav aria-label="Sessions by state" @pointerenter=${() => (this.isHeld = true)} @pointerleave=${() => (this.isHeld = false)} @scroll=${(event) => (this.isScrolled = event.target.scrollTop > 0)}>
        ${this.#news()}
        ${this.problem ? html`<p class="lead pad">${this.problem}</p>` : nothing}
        ${this.#list()}
      </nav>
      <footer><a class="button quiet" href="#/usage">Usage</a><a class="button quiet" href="#/settings">Settings</a><button class="button quiet" @click=${() => this.tell('shortcuts')}>Shortcuts <kbd>?</kbd></button></footer>
    </aside>`;
  }

  /** What is left out is said, with the way back. */
  #found() {
    const { q, agent_name, archived } = this.filter;
    if (!this.sessions || (!q && !agent_name)) return nothing;
    const count = this.sessions.filter((session) => this.#isFound(session)).length;
    return html`<p class="found" role="status">${count} of ${this.#all.get(archived) ?? 'all'} <button class="button quiet" @click=${() => this.#filtered({ q: '', agent_name: '' })}>Clear</button></p>`;
  }

  /** Who has scrolled down, or holds the list, is told what came meanwhile. */
  #news() {
    const begun = (this.sessions ?? []).map((session) => session.created_at);
    if (!this.#met || !(this.isScrolled || this.isHeld)) this.#met = begun.reduce((one, other) => (one > other ? one : other), '');
    const count = begun.filter((time) => time > this.#met).length;
    return count ? html`<button class="button news" @click=${this.#toTop}>${count} new ↑</button>` : nothing;
  }

  #toTop() {
    this.#order = [];
    this.#met = '';
    this.requestUpdate();
    this.querySelector('nav').scrollTop = 0;
  }

  #list() {
    if (!this.sessions) return this.problem ? nothing : html`<p class="lead pad" aria-busy="true">Loading…</p>`;
    const shown = this.#placed().filter((session) => this.#isFound(session));
    if (shown.length === 0) return html`<p class="lead pad">${this.#isNarrowed() ? 'No session is like that.' : 'No session yet. Start one: say what the agent should do.'}</p>`;
    return html`${GROUPS.map((group) => this.#group(group, shown.filter((session) => this.#places.get(session.id) === group.name)))}
      ${this.next ? html`<button class="button quiet wide" @click=${this.#more}>Show older ones</button>` : nothing}`;
  }

  /** Newest first, each in its group; held rows keep group and order, and new ones wait. */
  #placed() {
    const byId = new Map(this.sessions.map((session) => [session.id, session]));
    if (!this.isHeld || this.#order.length === 0) {
      this.#order = [...byId.values()].sort((one, other) => other.updated_at.localeCompare(one.updated_at)).map((session) => session.id);
      this.#places = new Map(this.sessions.map((session) => [session.id, groupOf(session)]));
    }
    return this.#order.map((id) => byId.get(id)).filter(Boolean);
  }

  #group(group, sessions) {
    if (sessions.length === 0) return nothing;
    return html`<section aria-label=${group.name}><h2 class="group"><span>${group.name}</span><span>${sessions.length}${this.next && group.name === 'Done' ? '+' : ''}</span></h2>
      ${repeat(sessions, (session) => session.id, (session) => this.#row(session))}</section>`;
  }

  #row(session) {
    const isHere = session.id === this.current;
    const dot = GROUPS.find((group) => group.name === groupOf(session)).dot;
    const where = [session.agent_name, ...(session.repositories ?? []).slice(0, 1).map(repositoryName)].join(' · ');
    return html`<a class=${isHere ? 'row here' : 'row'} href=${sessionAddress(session.id)} aria-current=${isHere ? 'page' : nothing}>
      <i class="dot ${dot}" role="img" aria-label=${groupOf(session)}></i><b dir="auto">${title(session)}</b><time datetime=${session.updated_at}>${age(session.updated_at, Date.now())}</time>
      <small>${where}</small>${session.preview ? html`<small dir="auto">${oneLine(session.preview, 120)}</small>` : nothing}</a>`;
  }

  #isFound(session) {
    return title(session).toLowerCase().includes(this.filter.q.trim().toLowerCase());
  }

  #isNarrowed() {
    return Boolean(this.filter.q || this.filter.agent_name || this.filter.archived);
  }

  #searched(event) {
    this.#filtered({ q: event.target.value }, 300);
  }

  /** @param {string} q */
  searchFor(q) {
    if (q !== this.filter.q) this.#filtered({ q });
  }

  #soon = 0;

  #filtered(change, delay = 0) {
    this.filter = { ...this.filter, ...change };
    this.#order = [];
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.load(), delay);
  }

  /** Moves the focus through the rows. @param {1 | 0 | -1} direction */
  move(direction) {
    const rows = [...this.querySelectorAll('a.row')];
    const at = rows.findIndex((row) => row === document.activeElement);
    const here = at < 0 ? rows.findIndex((row) => row.classList.contains('here')) : at;
    rows[Math.min(rows.length - 1, Math.max(0, here + direction))]?.focus();
  }

  search() {
    this.querySelector('input[type=search]')?.focus();
  }
}

/** Of a session what its row shows; what the list alone knows stays. */
function known({ title: name, status, updated_at, is_archived }) {
  return { title: name, status, updated_at, is_archived };
}
customElements.define('session-roster', SessionRoster);
