/** One session as far as it is known: loaded once, then followed. Tells `change` when there is something new. Needs no part of the page. */
import { get, onceOnly, post, Refusal } from './api.js';
import { follow } from './events.js';
import { isLive } from './transcript.js';

const SHOWN = { type: ['message', 'final_message', 'tool_call'] };
const PAGE = 100;

export class SessionState extends EventTarget {
  /** @type {any} */ session = null;
  /** @type {any[]} by time, oldest first */ messages = [];
  /** @type {Map<string, any>} */ threads = new Map();
  /** @type {any[]} by time, oldest first */ artifacts = [];
  /** @type {Error | null} why it cannot be shown */ problem = null;
  isLoaded = false;
  isGone = false;
  #earlier = '';
  #known = new Set();
  #end = new AbortController();
  #sending = { text: '', once: '' };

  /** @param {string} id */
  constructor(id) {
    super();
    this.id = id;
  }

  /** Loads the newest part and follows from there, until it is closed. */
  async open() {
    try {
      const after = await this.#snapshot();
      this.#changed();
      const newMessages = await this.#history();
      this.isLoaded = true;
      this.#changed();
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

  get isWorking() {
    return this.thread ? isLive(this.thread.status) : this.session?.status === 'working';
  }

  get hasEarlier() {
    return this.#earlier !== '';
  }

  async loadEarlier() {
    const page = this.#earlier;
    this.#earlier = '';
    if (page) this.#add(await this.#get(page));
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

  async interrupt() {
    this.#learn(await post(`sessions/${this.id}/interrupt`, undefined));
    this.#changed();
  }

  /** What there is, and up to where: read before the history, so that nothing falls between. */
  async #snapshot() {
    try {
      const { snapshot } = await this.#get(`sessions/${this.id}/events`, { snapshot: true, types: 'session.updated' });
      this.session = snapshot.session;
      this.#learn(snapshot.thread);
      return snapshot.cursor;
    } catch (fault) {
      if (!(fault instanceof Refusal) || fault.status !== 404) throw fault;
      this.session = await this.#get(`sessions/${this.id}`);
      return '';
    }
  }

  async #history() {
    const [messages, threads, artifacts] = await Promise.all([
      this.#get(`sessions/${this.id}/messages`, { ...SHOWN, direction: 'desc', limit: PAGE }),
      this.#get(`sessions/${this.id}/threads`, { direction: 'desc', limit: PAGE }),
      this.#all(`sessions/${this.id}/artifacts`),
    ]);
    threads.items.forEach((thread) => this.#learn(thread));
    artifacts.forEach((artifact) => this.#keep(artifact));
    this.#add(messages);
    return messages._links.new_messages.href;
  }

  /** Every page of what has few: they come oldest first, and the newest are wanted most. */
  async #all(path) {
    const items = [];
    for (let next = path; next; ) {
      const page = await this.#get(next, next === path ? { limit: PAGE } : {});
      items.push(...page.items);
      next = page._links.next?.href ?? '';
    }
    return items;
  }

  #get(path, query) {
    return get(path, { query, signal: this.#end.signal });
  }

  #add(page) {
    page.items.forEach((message) => this.#insert(message));
    this.#earlier = page._links.next?.href ?? '';
  }

  #happened({ type, data }) {
    if (type === 'message.created') this.#insert(data);
    else if (type === 'artifact.created') this.#keep(data);
    else if (type === 'session.updated') this.session = data;
    else if (type.startsWith('thread.')) this.#ended(type, data);
    this.#changed();
  }

  #ended(type, thread) {
    const isNews = !isLive(thread.status) && isLive(this.threads.get(thread.id)?.status ?? '');
    this.#learn(thread);
    if (isNews) this.dispatchEvent(new CustomEvent('ended', { detail: thread }));
  }

  #learn(thread) {
    this.threads.set(thread.id, thread);
    if (this.session && !isLive(thread.status) && thread.id === this.session.thread_id) {
      this.session = { ...this.session, status: 'idle' };
    }
  }

  /** A message that was just sent began a thread, of which the service will tell. */
  #follow(sent) {
    this.session = { ...this.session, thread_id: sent.thread_id, status: 'working' };
    if (this.threads.has(sent.thread_id)) return;
    this.threads.set(sent.thread_id, { id: sent.thread_id, status: 'queued', created_at: sent.created_at, started_at: null, ended_at: null });
  }

  #insert(message) {
    if (this.#known.has(message.id)) return;
    this.#known.add(message.id);
    let at = this.messages.length;
    while (at > 0 && this.messages[at - 1].ts > message.ts) at--;
    this.messages.splice(at, 0, message);
  }

  #keep(artifact) {
    if (this.artifacts.some((known) => known.id === artifact.id)) return;
    this.artifacts = [...this.artifacts, artifact].sort((one, other) => one.created_at.localeCompare(other.created_at));
  }

  #changed() {
    if (!this.#end.signal.aborted) this.dispatchEvent(new Event('change'));
  }
}
