/** The addresses of views, in the fragment after `#`, which browsers send to no server. */

/**
 * @typedef {{view: 'home' | 'session' | 'new' | 'settings' | 'usage', id: string, tab: string, item: string}} Route
 * @param {string} hash
 * @returns {Route}
 */
export function route(hash) {
  const [view, id = '', tab = '', item = ''] = hash.replace(/^#\/?/, '').split('/').map(decoded);
  if (view === 'sessions' && id) return { view: 'session', id, tab, item };
  if (view === 'new' || view === 'settings' || view === 'usage') return { view, id: '', tab: id, item: '' };
  return { view: 'home', id: '', tab: '', item: '' };
}

/** @param {string} id @param {string[]} rest a tab of its panel, and what is open there */
export const sessionAddress = (id, ...rest) =>
  `#/${['sessions', id, ...rest].filter(Boolean).map(encodeURIComponent).join('/')}`;

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
