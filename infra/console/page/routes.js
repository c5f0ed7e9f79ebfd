/** The addresses of views, in the fragment after `#`, which browsers send to no server. */

const REQUESTS = 'requests';

/**
 * @typedef {{view: 'home' | 'session' | 'new' | 'inbox' | 'settings' | 'usage', id: string, tab: string, item: string, request: string}} Route
 * @param {string} hash
 * @returns {Route}
 */
export function route(hash) {
  const [view, id = '', tab = '', item = ''] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  if (view === 'sessions' && id && tab === REQUESTS) return { view: 'session', id, tab: '', item: '', request: item };
  if (view === 'sessions' && id) return { view: 'session', id, tab, item, request: '' };
  if (view === 'new' || view === 'inbox' || view === 'settings' || view === 'usage') return { view, id: '', tab: id, item: '', request: '' };
  return { view: 'home', id: '', tab: '', item: '', request: '' };
}

/** @param {string} id @param {string[]} rest a tab of its panel, and what is open there */
export const sessionAddress = (id, ...rest) =>
  `#/${['sessions', id, ...rest].filter(Boolean).map(encodeURIComponent).join('/')}`;

/** @param {{id: string, session_id: string}} request */
export const requestAddress = ({ id, session_id: session }) => sessionAddress(session, REQUESTS, id);

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
