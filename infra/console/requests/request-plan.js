import { html, Part } from '../page/part.js';
import { download, get } from '../page/api.js';
import { isShown } from '../text/markdown.js';
import { isProse } from '../text/message-text.js';
import { plain } from '../text/text.js';

/** The plan that is to be decided on, rendered; and its source, which is open where the rendered plan does not say all of it. */
class RequestPlan extends Part {
  static properties = { sessionId: {}, artifactId: {}, plan: { state: true }, problem: { state: true } };

  constructor() {
    super();
    this.sessionId = '';
    this.artifactId = '';
    /** @type {{text: string, isMarkdown: boolean} | null} */
    this.plan = null;
    this.problem = '';
  }

  willUpdate(changed) {
    if (changed.has('artifactId')) this.#load();
  }

  #load() {
    return this.attempt(async () => {
      const artifact = await get(`sessions/${this.sessionId}/artifacts/${this.artifactId}`);
      const text = plain(await (await download(artifact.url)).text());
      this.plan = { text, isMarkdown: /\.md$/i.test(artifact.file_name) && isProse(text) };
    }, () => this.#load());
  }

  render() {
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (!this.plan) return html`<p class="lead" aria-busy="true">Loading…</p>`;
    const { text, isMarkdown } = this.plan;
    return isMarkdown ? this.#rendered(text) : html`<message-text .text=${text} isOutput></message-text>`;
  }

  #rendered(text) {
    const isAll = isShown(text);
    return html`<message-text .text=${text}></message-text>
      <details class="source" ?open=${!isAll}>
        <summary>${isAll ? 'Source' : 'Source, which says more than what is shown above'}</summary>
        <message-text .text=${text} isOutput></message-text></details>`;
  }
}
customElements.define('request-plan', RequestPlan);
