import { settled } from './ahead.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { call, get } from '../page/api.js';
import { requestAddress, sessionAddress } from '../page/routes.js';
import { isAnyWatched, tellWatcher } from '../page/watches.js';
import { pending } from '../requests/pending.js';
import { age, counted, ending, oneLine, repositoryName, title } from '../text/text.js';

const EVERY = 15_000;
const EVERY_WHILE_WORKING = 5_000;
const DAY = 86_400_000;
const PAGE = 100;
const ASKING = 'requires_action';
const GROUPS = [
  { name: 'Waits for you', state: 'Waits for you', dot: 'asks' },
  { name: 'Failed in the last day', state: 'Failed', dot: 'bad' },
  { name: 'Working', state: 'Working', dot: 'busy' },
  { name: 'Done', state: 'Done', dot: 'ok' },
  { name: 'Failed before', state: 'Failed', dot: 'bad' },
];
const FAILED = new Set(['failed', 'timed_out']);
/** What can be chosen, and how much of it the service can tell apart. */
const STATES = { 'Waits for you': { status: ASKING }, Working: { status: 'working' }, Failed: { status: 'idle' }, Done: { status: 'idle' }, Archived: { archived: 'true' } };
const ANY = { q: '', agent_name: '', state: '' };

/** Whether its agent is at work, or waits for somebody. @param {any} session */
const isAtWork = ({ status }) => status !== 'idle';

/** @param {any} session */
function groupOf(session) {
  if (session.status === ASKING) return 'Waits for you';
  if (isAtWork(session)) return 'Working';
  if (!FAILED.has(session.outcome)) return 'Done';
  return Date.now() - Date.parse(session.updated_at) < DAY ? 'Failed in the last day' : 'Failed before';
}

