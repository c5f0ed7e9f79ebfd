/** Whether the service can be reached, for the bar that says so. Tells `change` when that turns. */
class Connection extends EventTarget {
  isLost = false;

  lost() {
    this.#turn(true);
  }

  back() {
    this.#turn(false);
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
