import { html, nothing, Part } from '../page/part.js';
import { isWatched, unwatch, watch } from '../page/watches.js';

/** The switch for messages of the browser when a turn of the session ends, or waits for a person. */
class WatchButton extends Part {
  static properties = { sessionId: {}, isRefused: { state: true } };

  constructor() {
    super();
    this.sessionId = '';
    this.isRefused = false;
  }

  render() {
    return html`<button class="button quiet" aria-pressed=${isWatched(this.sessionId)} title="When a turn of this session ends, or waits for you" @click=${this.#turn}>Notify me</button>
      ${this.isRefused ? html`<span class="problem" role="alert">This browser does not allow it.</span>` : nothing}`;
  }

  async #turn() {
    if (isWatched(this.sessionId)) unwatch(this.sessionId);
    else this.isRefused = !(await watch(this.sessionId));
    this.requestUpdate();
  }
}
customElements.define('watch-button', WatchButton);
