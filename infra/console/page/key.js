/** The storage of the API key: this tab, or this browser if the user wants it. Never an address. */

const NAME = `agent-sessions key ${new URL('../../..', import.meta.url).pathname}`;

/** @returns {string} the key, or nothing */
export function storedKey() {
  return sessionStorage.getItem(NAME) ?? localStorage.getItem(NAME) ?? '';
}

/**
 * @param {string} key
 * @param {boolean} inBrowser whether it outlives the tab
 */
export function keepKey(key, inBrowser) {
  forgetKey();
  (inBrowser ? localStorage : sessionStorage).setItem(NAME, key);
}

export function forgetKey() {
  sessionStorage.removeItem(NAME);
  localStorage.removeItem(NAME);
}
