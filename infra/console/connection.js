/** Whether the service can be reached, which tells `change`, and whether it has asked to wait, which tells `wait`: for the bar that says so. */
class Connection extends EventTarget {
  isLost = false;
  #waiting = 0;

  lost() {
    this.#turn(true);
  }

  back() {
    this.#turn(false);
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
