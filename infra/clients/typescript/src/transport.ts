// How requests go: one timeout each, the same again after 429 and 503 where that is safe, the key only ever to its own service.
import { ApiError, BY_STATUS, ConnectionFailed, DownloadFailed } from './errors.js';
import type { Artifact } from './types.js';

export type Query = Record<string, string | number | boolean | string[] | undefined>;

export interface Options {
  /** Milliseconds that one request may take. */
  timeout?: number;
  /** How often a request that may be repeated is sent at most. */
  attempts?: number;
  fetch?: typeof fetch;
  sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

interface Call {
  body?: unknown;
  query?: Query | undefined;
  idempotencyKey?: string | undefined;
  /** Whether it may be sent again without a key. */
  again?: boolean;
  signal?: AbortSignal | undefined;
}

export interface RawEvent {
  type: string;
  data: Record<string, unknown>;
  id?: string;
}

const RETRIED = [429, 503];
const LONGEST_PAUSE = 120_000;
const QUIET = 30_000; // a stream has a heartbeat every 10 s

export class Transport {
  readonly url: string;
  readonly #authorization: string;
  readonly #options: Required<Options>;

  constructor(url: string, key: string, options: Options) {
    if (!/^[!-~]+$/.test(key)) throw new TypeError('the key is empty, or has a character that no key has');
    const parts = URL.canParse(url) ? new URL(url) : undefined;
    if (!parts || !/^https?:$/.test(parts.protocol) || parts.username || parts.search || parts.hash)
      throw new TypeError('url must be like https://agents.example.org, without user name and query');
    this.url = url.replace(/\/+$/, '').replace(/\/rest\/v1$/, '') + '/rest/v1';
    this.#authorization = `ApiKey ${key}`;
    this.#options = { timeout: 60_000, attempts: 6, fetch: (...args) => fetch(...args), sleep, ...options };
  }

  /** Sends a request, and once more where it can be repeated: reads, what has an Idempotency-Key, and what says so (`again`). */
  async call<T>(method: string, path: string, call: Call = {}): Promise<T> {
    const attempts = call.again || call.idempotencyKey || method === 'GET' ? this.#options.attempts : 1;
    for (let attempt = 1; ; attempt++) {
      try {
        const headers = { Accept: 'application/json', ...(call.idempotencyKey && { 'Idempotency-Key': call.idempotencyKey }) };
        const text = await this.#open(method, path, call, headers, this.#options.timeout, (answer) => answer.text());
        return (text ? JSON.parse(text) : undefined) as T;
      } catch (error) {
        const refused = error instanceof ApiError;
        const pausing = pause(attempt, refused ? error.retryAfter : undefined);
        const over = attempt >= attempts || pausing > LONGEST_PAUSE || call.signal?.aborted;
        if (over || !(refused ? RETRIED.includes(error.status) : error instanceof ConnectionFailed)) throw error;
        await this.sleep(pausing, call.signal);
      }
    }
  }

  sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    return this.#options.sleep(milliseconds, signal);
  }

  /** The items of all pages. */
  async *pages<T>(path: string, query: Query): AsyncGenerator<T> {
    for (let more: Query | undefined = query; more; ) {
      const page: { items: T[]; _links: { next?: { href: string } } } = await this.call('GET', path, { query: more });
      yield* page.items;
      more = page._links.next && parameters(page._links.next.href);
    }
  }

  /** What happens, over as many connections as it takes. */
  async *events(path: string, after: string | undefined, types: string[] | undefined, signal?: AbortSignal): AsyncGenerator<RawEvent> {
    for (let failures = 0; ; ) {
      let cut: Error = new ConnectionFailed(`${path}: the stream was cut`);
      const quiet = new AbortController();
      let timer = setTimeout(() => quiet.abort(), QUIET);
      const stop = () => quiet.abort(signal?.reason);
      signal?.addEventListener('abort', stop);
      try {
        signal?.throwIfAborted();
        const headers = { Accept: 'text/event-stream', ...(after && { 'Last-Event-ID': after }) };
        const body = await this.#open('GET', path, { query: { types }, signal: quiet.signal }, headers, undefined, async (answer) => answer.body!);
        for await (const event of frames(body)) {
          clearTimeout(timer);
          timer = setTimeout(() => quiet.abort(), QUIET);
          if ((event.id ?? after) !== after || event.type === 'heartbeat') failures = 0;
          after = event.id ?? after;
          if (event.type === 'end' && ['final', 'deleted'].includes(String(event.data.reason))) return;
          if (event.type === 'end' && ['wait', 'size'].includes(String(event.data.reason))) failures = 0;
          if (event.type !== 'end' && event.type !== 'heartbeat') yield event;
        }
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof ApiError ? !RETRIED.includes(error.status) : error instanceof SyntaxError) throw error;
        if (error instanceof ApiError) cut = error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        quiet.abort();
      }
      if (++failures >= this.#options.attempts) throw cut;
      await this.sleep(pause(failures, cut instanceof ApiError ? cut.retryAfter : undefined), signal);
    }
  }

