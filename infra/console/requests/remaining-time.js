import { html, Part } from '../page/part.js';
import { clock, duration } from '../text/text.js';

/** The time until a moment, updated each second for the eye; who listens is told the moment, once. */
class RemainingTime extends Part {
  static properties = { until: {} };
  #timer = 0;

  constructor() {
    super();
    this.until = '';
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
    const seconds = Math.ceil((Date.parse(this.until) - Date.now()) / 1000);
    return html`<span aria-hidden="true">${seconds > 0 ? `expires in ${left(seconds)}` : 'expires now'}</span><span class="unseen">expires at ${clock(this.until)}</span>`;
  }
}

const left = (seconds) => (seconds < 60 ? `${seconds} s` : duration(1000 * seconds));
customElements.define('remaining-time', RemainingTime);
