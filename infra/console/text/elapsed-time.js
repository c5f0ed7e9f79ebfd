import { Part } from '../page/part.js';
import { duration } from './text.js';

/** A text that changes with the time, each second. */
export class TimeText extends Part {
  #timer = 0;

  connectedCallback() {
    super.connectedCallback();
    this.#timer = setInterval(() => this.requestUpdate(), 1000);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearInterval(this.#timer);
  }
}

/** @param {number} seconds */
export const span = (seconds) => (seconds < 60 ? `${seconds} s` : duration(1000 * seconds));

/** The elapsed time since a moment. */
class ElapsedTime extends TimeText {
  static properties = { since: {} };

  constructor() {
    super();
    this.since = '';
  }

  render() {
    const seconds = Math.floor((Date.now() - Date.parse(this.since)) / 1000);
    return this.since ? span(Math.max(0, seconds)) : '';
  }
}
customElements.define('elapsed-time', ElapsedTime);
