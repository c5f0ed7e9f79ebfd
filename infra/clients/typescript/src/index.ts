// Agent Sessions: sessions with coding agents, and their turns.
import { AgentSessionsError, TurnFailed, TurnLive } from './errors.js';
import { Transport, type Options, type Query } from './transport.js';
import type * as types from './types.js';

export * from './errors.js';
export type * from './types.js';
export type { Options, Query } from './transport.js';

/** Something that happened. Durable events have an `id`; the others tell how it is now. */
export interface Event {
  type: string;
  data: Record<string, unknown>;
  id?: string;
}

export interface Watching {
  after?: string;
  types?: string[];
  signal?: AbortSignal;
}

const LIVE = ['queued', 'running'];
const ENDED = ['completed', 'failed', 'timed_out', 'interrupted', 'cancelled'];

/** A service, and a key of one of its workspaces. */
export class AgentSessions {
  readonly #transport: Transport;

  constructor(url: string, key: string, options: Options = {}) {
    this.#transport = new Transport(url, key, options);
  }

  /** Starts a session with its first message. */
  async run(
    agent: string,
    message: string,
    { repository, idempotencyKey = crypto.randomUUID(), ...fields }: types.SessionFields & { repository?: string | types.NewRepository; idempotencyKey?: string } = {},
  ): Promise<Turn> {
    const first = typeof repository === 'string' ? { url: repository } : repository;
    const repositories = first && { repositories: [first, ...(fields.repositories ?? [])] };
    const body = { ...fields, agent_name: agent, message, ...repositories };
    const created = await this.#transport.call<types.Session>('POST', '/sessions', { body, idempotencyKey });
    return new Session(this.#transport, created.id).at(created.thread_id);
  }

  /** A session that there is already. */
  session(id: string): Session {
    return new Session(this.#transport, id);
  }

  /** The sessions of the workspace, newest first; filters as in the contract, such as `{ status: 'working' }`. */
  sessions(filters: Query = {}): AsyncGenerator<types.SessionSummary> {
    return this.#transport.pages('/sessions', filters);
  }

  async agents(): Promise<types.Agent[]> {
    return (await this.#transport.call<{ items: types.Agent[] }>('GET', '/agents')).items;
  }

  /** Any other operation of the contract; `path` is what follows `/rest/v1`. */
  request<T>(method: string, path: string, call: { body?: unknown; query?: Query; idempotencyKey?: string } = {}): Promise<T> {
    return this.#transport.call(method, path, call);
  }
}

/** A conversation with an agent. */
export class Session {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(
    transport: Transport,
    readonly id: string,
  ) {
    this.#transport = transport;
    this.#path = `/sessions/${encodeURIComponent(id)}`;
  }

  load(): Promise<types.Session> {
    return this.#transport.call('GET', this.#path);
  }

  /** Sends a follow-up. It interrupts the turn that runs; with `on_running: 'queue'` it waits for it. */
  async send(message: string, { idempotencyKey = crypto.randomUUID(), ...fields }: types.MessageFields & { idempotencyKey?: string } = {}): Promise<Turn> {
    const body = { ...fields, message };
    return this.at((await this.#transport.call<types.SentMessage>('POST', `${this.#path}/messages`, { body, idempotencyKey })).thread_id);
  }

  /** The turn with this id. */
  at(id: string): Turn {
    return new Turn(this.#transport, this, id, `${this.#path}/threads/${encodeURIComponent(id)}`);
  }

  /** The current turn. */
  async turn(): Promise<Turn> {
    return this.at((await this.load()).thread_id);
  }

  /** Cancels the turn that runs, if one does. */
  async interrupt(): Promise<Turn> {
    return this.at((await this.#transport.call<types.SessionThread>('POST', `${this.#path}/interrupt`, { again: true })).id);
  }

  /** The history, oldest first. */
  messages(filters: Query = {}): AsyncGenerator<types.Message> {
    return this.#transport.pages(`${this.#path}/messages`, filters);
  }

  /** Plans and files, oldest first. */
  artifacts(filters: Query = {}): AsyncGenerator<types.Artifact> {
    return this.#transport.pages(`${this.#path}/artifacts`, filters);
  }

  /** The content of an artifact, held to its sha256. */
  async download(artifact: types.Artifact | string): Promise<Uint8Array<ArrayBuffer>> {
    if (typeof artifact !== 'string') return this.#transport.download(artifact);
    return this.#transport.download(await this.#transport.call('GET', `${this.#path}/artifacts/${encodeURIComponent(artifact)}`));
  }

  /** What happens in the session, for as long as it is there; lost connections are taken up where they were cut. */
  events({ after, types, signal }: Watching = {}): AsyncGenerator<Event> {
    return this.#transport.events(`${this.#path}/events`, after, types, signal);
  }

  delete(): Promise<void> {
    return this.#transport.call('DELETE', this.#path);
  }
}

/** One message and what became of it. */
export class Turn {
  readonly #transport: Transport;
  readonly #path: string;
  #reply: string | undefined;
  /** As last seen. */
  thread: types.SessionThread | undefined;

  constructor(
    transport: Transport,
    readonly session: Session,
    readonly id: string,
    path: string,
  ) {
    this.#transport = transport;
    this.#path = path;
  }

  /** As last seen: `queued` before `wait()`. */
  get status(): string {
    return this.thread?.status ?? 'queued';
  }

  /** The agent's reply. TurnFailed if it ended otherwise, TurnLive if it has not ended. */
  get reply(): string {
    if (this.status === 'completed' && this.#reply !== undefined) return this.#reply;
    if (!ENDED.includes(this.status)) throw new TurnLive(`the turn is ${this.status}; wait() for it`);
    const closing = { code: this.status.toUpperCase(), message: this.#reply ?? `the turn was ${this.status}`, retryable: false };
    const { code, message, retryable } = this.thread?.error ?? closing;
    throw new TurnFailed(this.status, code, message, retryable);
  }

  /**
   * Waits until the turn no longer runs by itself: it has ended, or somebody has to do something. With `follow`, a turn that was interrupted
   * gives way to the one that superseded it. TurnLive after `timeout` milliseconds; the turn goes on.
   */
  async wait({ timeout, follow = false, signal }: { timeout?: number; follow?: boolean; signal?: AbortSignal } = {}): Promise<Turn> {
    const until = Date.now() + (timeout ?? Infinity);
    for (let turn: Turn = this; ; ) {
      let pause = await turn.poll(signal);
      if (pause === undefined) {
        const successor: Turn | undefined = follow ? turn.successor() : undefined;
        if (!successor) return turn;
        [turn, pause] = [successor, 0];
      }
      if (Date.now() >= until) throw new TurnLive(`the turn is still ${turn.status} after ${timeout} ms`);
      await this.#transport.sleep(Math.min(pause * 1000, until - Date.now()), signal);
    }
  }

  /** Looks once, and says after how many seconds to look again; undefined if there is nothing to wait for. */
  async poll(signal?: AbortSignal): Promise<number | undefined> {
    const query = { type: 'final_message', role: 'assistant' };
    type Page = { items: types.Message[]; thread: types.SessionThread; poll_after_seconds?: number };
    const page = await this.#transport.call<Page>('GET', `${this.#path}/messages`, { query, signal });
    this.thread = page.thread;
    this.#reply = page.items[0]?.message;
    return LIVE.includes(this.status) ? (page.poll_after_seconds ?? 1) : undefined;
  }

  /** The turn that superseded this one, as last seen. */
  successor(): Turn | undefined {
    return this.thread?.superseded_by ? this.session.at(this.thread.superseded_by) : undefined;
  }

  /** Takes a turn that waits (`on_running: 'queue'`) out of the queue; Conflict if it has begun: then `session.interrupt()` ends it. */
  async cancel(): Promise<Turn> {
    this.thread = await this.#transport.call<types.SessionThread>('POST', `${this.#path}/cancel`, { again: true });
    return this;
  }

  /** What is changed in the session's repository (the one at `path`, if there are several), for `git apply --index`; empty if nothing is. */
  async patch(path?: string): Promise<Uint8Array<ArrayBuffer>> {
    if (!this.thread || LIVE.includes(this.status)) throw new TurnLive(`the turn is ${this.status}; wait() for it`);
    const paths = this.thread.repositories.map((each) => each.path).join(', ');
    const [chosen, ...others] = this.thread.repositories.filter((each) => path === undefined || path === each.path);
    if (!chosen || others.length) throw new AgentSessionsError(`name one of the repositories: ${paths || 'there is none'}`);
    return chosen.patch_artifact_id ? this.session.download(chosen.patch_artifact_id) : new Uint8Array();
  }

  /** What happens in the turn until it has ended; lost connections are taken up where they were cut. */
  events({ after, types, signal }: Watching = {}): AsyncGenerator<Event> {
    return this.#transport.events(`${this.#path}/events`, after, types, signal);
  }
}
