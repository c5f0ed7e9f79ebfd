import { html, nothing, Part } from '../page/part.js';
import { get, post } from '../page/api.js';
import { connection } from '../page/connection.js';
import { moment } from '../text/text.js';

const FIRST_ROUNDS = 5;

/** The button that exports a session: has one file made of it, waits for that, and downloads it. */
class ExportButton extends Part {
  static properties = { sessionId: {}, changed: {}, made: { state: true }, isWorking: { state: true }, problem: { state: true } };

  #waiting = new AbortController();

  constructor() {
    super();
    this.sessionId = '';
    this.changed = '';
    this.#forget();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#forget();
  }

  /** A file of what the session was before is not what is asked for now. */
  willUpdate(now) {
    if (now.has('sessionId') || (now.has('changed') && this.made)) this.#forget();
  }

  #forget() {
    this.#waiting.abort();
    this.#waiting = new AbortController();
    this.made = null;
    this.isWorking = false;
    this.problem = '';
  }

  render() {
    return html`<p class="choices"><button class="button" ?disabled=${this.isWorking} @click=${this.#export}>${this.isWorking ? 'Packing…' : 'Export'}</button>
        <span role="status">${this.made ? html`<a href=${this.made.url} download>The whole session as a zip</a>` : nothing}</span></p>
      ${this.made ? html`<p class="lead">Whoever has this link can read all of it, until ${moment(this.made.expires_at)}.</p>` : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}`;
  }

  async #export() {
    const { signal } = this.#waiting;
    this.isWorking = true;
    await this.attempt(async () => (this.made = await packed(this.sessionId, signal)));
    if (signal.aborted) {
      this.problem = '';
      return;
    }
    this.isWorking = false;
    await this.updateComplete;
    this.querySelector('a')?.click();
  }
}

/** @param {string} sessionId @param {AbortSignal} signal */
async function packed(sessionId, signal) {
  let made = await post(`sessions/${sessionId}/exports`, undefined, { signal });
  for (let round = 0; made.status === 'working'; round++) {
    await connection.pause(round < FIRST_ROUNDS ? 1000 : 5000, signal);
    signal.throwIfAborted();
    made = await get(`sessions/${sessionId}/exports/${made.id}`, { signal });
  }
  if (made.status === 'failed') throw new Error('It could not be packed. Export it again: what failed is begun anew.');
  return made;
}
customElements.define('export-button', ExportButton);
