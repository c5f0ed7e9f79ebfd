// Agent Sessions: sessions with coding agents, and their turns.
import { AgentSessionsError, Conflict, PullRequestFailed, TurnFailed, TurnLive } from './errors.js';
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

/** A decision, or one with its note; none leaves the request to others. */
export type Decided = string | types.NewDecision | null | undefined | void;

/** What is said with a decision. */
export interface Said {
  note?: string | null | undefined;
  answers?: Record<string, string | string[]> | null | undefined;
}

export interface Waiting {
  /** Milliseconds, after which TurnLive is thrown; the turn goes on. */
  timeout?: number;
  /** Whether a turn that was interrupted gives way to the one that superseded it. */
  follow?: boolean;
  signal?: AbortSignal;
  /** Is given what the agent asks, each request once; what it returns is decided, and the waiting goes on, also for a plan or a push. */
  onRequest?: (request: types.SessionRequest) => Decided | Promise<Decided>;
}

const LIVE = ['queued', 'running'];
const ASKING = ['running', 'requires_action', 'completed']; // what a turn may be while it waits for a decision
const PAUSE = 1000; // milliseconds between two looks at a pull request
const DECIDING = 5; // seconds between two at what people decide on when the turn is over
const ENDED = ['completed', 'failed', 'timed_out', 'interrupted', 'cancelled'];

export interface PullRequestOptions extends types.PullRequestFields {
  /** Of the repository, if there are several. */
  path?: string;
  idempotencyKey?: string;
  /** Milliseconds, after which TurnLive is thrown; the pull request is made nevertheless. */
  timeout?: number;
  signal?: AbortSignal;
}

/** What is given, else what the variable says; a browser has none. */
function given(value: string | undefined, what: string, variable: string): string {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const found = value ?? process?.env?.[variable];
  if (!found) throw new TypeError(`no ${what} is given, and ${variable} is not set`);
  return found;
}

/** A service, and a key of one of its workspaces; by default those of AGENT_SESSIONS_URL and AGENT_SESSIONS_KEY. */
export class AgentSessions {
  readonly #transport: Transport;
  readonly requests: Requests;

