/** The requests of the workspace that wait for a person. */
import { get } from '../page/api.js';

const MOST = 50;

/** Fires `change`, whose detail are those that came since it was asked last. */
class Pending extends EventTarget {
  /** @type {any[]} oldest first */
  items = [];
  hasMore = false;
  isLoaded = false;
  /** why nothing newer is known */ problem = '';
  #asked = 0;

  async load() {
    const asked = ++this.#asked;
    const page = await get('requests', { query: { limit: MOST } }).catch((fault) => ({ problem: fault.message }));
    if (asked !== this.#asked) return;
    this.problem = page.problem ?? '';
    if (this.problem) return this.#become(this.items);
    const known = new Set(this.items.map(({ id }) => id));
    const news = this.isLoaded ? page.items.filter(({ id }) => !known.has(id)) : [];
    this.isLoaded = true;
    this.hasMore = Boolean(page._links.next);
    this.#become(page.items, news);
  }

  /** One that waits no more. An answer that is on its way may still have it. @param {string} id */
  gone(id) {
    this.#asked++;
    this.#become(this.items.filter((item) => item.id !== id));
  }

  /** What the next key may see is asked anew. */
  forget() {
    this.#asked++;
    this.isLoaded = false;
    this.#become([]);
  }

  /** @returns {string} how many there are; nothing for none */
  get count() {
    return this.items.length ? `${this.items.length}${this.hasMore ? '+' : ''}` : '';
  }

  #become(items, news = []) {
    this.items = items;
    this.dispatchEvent(new CustomEvent('change', { detail: news }));
  }
}

export const pending = new Pending();
addEventListener('signed-out', () => pending.forget());
