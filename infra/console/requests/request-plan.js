import { html, nothing, Part } from '../page/part.js';
import { download, get } from '../page/api.js';
import { decoded } from '../text/diff.js';
import { sha256 } from '../text/digest.js';
import { isShown } from '../text/markdown.js';
import { isProse } from '../text/message-text.js';
import { exact } from '../text/text.js';

/**
 * The plan that is to be decided on: rendered where that says all of it, else as it is written; and the other way on demand. Tells as `seen`
 * whether it was shown, and is the one that is asked about.
 */
class RequestPlan extends Part {
  static properties = { request: { attribute: false }, plan: { state: true }, isRendered: { state: true }, problem: { state: true } };

  constructor() {
    super();
    /** @type {any} */
    this.request = null;
    /** @type {{text: string, isMarkdown: boolean} | null} */
    this.plan = null;
    this.isRendered = false;
    this.problem = '';
  }

  willUpdate(changed) {
    if (!changed.has('request') || changed.get('request')?.fingerprint === this.request.fingerprint) return;
    this.plan = null;
    this.#load();
  }

  #load() {
    const { session_id: session, plan_artifact_id: plan, fingerprint } = this.request;
    return this.attempt(async () => {
      const artifact = await get(`sessions/${session}/artifacts/${plan}`);
      const bytes = new Uint8Array(await (await download(artifact.url)).arrayBuffer());
      if (fingerprint !== this.request.fingerprint) return;
      if (sha256(bytes) !== fingerprint) throw new Error('What was loaded is not the plan that is asked about. Load the page again.');
      const text = exact(decoded(bytes));
      const isMarkdown = /\.md$/i.test(artifact.file_name) && isProse(text);
      Object.assign(this, { plan: { text, isMarkdown }, isRendered: isMarkdown && isShown(text) });
    }, () => this.#load());
  }

  updated(changed) {
    if (changed.has('plan')) this.tell('seen', Boolean(this.plan));
  }

  render() {
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (!this.plan) return html`<p class="lead" aria-busy="true">Loading…</p>`;
    const { text, isMarkdown } = this.plan;
    return html`<message-text .text=${text} ?isOutput=${!this.isRendered} .isWhole=${true}></message-text>
      ${isMarkdown ? html`<button class="button quiet" @click=${this.#turned}>${this.isRendered ? 'As it is written' : 'Rendered, which may say less'}</button>` : nothing}`;
  }

  #turned() {
    this.isRendered = !this.isRendered;
  }
}
customElements.define('request-plan', RequestPlan);