  constructor(url?: string, key?: string, options: Options = {}) {
    this.#transport = new Transport(given(url, 'url', 'AGENT_SESSIONS_URL'), given(key, 'key', 'AGENT_SESSIONS_KEY'), options);
    this.requests = new Requests(this.#transport);
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

/** What agents have asked the people of a workspace. */
export class Requests {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Those that wait for a decision, oldest first; filters as in the contract, such as `{ status: 'decided' }`. */
  list(filters: Query = {}): AsyncGenerator<types.SessionRequest> {
    return this.#transport.pages('/requests', filters);
  }

  /**
   * Allows or denies just what `request` shows: `allow`, `allow_session` or `deny`; the agent reads the note of a denial. Questions are
   * allowed with `answers`: to each by its id, one text or several; or denied, where nobody answers. Needs the scope `decide`. Conflict if it was decided otherwise (`ALREADY_DECIDED`) or waits no more (`REQUEST_CLOSED`).
   */
  decide(request: types.SessionRequest, decision: string, { note, answers }: Said = {}): Promise<types.SessionRequest> {
    const path = `/sessions/${encodeURIComponent(request.session_id)}/requests/${encodeURIComponent(request.id)}/decision`;
    const values = answers && Object.fromEntries(Object.entries(answers).map(([id, each]) => [id, [each].flat()]));
    return this.#transport.call('POST', path, { body: { decision, note, answers: values, fingerprint: request.fingerprint }, again: true });
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

  /**
   * Has a pull request made of what is changed in the repository, and waits for it: the session that it gives has the URL in `pull_requests`,
   * and the commit in `pushed` of the repository. PullRequestFailed if it could not be made or was denied, Conflict if there is nothing to push or the session is at work.
   */
  async pullRequest({ path, idempotencyKey = crypto.randomUUID(), timeout, signal, ...fields }: PullRequestOptions = {}): Promise<types.Session> {
    const until = Date.now() + (timeout ?? Infinity);
    const asked = path ?? only((await this.load()).repositories).path;
    await this.#transport.call('POST', `${this.#path}/pull-requests`, { body: { path: asked, ...fields }, idempotencyKey, signal });
    for (;;) {
      const session = await this.#transport.call<types.Session>('GET', this.#path, { signal });
      if (!session.job && session.status !== 'requires_action') return pulled(session, asked);
      if (Date.now() >= until) throw new TurnLive(`the pull request is still being made after ${timeout} ms`);
      await this.#transport.sleep(Math.min(PAUSE, until - Date.now()), signal);
    }
  }

  /** The history, oldest first. */
  messages(filters: Query = {}): AsyncGenerator<types.Message> {
    return this.#transport.pages(`${this.#path}/messages`, filters);
  }

  /** What its agent has asked, newest first. */
  requests(filters: Query = {}): AsyncGenerator<types.SessionRequest> {
    return this.#transport.pages(`${this.#path}/requests`, filters);
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
  #pause = 1;
  #newest: string; // of the session's turns, as last looked for
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
    this.#newest = id;
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
   * gives way to the one that superseded it; with `onRequest`, what the agent asks is decided by it, also a push, until it is done, and a plan,
   * which gives way to the turn that carries it out or plans again.
   */
  async wait({ timeout, follow = false, signal, onRequest }: Waiting = {}): Promise<Turn> {
    const until = Date.now() + (timeout ?? Infinity);
    const asked = new Set<string>();
    for (let turn: Turn = this; ; ) {
      let pause = await (onRequest ? turn.#ask(onRequest, asked, signal) : turn.poll(signal));
      if (pause === undefined) {
        const following: Turn | undefined = (onRequest && (await turn.#following())) ?? (follow ? turn.successor() : undefined);
        if (!following) return turn;
        [turn, pause] = [following, 0];
      }
      if (Date.now() >= until) throw new TurnLive(`the turn is ${turn.status}, and is still waited for after ${timeout} ms`);
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
    this.#pause = page.poll_after_seconds ?? DECIDING;
    return LIVE.includes(this.status) ? this.#pause : undefined;
  }

  /**
   * Polls, and has decided what waits and was not `asked` yet. What is asked about when the turn is over, such as a push, is waited for too,
   * and so is what is done for the session then.
   */
  async #ask(onRequest: NonNullable<Waiting['onRequest']>, asked: Set<string>, signal?: AbortSignal): Promise<number | undefined> {
    const pause = await this.poll(signal);
    if (!ASKING.includes(this.status)) return pause;
    const waiting = await this.#waiting();
    const found = waiting.filter(({ id }) => !asked.has(id));
    for (const request of found) {
      asked.add(request.id);
      await this.#decide(request, await onRequest(request));
    }
    if (found.length) return 0;
    if (waiting.length || this.status === 'requires_action') return this.#pause;
    if (pause !== undefined) return pause;
    const session = await this.session.load();
    this.#newest = session.thread_id;
    return session.job ? PAUSE / 1000 : undefined;
  }

  async #waiting(): Promise<types.SessionRequest[]> {
    const waiting: types.SessionRequest[] = [];
    for await (const request of new Requests(this.#transport).list({ session_id: this.session.id })) {
      if (request.thread_id === this.id) waiting.push(request);
    }
    return waiting;
  }

  /** Whoever was faster has decided instead, and the turn tells how it goes on. */
  async #decide(request: types.SessionRequest, decided: Decided): Promise<void> {
    if (!decided) return;
    const { decision, ...more } = typeof decided === 'string' ? { decision: decided } : decided;
    await new Requests(this.#transport).decide(request, decision, more).catch((error) => {
      if (!(error instanceof Conflict)) throw error;
    });
  }

  /** The turn that the decision on the plan of this one began. */
  async #following(): Promise<Turn | undefined> {
    if (this.#newest === this.id || this.status !== 'completed' || !(await this.#goesOn())) return undefined;
    let after: string | undefined;
    const threads = this.#path.slice(0, this.#path.lastIndexOf('/'));
    for await (const { id } of this.#transport.pages<types.SessionThread>(threads, { direction: 'desc' })) {
      if (id === this.id) break;
      after = id;
    }
    return after === undefined ? undefined : this.session.at(after);
  }

  /** Whether its plan is approved, or to be made anew. */
  async #goesOn(): Promise<boolean> {
    for await (const { kind, thread_id, decision } of this.session.requests()) {
      if (kind === 'plan' && thread_id === this.id && (decision?.decision === 'allow' || decision?.note)) return true;
    }
    return false;
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
    const { patch_artifact_id: id } = only(this.thread.repositories, path);
    return id ? this.session.download(id) : new Uint8Array();
  }

  /** What happens in the turn until it has ended; lost connections are taken up where they were cut. */
  events({ after, types, signal }: Watching = {}): AsyncGenerator<Event> {
    return this.#transport.events(`${this.#path}/events`, after, types, signal);
  }
}

/** The repository at a path; without one, the only one. */
function only(repositories: types.Repository[], path?: string): types.Repository {
  const [chosen, ...others] = repositories.filter((each) => path === undefined || path === each.path);
  if (!chosen || others.length) throw new AgentSessionsError(`name one of the repositories: ${repositories.map((each) => each.path).join(', ') || 'there is none'}`);
  return chosen;
}

/** The session, unless the pull request of its repository could not be made. */
function pulled(session: types.Session, path: string): types.Session {
  const { error } = only(session.repositories, path);
  if (error) throw new PullRequestFailed(error.code, error.message);
  return session;
}
