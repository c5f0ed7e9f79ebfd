/** The live events of a session by polling, for a service without event streams. */
import { get, isFinal } from './api.js';
import { connection } from './connection.js';

const USUAL_SECONDS = 5;
const FIRST_SECONDS = 2;
const ROUNDS_WHEN_IDLE = 3;

/** @param {import('./events.js').Following} following */
export async function poll({ sessionId, newMessages, on, signal }) {
  const state = { session: null, thread: null, next: newMessages, round: 0 };
  while (!signal.aborted) {
    try {
      await round(sessionId, state, on, signal);
    } catch (fault) {
      if (signal.aborted || isFinal(fault)) return;
    }
    const isFresh = state.session?.status === 'working' && state.round < 10;
    await connection.pause(1000 * (isFresh ? FIRST_SECONDS : USUAL_SECONDS), signal);
  }
}

async function round(sessionId, state, on, signal) {
  const known = state.session;
  const page = await get(state.next, { signal });
  for (const data of page.items) on({ type: 'message.created', data });
  state.next = page._links.new_messages.href;
  state.round = page.items.some((item) => item.role === 'user') ? 0 : state.round + 1;
  if (known && page.items.length === 0 && known.status === 'idle' && state.round % ROUNDS_WHEN_IDLE) return;
  const session = await get(`sessions/${sessionId}`, { signal });
  if (JSON.stringify(session) === JSON.stringify(known) && session.status !== 'working') return;
  state.session = session;
  on({ type: 'session.updated', data: session });
  await threads(sessionId, known?.thread_id, session.thread_id, state, on, signal);
  if (session.permissions) await requests(sessionId, on, signal);
}

async function requests(sessionId, on, signal) {
  const page = await get(`sessions/${sessionId}/requests`, { signal });
  for (const data of page.items) on({ type: `request.${data.status}`, data });
}

async function threads(sessionId, before, now, state, on, signal) {
  const ids = before && before !== now ? [before, now] : [now];
  for (const id of ids) {
    const thread = await get(`sessions/${sessionId}/threads/${id}`, { signal });
    const seen = JSON.stringify(thread);
    if (seen !== state.thread) on({ type: `thread.${thread.status}`, data: thread });
    state.thread = seen;
  }
}