  /** Fetches a signed link without the key, and holds what comes to its sha256. */
  async download(artifact: Artifact): Promise<Uint8Array<ArrayBuffer>> {
    let content: ArrayBuffer;
    try {
      const answer = await this.#options.fetch(artifact.url, { signal: AbortSignal.timeout(this.#options.timeout) });
      if (!answer.ok) throw new DownloadFailed(`${artifact.file_name}: the download was refused with ${answer.status}`);
      content = await answer.arrayBuffer();
    } catch (error) {
      throw error instanceof DownloadFailed ? error : new DownloadFailed(`${artifact.file_name}: the download was cut`);
    }
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', content));
    if (Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('') !== artifact.sha256)
      throw new DownloadFailed(`${artifact.file_name}: what came is not what was recorded`);
    return new Uint8Array(content);
  }

  /** Redirects are not followed: the service has none, and whatever sends one must not get the key. */
  async #open<T>(method: string, path: string, call: Call, headers: Record<string, string>, timeout: number | undefined, read: (answer: Response) => Promise<T>): Promise<T> {
    const limits = [...(call.signal ? [call.signal] : []), ...(timeout ? [AbortSignal.timeout(timeout)] : [])];
    try {
      const answer = await this.#options.fetch(this.url + path + search(call.query), {
        method,
        redirect: 'manual',
        signal: AbortSignal.any(limits),
        headers: { ...headers, Authorization: this.#authorization, ...(call.body !== undefined && { 'Content-Type': 'application/json' }) },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
      if (!answer.ok) throw await refusal(answer);
      return await read(answer);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      call.signal?.throwIfAborted();
      throw new ConnectionFailed(`${method} ${path}: ${error instanceof Error ? error.name : 'failed'}`);
    }
  }
}

async function refusal(answer: Response): Promise<ApiError> {
  const text = await answer.text().catch(() => '');
  let problem: unknown;
  try {
    problem = JSON.parse(text);
  } catch {
    problem = {};
  }
  const after = answer.headers.get('Retry-After') ?? '';
  const known = problem !== null && typeof problem === 'object' ? (problem as Record<string, unknown>) : {};
  return new (BY_STATUS[answer.status] ?? ApiError)(answer.status, known, /^\d+$/.test(after) ? Number(after) : undefined);
}

/** Server-sent events, as the HTML standard reads them, each with its own id only. What is cut in the middle is left out. */
async function* frames(body: ReadableStream<Uint8Array>): AsyncGenerator<RawEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop()!;
    for (const block of blocks) {
      const lines = block.split(/\r?\n/).map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
      const all = (name: string) => lines.filter((line) => line[1] === name).map((line) => line[2]!);
      const [type] = all('event');
      const [id] = all('id');
      if (type) yield { type, data: JSON.parse(all('data').join('\n') || '{}'), ...(id !== undefined && { id }) };
    }
  }
}

function search(query: Query = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) => [value ?? []].flat().map((each) => [name, String(each)]));
  return entries.length ? `?${new URLSearchParams(entries)}` : '';
}

function parameters(href: string): Query {
  const found = new URL(href).searchParams;
  return Object.fromEntries([...found.keys()].map((name) => [name, found.getAll(name)]));
}

function pause(attempt: number, retryAfter = 0): number {
  return Math.max(retryAfter * 1000, Math.min(250 * 2 ** attempt, 8000) * (0.5 + Math.random() / 2));
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => (clearTimeout(timer), reject(signal?.reason));
    const timer = setTimeout(() => (signal?.removeEventListener('abort', stop), resolve()), milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
