/** The client of the public API. Responses are passed on unchanged. */
import { connection } from './connection.js';
import { forgetKey, storedKey } from './key.js';

const BASE = new URL('../../../rest/v1/', import.meta.url);
const TIMEOUT = 30_000;
const LONGEST_WAIT = 30_000;
/** The longest wait of a GET whose key has reached its rate limit; the page shows that it waits. */
const LONGEST_WAIT_FOR_KEY = 120_000;
const TOO_OFTEN = 'RATE_LIMITED';
const BUSY = new Set([429, 503]);

/** An error response of the API. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {{code?: string, message?: string, request_id?: string, details?: {field: string, message: string}[]}} problem
   */
  constructor(status, problem) {
    super(problem.message ?? `The service answered ${status}`);
    this.status = status;
    this.code = problem.code ?? '';
    this.requestId = problem.request_id ?? '';
    this.details = problem.details ?? [];
  }
}

/** Whether a repeated request would get the same response. @param {unknown} fault */
export const isFinal = (fault) => fault instanceof Refusal && fault.status < 429;

/** The failure of a request without a response. */
export class Unreachable extends Error {
  constructor() {
    super('The service cannot be reached. It is tried again as soon as you do.');
  }
}

/**
 * @typedef {{query?: Record<string, unknown>, body?: unknown, signal?: AbortSignal, headers?: Record<string, string>, key?: string}} Options
 */

/**
 * Where a link of an answer leads, from where this page is: the service may have other names than the one we came by.
 * @param {string} path below the API's base, or a link of an answer
 * @param {Record<string, unknown>} [query] an array is a repeated parameter; what is null or empty is left out
 */
export function address(path, query = {}) {
  const below = path.includes('/rest/v1/') ? path.slice(path.indexOf('/rest/v1/') + '/rest/v1/'.length) : path;
  const url = new URL(below, BASE);
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) {
      if (each !== undefined && each !== null && each !== '') url.searchParams.append(name, String(each));
    }
  }
  return url;
}

/**
 * One request, as it is: no repetition, and any status is an answer.
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 */
export async function ask(method, path, { query, body, signal, headers = {}, key = storedKey() } = {}) {
  const authorization = key ? { Authorization: `ApiKey ${key}` } : {};
  const content = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const { losses } = connection;
  try {
    const answer = await fetch(address(path, query), {
      method,
      headers: { ...authorization, ...content, ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
      cache: 'no-store',
    });
    connection.back(losses);
    return answer;
  } catch (fault) {
    if (signal?.aborted) throw fault;
    connection.lost();
    throw new Unreachable();
  }
}

/**
 * The JSON of an answer; what is refused is thrown. A busy service is asked again when it says so, for half a minute, and
 * what is read by a key that has used up its hundred a minute for two: it gets them back one by one.
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<any>}
 */
export async function call(method, path, options = {}) {
  /** @type {(() => void) | undefined} */
  let goOn;
  try {
    for (const began = performance.now(); ; ) {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), ...(options.signal ? [options.signal] : [])]);
      const answer = await ask(method, path, { ...options, signal }).catch((fault) => {
        throw options.signal?.aborted ? fault : new Unreachable();
      });
      if (answer.ok) return answer.status === 204 ? null : await answer.json();
      const refusal = await refused(answer);
      // what was refused together must not come back together
      const rest = 1000 * Number(answer.headers.get('Retry-After') ?? 1) * (1 + Math.random());
      const longest = method === 'GET' && refusal.code === TOO_OFTEN ? LONGEST_WAIT_FOR_KEY : LONGEST_WAIT;
      const isOver = performance.now() - began + rest > longest;
      if (!BUSY.has(answer.status) || isOver || refusal.code === 'TOO_MANY_TURNS') throw refusal;
      if (refusal.code === TOO_OFTEN) goOn ??= connection.waits();
      await connection.pause(rest, options.signal);
    }
  } finally {
    goOn?.();
  }
}

/** @param {Response} answer */
export async function refused(answer) {
  const refusal = new Refusal(answer.status, await answer.json().catch(() => ({})));
  if (answer.status === 401 && storedKey()) {
    forgetKey();
    dispatchEvent(new Event('signed-out'));
  }
  return refusal;
}

/** @param {string} path @param {Options} [options] */
export const get = (path, options) => call('GET', path, options);

/** @param {string} path @param {unknown} body @param {Options} [options] */
export const post = (path, body, options) => call('POST', path, { ...options, body });

/**
 * Texts of what an agent made come by a link that needs no key, and must get none.
 * @param {string} url
 * @param {AbortSignal} [signal]
 */
export async function download(url, signal) {
  try {
    const answer = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
    if (answer.ok) return answer;
  } catch (fault) {
    if (signal?.aborted) throw fault;
  }
  throw new Error('The file cannot be read here. Its link may have ended: load the page again, or download it.');
}

/**
 * A file is put by a link that needs no key, and must get none.
 * @param {string} url
 * @param {Record<string, string>} headers that the link asks for
 * @param {File} file
 */
export async function put(url, headers, file) {
  // A slice has no type: the browser would tell it, and it is not signed.
  const request = { method: 'PUT', headers, body: file.slice(), credentials: /** @type {const} */ ('omit'), referrerPolicy: /** @type {const} */ ('no-referrer') };
  const answer = await fetch(url, request).catch(() => null);
  if (!answer?.ok) throw new Error(`${file.name} could not be uploaded${answer ? ` (status ${answer.status})` : ''}. Try again.`);
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** A key under which a request is done once, however often it is sent. */
export const onceOnly = () => hex(crypto.getRandomValues(new Uint8Array(16)));
