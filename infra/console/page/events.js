/** The live events of a session, read from its event stream, which is resumed after the last event when it breaks. */
import { ask, isFinal, refused } from './api.js';
import { connection, retryDelay } from './connection.js';
import { events } from './event-parser.js';

/** A gateway that does not stream ends each answer: this keeps to twenty requests a minute. */
const LEAST_BETWEEN = 3_200;
/** The service says something every ten seconds; after thrice that the connection is dead without having ended. */
const LONGEST_SILENCE = 35_000;

/**
 * @typedef {{id?: string, type: string, data: any}} Happening
 * @typedef {{sessionId: string, after: string, newMessages: string, on: (happening: Happening) => void, signal: AbortSignal}} Following
 */

/**
 * Follows a session until `signal` ends it or the session is no more.
 * @param {Following} following `after` is the cursor of what is known; without one it is polled by `newMessages`
 */
export async function follow(following) {
  if (!following.after) return (await import('./polling.js')).poll(following);
  let cursor = following.after;
  let failures = 0;
  while (!following.signal.aborted) {
    const began = performance.now();
    try {
      const end = await once(following, cursor, (id) => {
        cursor = id;
        failures = 0;
      });
      if (end === 'deleted' || end === 'key') return;
    } catch (fault) {
      if (following.signal.aborted || isFinal(fault)) return;
      failures++;
    }
    const rest = Math.max(LEAST_BETWEEN - (performance.now() - began), failures && retryDelay(failures));
    if (rest > 0) await connection.pause(rest, following.signal);
  }
}

/**
 * One stream, up to its end.
 * @param {Following} following
 * @param {string} after
 * @param {(id: string) => void} seen is told each cursor
 * @returns {Promise<string>} why it ended
 */
async function once({ sessionId, on, signal }, after, seen) {
  const silence = new Silence(signal);
  const answer = await ask('GET', `sessions/${sessionId}/events`, {
    query: { after },
    headers: { Accept: 'text/event-stream' },
    signal: silence.signal,
  });
  if (!answer.ok || !answer.body) throw await refused(answer);
  let end = '';
  try {
    for await (const event of events(answer.body)) {
      silence.broken();
      if (event.type === 'end') end = JSON.parse(event.data).reason;
      else if (event.type !== 'heartbeat') on({ ...event, data: JSON.parse(event.data) });
      if (event.id) seen(event.id);
    }
  } catch (fault) {
    if (!signal.aborted) connection.lost();
    throw fault;
  } finally {
    silence.end();
  }
  return end;
}

/** Ends a connection on which nothing comes any more. */
class Silence {
  #abort = new AbortController();
  #timer = 0;

  /** @param {AbortSignal} outer */
  constructor(outer) {
    this.signal = AbortSignal.any([outer, this.#abort.signal]);
    this.broken();
  }

  broken() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#abort.abort(), LONGEST_SILENCE);
  }

  end() {
    clearTimeout(this.#timer);
  }
}
