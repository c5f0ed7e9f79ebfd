/** A preload of the address's session, while the modules that show it are still loading. */
import { storedKey } from '../page/key.js';
import { route } from '../page/routes.js';
import { SessionState } from './session-state.js';

/** @type {SessionState | null} */
let begun = null;
const { id: named } = route(location.hash);
if (named && storedKey()) begun = opened(named);

/** Is over when that session is there, or after a second: what is asked besides must not keep it waiting. */
export const settled = begun ? first(begun) : Promise.resolve();

/** @param {SessionState} session */
function first(session) {
  return new Promise((done) => {
    session.addEventListener('change', () => (session.isLoaded || session.problem) && done(undefined));
    setTimeout(done, 1000);
  });
}

/**
 * A session that is loaded and followed until somebody closes it.
 * @param {string} id
 */
export function opened(id) {
  const ahead = begun;
  begun = null;
  if (ahead?.id === id && !ahead.problem) return ahead;
  ahead?.close();
  const state = new SessionState(id);
  state.open();
  return state;
}
