const LONGEST_DELAY = 20_000;

/** The state of the connection to the service. Fires `change` when it is lost or back, and `wait` when a request waits for a rate limit. */
class Connection extends EventTarget {
  isLost = false;
  /** how often it was lost, for `back` */
  losses = 0;
  #waiting = 0;

  lost() {
    this.losses++;
    this.#turn(true);
  }

  /** An answer came. @param {number} losses when it was asked for: one that was on its way since before says nothing of now */
  back(losses) {
    if (losses === this.losses) this.#turn(false);
  }

  /** whether a request waits because its key has made too many */
  get isWaiting() {
    return this.#waiting > 0;
  }

  /** A request waits, until what is returned is called. */
  waits() {
    this.#count(1);
    return () => this.#count(-1);
  }

  #count(change) {
    this.#waiting += change;
    this.dispatchEvent(new Event('wait'));
  }

  #turn(isLost) {
    if (this.isLost !== isLost) {
      this.isLost = isLost;
      this.dispatchEvent(new Event('change'));
    }
  }

  /**
   * Waits until it is worth asking again: the time is over, or the browser says that the network is back.
   * @param {number} milliseconds
   * @param {AbortSignal} [signal] ends the wait
   */
  async pause(milliseconds, signal) {
    const over = new AbortController();
    await new Promise((done) => {
      setTimeout(done, milliseconds);
      addEventListener('online', done, { signal: over.signal });
      signal?.addEventListener('abort', done, { signal: over.signal });
    });
    over.abort();
  }
}

export const connection = new Connection();

/** How long to rest before what has failed so often is tried again, in milliseconds. @param {number} failures */
export const retryDelay = (failures) => Math.min(1000 * 2 ** failures, LONGEST_DELAY);