/** The list of sessions, grouped by state; what failed of late comes first. While the pointer is over it, no row moves. */
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
    open: { state: true },
  };
  #timer = 0;
  /** @type {Map<string, string>} the group in which a session stands while nothing moves */
  #places = new Map();
  #order = [];
  #asked = 0;
  /** when the list was asked for last */
  #read = 0;
  /** those that were seen at work */
  #working = new Set();
  /** the open session for which the list is read again, or was */
  #missing = '';
  #isMissing = false;
  /** @type {Map<boolean, string>} how many there are, archived or not, where nothing was searched for */
  #all = new Map();
  /** whose row was brought into sight */
  #inSight = '';
  #came = (/** @type {any} */ event) => this.#tellRequests(event.detail);
  /** when the newest session began of those that were there when the list was last seen from its top */
  #met = '';

  constructor() {
    super();
    this.current = '';
    this.workspace = '';
    this.mayWrite = true;
    this.sessions = null;
    this.agents = [];
    this.filter = ANY;
    this.problem = '';
    this.next = '';
    this.isHeld = false;
    this.isScrolled = false;
    /** @type {any} what the open session has told of itself */
    this.open = null;
  }

  connectedCallback() {
    super.connectedCallback();
    pending.addEventListener('change', this.#came);
    this.#begin();
    this.#timer = setInterval(() => this.#due() && this.load(), EVERY_WHILE_WORKING);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
    pending.removeEventListener('change', this.#came);
  }

  #due() {
    const isAwaited = document.visibilityState === 'visible' || isAnyWatched();
    return isAwaited && Date.now() - this.#read >= (this.sessions?.some(isAtWork) ? EVERY_WHILE_WORKING : EVERY);
  }

  /** What there is to choose from is wanted later than what there is to see. */
  async #begin() {
    await settled;
    await this.load();
    this.agents = await get('agents').then((page) => page.items, () => []);
  }

  /** Reads again what there is, and what waits for somebody. */
  load() {
    pending.load();
    return this.#load();
  }

  /** Reads the newest page again; what was loaded beyond it stays. */
  async #load() {
    const asked = ++this.#asked;
    this.#read = Date.now();
    const { q, agent_name, state } = this.filter;
    try {
      const page = await get('sessions', { query: { q, agent_name, archived: 'false', ...STATES[state], limit: PAGE } });
      if (asked !== this.#asked) return;
      this.#tellEnds(page.items);
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

  #tellEnds(sessions) {
    for (const session of sessions) {
      if (isAtWork(session) || !this.#working.delete(session.id)) continue;
      if (!this.#isLookedAt(session.id)) tellWatcher(session.id, { title: title(session), body: ending(session.outcome), address: sessionAddress(session.id) });
    }
  }

  /** @param {any[]} requests that came */
  #tellRequests(requests) {
    for (const request of requests) {
      const id = request.session_id;
      const session = this.sessions?.find((each) => each.id === id) ?? { id, title: null };
      if (!this.#isLookedAt(id)) tellWatcher(id, { title: title(session), body: `Waits for you: ${oneLine(request.title)}`, address: requestAddress(request) });
    }
    this.requestUpdate();
  }

  #isLookedAt(id) {
    return id === this.current && document.visibilityState === 'visible' && document.hasFocus();
  }

  willUpdate() {
    for (const session of this.sessions ?? []) if (isAtWork(session)) this.#working.add(session.id);
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
    const { q, agent_name, state } = this.filter;
    if (!q && !agent_name && !STATES[state]?.status) this.#all.set(state === 'Archived', `${this.sessions.length}${this.next ? '+' : ''}`);
  }

  /** What the open session has told of itself counts at once. @param {any} seen */
  seen(seen) {
    this.open = seen;
    if (!this.sessions) return;
    const before = this.sessions.find((session) => session.id === seen.id);
    if (!before) return void this.#missed(seen);
    if (before.status !== seen.status && [before.status, seen.status].includes(ASKING)) pending.load();
    this.sessions = this.sessions.map((session) => (session.id === seen.id ? { ...session, ...known(seen) } : session));
  }

  /** It is new, or so old that it was not loaded: the list is read again for it once. */
  async #missed({ id }) {
    if (this.#missing === id) return;
    this.#missing = id;
    this.#isMissing = true;
    await this.load();
    this.#isMissing = false;
    this.requestUpdate();
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
      <header><a class="brand" href="#/">Agent Sessions</a><span class="workspace">${this.workspace}</span>
        <a class=${pending.count ? 'button to-inbox asks' : 'button quiet to-inbox'} href="#/inbox">Inbox${pending.count ? html` <b>${pending.count}</b><span class="unseen"> that wait for you</span>` : nothing}</a></header>
      <div class="tools">
        ${this.mayWrite ? html`<a class="button primary" href="#/new">New session</a>` : nothing}
        <input class="field" type="search" aria-label="Search titles" placeholder="Search titles  ( / )" .value=${this.filter.q} @input=${this.#searched}>
        <div class="filters">
          <select class="field" aria-label="Agent" @change=${(event) => this.#filtered({ agent_name: event.target.value })}>
            <option value="" .selected=${!this.filter.agent_name}>All agents</option>
            ${this.agents.map((agent) => html`<option value=${agent.name} .selected=${agent.name === this.filter.agent_name}>${agent.name}</option>`)}
          </select>
          <select class="field" aria-label="State" @change=${(event) => this.#filtered({ state: event.target.value })}>
            <option value="" .selected=${!this.filter.state}>Any state</option>
            ${Object.keys(STATES).map((state) => html`<option .selected=${state === this.filter.state}>${state}</option>`)}
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

  /** That some are left out is said, by what, and with the ways back. */
  #found() {
    if (!this.sessions || !this.#isNarrowed()) return nothing;
    const { q, agent_name, state } = this.filter;
    const isCounted = q || agent_name || STATES[state].status;
    const count = this.sessions.filter((session) => this.#isFound(session, groupOf(session))).length;
    return html`<div class="found"><span role="status">${isCounted ? `${count} of ${this.#all.get(state === 'Archived') ?? 'all'}` : counted(count, 'session')}</span>
      ${state ? this.#chip('state', state) : nothing}${agent_name ? this.#chip('agent_name', agent_name) : nothing}
      <button class="button quiet" @click=${() => this.#filtered(ANY)}>Clear</button></div>`;
  }

  #chip(name, value) {
    return html`<button class="chip here" aria-label="Not only ${value}" @click=${() => this.#filtered({ [name]: '' })}>${value} ×</button>`;
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
    const shown = this.#placed().filter((session) => this.#isFound(session, this.#places.get(session.id)));
    const isBeyond = this.open?.id === this.current && !this.#isMissing && !shown.some(({ id }) => id === this.current);
    const beyond = isBeyond ? [this.open] : [];
    if (shown.length + beyond.length === 0) return html`<p class="lead pad">${this.#isNarrowed() ? 'No session is like that.' : 'No session yet. Start one: say what the agent should do.'}</p>`;
    return html`${this.#group({ name: 'Open' }, beyond)}${GROUPS.map((group) => this.#group(group, shown.filter((session) => this.#places.get(session.id) === group.name)))}
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
    const { state, dot } = GROUPS.find((group) => group.name === groupOf(session));
    const where = [session.agent_name, ...(session.repositories ?? []).slice(0, 1).map(repositoryName)].join(' · ');
    return html`<a class=${isHere ? 'row here' : 'row'} href=${sessionAddress(session.id)} aria-current=${isHere ? 'page' : nothing}>
      <i class="dot ${dot}" role="img" aria-label=${state}></i><b dir="auto">${title(session)}</b><time datetime=${session.updated_at}>${age(session.updated_at, Date.now())}</time>
      <small>${where}</small>${session.preview ? html`<small dir="auto">${oneLine(session.preview, 120)}</small>` : nothing}</a>`;
  }

  #isFound(session, group) {
    const { q, state } = this.filter;
    const isOfState = !STATES[state]?.status || GROUPS.some(({ name, state: of }) => name === group && of === state);
    return isOfState && title(session).toLowerCase().includes(q.trim().toLowerCase());
  }

  #isNarrowed() {
    return Object.values(this.filter).some(Boolean);
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
    this.#soon = setTimeout(() => this.#load(), delay);
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
