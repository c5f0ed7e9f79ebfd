/** The state of a session: loaded once, then followed. Fires `change` when it has something new. Independent of the page. */
import { get, isFinal, onceOnly, post, Refusal } from '../page/api.js';
import { connection, retryDelay } from '../page/connection.js';
import { follow } from '../page/events.js';
import { isLive, waitsAfterTurn } from './transcript.js';

const SHOWN = { type: ['message', 'final_message', 'tool_call'] };
const PAGE = 100;

export class SessionState extends EventTarget {
  /** @type {any} */ session = null;
  /** @type {any[]} by time, oldest first */ messages = [];
  /** @type {Map<string, any>} */ threads = new Map();
  /** @type {any[]} by time, oldest first */ artifacts = [];
  /** @type {Error | null} why it cannot be shown */ problem = null;
  /** @type {Map<string, any>} what a person was asked, by id */ requests = new Map();
  /** whether what was said is there */ isLoaded = false;
  /** whether what was made is there, too */ isWhole = false;
  isGone = false;
  #earlier = '';
  #earlierThreads = '';
  #known = new Set();
  #end = new AbortController();
  #sending = { text: '', once: '' };

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
  }

  /** Loads the newest part, makes up for what came meanwhile, and follows from there, until it is closed. */
  async open() {
    try {
      const [messages, threads, snapshot] = await Promise.all([this.#newest(), this.#threads(), this.#snapshot()]);
      this.#begin(messages, threads, snapshot);
      await this.#waiting(threads);
      this.isLoaded = true;
      this.#changed();
      const newMessages = await this.#caughtUp(messages._links.new_messages.href);
      this.isWhole = true;
      this.#changed();
      const after = snapshot.cursor;
      await follow({ sessionId: this.id, after, newMessages, on: (event) => this.#happened(event), signal: this.#end.signal });
    } catch (fault) {
      if (this.#end.signal.aborted) return;
      this.problem = fault;
      this.#changed();
    }
  }

  close() {
    this.#end.abort();
  }

  get thread() {
    return this.session ? this.threads.get(this.session.thread_id) : undefined;
  }

  /** the thread that runs, perhaps before the newest */
  get running() {
    return this.threads.get(this.session?.running_thread_id ?? '');
  }

  get isWorking() {
    return this.thread ? isLive(this.thread.status) : this.session && this.session.status !== 'idle';
  }

  /** whether a person is waited for */
  get isAsking() {
    return (this.running ?? this.thread ?? this.session)?.status === 'requires_action' || this.#hasClosing;
  }

  /** whether the plan or a push of the newest thread waits, which has ended */
  get #hasClosing() {
    return [...this.requests.values()].some((request) => waitsAfterTurn(request) && request.status === 'pending' && request.thread_id === this.session?.thread_id);
  }

  get hasEarlier() {
    return this.#earlier !== '';
  }

  async loadEarlier() {
    const page = this.#earlier;
    this.#earlier = '';
    if (page) this.#add(await this.#get(page));
    while (this.#earlierThreads && !this.threads.has(this.messages[0].thread_id)) this.#addThreads(await this.#get(this.#earlierThreads));
    this.#changed();
  }

  /** Sends a message; the same text is the same message, however often it is tried. @param {Record<string, unknown>} body */
  async send(body) {
    const text = JSON.stringify(body);
    if (this.#sending.text !== text) this.#sending = { text, once: onceOnly() };
    const sent = await post(`sessions/${this.id}/messages`, body, { headers: { 'Idempotency-Key': this.#sending.once } });
    this.#sending = { text: '', once: '' };
    this.#insert(sent);
    this.#follow(sent);
    this.#changed();
  }

  /** Takes over what a change of the session was answered with. @param {any} session */
  renew(session) {
    this.session = session;
    this.#changed();
  }

  /** Takes over how a request stands. @param {any} request */
  heard(request) {
    this.#hear(request);
    this.#changed();
  }

  async interrupt() {
    this.#learn(await post(`sessions/${this.id}/interrupt`, undefined));
    this.#changed();
  }

  #newest() {
    return this.#get(`sessions/${this.id}/messages`, { ...SHOWN, direction: 'desc', limit: PAGE });
  }

  #threads() {
    return this.#get(`sessions/${this.id}/threads`, { direction: 'desc', limit: PAGE });
  }

  /** How it stands, and from where its events tell what comes then. */
  async #snapshot() {
    try {
      const { snapshot } = await this.#get(`sessions/${this.id}/events`, { snapshot: true, types: 'session.updated' });
      return snapshot;
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.status !== 404) throw fault;
      return { session: await this.#get(`sessions/${this.id}`), cursor: '' };
    }
  }

  #begin(messages, threads, { session, thread }) {
    this.session = session;
    this.#addThreads(threads);
    if (thread) this.#learn(thread);
    this.#add(messages);
  }

  /** What waits for a turn is said by its thread only. */
  async #waiting(threads) {
    const waiting = threads.items.filter(({ position }) => position);
    const pages = await Promise.all(waiting.map((thread) => this.#get(thread._links.messages.href)));
    pages.forEach((page) => page.items.forEach((message) => this.#insert(message)));
  }

  /** What was said stays open meanwhile, however often it takes. */
  async #caughtUp(newMessages) {
    for (let failures = 0; ; failures++) {
      try {
        return await this.#catchUp(newMessages);
      } catch (fault) {
        if (this.#end.signal.aborted || isFinal(fault)) throw fault;
        await connection.pause(retryDelay(failures), this.#end.signal);
      }
    }
  }

  /** All that is asked for after the snapshot leaves no gap before the events; the three asked together may. */
  async #catchUp(newMessages) {
    const isBehind = [...this.threads.values()].some(({ id, status }) => isLive(status) && id !== this.session.thread_id);
    const [messages, threads, artifacts, requests] = await Promise.all([
      this.#all(newMessages),
      isBehind ? this.#threads() : { items: [] },
      this.#all(`sessions/${this.id}/artifacts`, { limit: PAGE }),
      mayAsk(this.session) ? this.#all(`sessions/${this.id}/requests`, { limit: PAGE }) : { items: [] },
    ]);
    threads.items.forEach((thread) => this.#learn(thread));
    messages.items.forEach((message) => this.#insert(message));
    artifacts.items.forEach((artifact) => this.#keep(artifact));
    requests.items.forEach((request) => this.#hear(request));
    return messages.newMessages;
  }

  /** Every page, and where what comes later will be. */
  async #all(path, query = {}) {
    const items = [];
    for (let page = await this.#get(path, query); ; page = await this.#get(page._links.next.href)) {
      items.push(...page.items);
      if (!page._links.next) return { items, newMessages: page._links.new_messages?.href ?? '' };
    }
  }

  #get(path, query) {
    return get(path, { query, signal: this.#end.signal });
  }

  #add(page) {
    page.items.forEach((message) => this.#insert(message));
    this.#earlier = page._links.next?.href ?? '';
  }

  #addThreads(page) {
    page.items.forEach((each) => this.#learn(each));
    this.#earlierThreads = page._links.next?.href ?? '';
  }

  #happened({ type, data }) {
    if (type === 'message.created') this.#insert(data);
    else if (type === 'artifact.created') this.#keep(data);
    else if (type === 'session.updated') this.#updated(data);
    else if (type.startsWith('request.')) this.#hear(data);
    else if (type.startsWith('thread.')) this.#ended(type, data);
    this.#changed();
  }

  #updated(session) {
    this.session = session;
    const waits = [...this.threads.values()].some(({ id, status }) => status === 'queued' && id !== session.thread_id);
    if (waits) void this.#relearn();
  }

  /** A thread that waited and was cancelled has no event. All others have: of those, events may be further by then. */
  async #relearn() {
    const { items } = await this.#threads().catch(() => ({ items: [] }));
    items.filter(({ id, status }) => status === 'cancelled' && this.threads.get(id)?.status === 'queued').forEach((thread) => this.#learn(thread));
    this.#changed();
  }

  #ended(type, thread) {
    const isNews = !isLive(thread.status) && isLive(this.threads.get(thread.id)?.status ?? '');
    this.#learn(thread);
    if (isNews && mayAsk(this.session)) this.#rehear();
    if (isNews) this.dispatchEvent(new CustomEvent('ended', { detail: thread }));
  }

  #learn(thread) {
    this.threads.set(thread.id, thread);
    if (this.session && !isLive(thread.status) && thread.id === this.session.thread_id) {
      this.session = { ...this.session, status: this.#hasClosing ? 'requires_action' : 'idle' };
    }
  }

  /** The events tell how it stands, and not of what came and went between two looks. */
  async #rehear() {
    const { items } = await this.#get(`sessions/${this.id}/requests`, { limit: PAGE }).catch(() => ({ items: [] }));
    items.forEach((request) => this.#hear(request));
    this.#changed();
  }

  /** What became of it is final; an answer that was on its way may not know yet. */
  #hear(request) {
    const known = this.requests.get(request.id);
    if (!known || known.status === 'pending') this.requests.set(request.id, request);
    if (waitsAfterTurn(request) && this.thread) this.#learn(this.thread);
  }

  /** A message that was just sent began a thread, of which the service will tell. */
  #follow(sent) {
    this.session = { ...this.session, thread_id: sent.thread_id, status: 'working' };
    if (this.threads.has(sent.thread_id)) return;
    this.threads.set(sent.thread_id, { id: sent.thread_id, status: 'queued', created_at: sent.created_at, started_at: null, ended_at: null });
  }

  #insert(message) {
    if (this.#known.has(message.id) && !this.#moved(message)) return;
    this.#known.add(message.id);
    let at = this.messages.length;
    while (at > 0 && this.messages[at - 1].ts > message.ts) at--;
    this.messages.splice(at, 0, message);
  }

  /** Takes out a message that waited, and has its place among the others now. */
  #moved({ id, ts }) {
    const at = this.messages.findIndex((known) => known.id === id && known.ts !== ts);
    if (at >= 0) this.messages.splice(at, 1);
    return at >= 0;
  }

  #keep(artifact) {
    if (this.artifacts.some((known) => known.id === artifact.id)) return;
    this.artifacts = [...this.artifacts, artifact].sort((one, other) => one.created_at.localeCompare(other.created_at));
  }

  #changed() {
    if (!this.#end.signal.aborted) this.dispatchEvent(new Event('change'));
  }
}

/** Whether anybody was ever asked: only what permissions say is. @param {any} session */
const mayAsk = (session) => session.permissions || session.pending_requests > 0;
