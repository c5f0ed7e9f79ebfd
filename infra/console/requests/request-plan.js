import '../text/file-preview.js';
import { html, Part } from '../page/part.js';
import { get } from '../page/api.js';

/** The plan that is to be decided on, rendered. */
class RequestPlan extends Part {
  static properties = { sessionId: {}, artifactId: {}, artifact: { state: true }, problem: { state: true } };

  constructor() {
    super();
    this.sessionId = '';
    this.artifactId = '';
    this.artifact = null;
    this.problem = '';
  }

  willUpdate(changed) {
    if (changed.has('artifactId')) this.#load();
  }

  #load() {
    return this.attempt(async () => (this.artifact = await get(`sessions/${this.sessionId}/artifacts/${this.artifactId}`)), () => this.#load());
  }

  render() {
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    return this.artifact ? html`<file-preview .artifact=${this.artifact}></file-preview>` : html`<p class="lead" aria-busy="true">Loading…</p>`;
  }
}
customElements.define('request-plan', RequestPlan);
