/** The sessions of which the browser tells when a turn ends or waits for a person, chosen one by one, and kept while the tab lives. */
const NAME = 'watched';
const watched = new Set(JSON.parse(sessionStorage.getItem(NAME) ?? '[]'));

/** @param {string} id */
export const isWatched = (id) => watched.has(id);

export const isAnyWatched = () => watched.size > 0;

/**
 * Watches a session. The browser asks its user, if it has not yet.
 * @param {string} id
 * @returns {Promise<boolean>} whether it may tell anything
 */
export async function watch(id) {
  if (!('Notification' in globalThis)) return false;
  const answer = Notification.permission === 'default' ? await Notification.requestPermission() : Notification.permission;
  if (answer === 'granted') keep(watched.add(id));
  return answer === 'granted';
}

/** @param {string} id */
export function unwatch(id) {
  watched.delete(id);
  keep(watched);
}

const keep = (all) => sessionStorage.setItem(NAME, JSON.stringify([...all]));

/**
 * Tells what became of a watched session, of which one message stands at a time.
 * @param {string} id
 * @param {{title: string, body: string, address: string}} news
 */
export function tellWatcher(id, { title, body, address }) {
  if (!watched.has(id)) return;
  try {
    const message = new Notification(title, { body, tag: id });
    message.onclick = () => {
      focus();
      location.hash = address;
      message.close();
    };
  } catch {
    // Some browsers take messages from service workers only.
  }
}
