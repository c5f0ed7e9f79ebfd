import { html } from '../page/part.js';
import { span, TimeText } from '../text/elapsed-time.js';
import { clock } from '../text/text.js';

const DAY = 86_400;

const left = (seconds) => (seconds < 2 * DAY ? span(seconds) : `${Math.floor(seconds / DAY)} days`);

/** The time until a moment, for the eye; who listens is told the moment, once. */
class RemainingTime extends TimeText {
  static properties = { until: {} };

  constructor() {
    super();
    this.until = '';
  }

  render() {
    const seconds = Math.ceil((Date.parse(this.until) - Date.now()) / 1000);
    return html`<span aria-hidden="true">${seconds > 0 ? `expires in ${left(seconds)}` : 'expires now'}</span><span class="unseen">expires at ${clock(this.until)}</span>`;
  }
}
customElements.define('remaining-time', RemainingTime);
