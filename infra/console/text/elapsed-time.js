import { Part } from '../page/part.js';
import { duration } from './text.js';

/** The elapsed time since a moment, updated each second. */
class ElapsedTime extends Part {
  static properties = { since: {} };
  #timer = 0;

  constructor() {
    super();
    this.since = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.requestUpdate(), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }

  render() {
    const seconds = Math.floor((Date.now() - Date.parse(this.since)) / 1000);
    return this.since ? (seconds < 60 ? `${Math.max(0, seconds)} s` : duration(seconds * 1000)) : '';
  }
}
customElements.define('elapsed-time', ElapsedTime);
