import { html, nothing, Part } from '../page/part.js';
import { download, get } from '../page/api.js';
import { files } from '../text/diff.js';
import { plain } from '../text/text.js';

const MOST_OPEN = 8;
const MOST_LINES = 400;

/** A patch as a readable diff, with a part for each file that opens and closes. */
class PatchView extends Part {
  static properties = { sessionId: {}, patch: { attribute: false }, files: { state: true }, problem: { state: true }, url: { state: true }, whole: { state: true } };
  #abort = new AbortController();

  constructor() {
    super();
    this.sessionId = '';
    this.patch = null;
    this.files = null;
    this.problem = '';
    this.url = '';
    this.whole = new Set();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#abort.abort();
  }

  willUpdate(changed) {
    if (changed.has('patch') && changed.get('patch')?.id !== this.patch.id) this.#load();
  }

  render() {
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (!this.files) return html`<p class="lead" aria-busy="true">Loading…</p>`;
    return html`<p class="choices"><button class="button quiet" @click=${() => this.#all(true)}>Open all</button><button class="button quiet" @click=${() => this.#all(false)}>Close all</button>
        <span class="space"></span><a href=${this.url} download>Download the patch</a></p>
      ${this.files.map((file, at) => this.#file(file, at))}`;
  }

  #file(file, at) {
    const isWhole = this.whole.has(file.path);
    const lines = isWhole ? file.lines : file.lines.slice(0, MOST_LINES);
    return html`<details class="file" ?open=${at < MOST_OPEN && file.lines.length <= MOST_LINES}>
      <summary><bdi class="mono">${plain(file.path)}</bdi>${file.note ? html`<span>${plain(file.note)}</span>` : nothing}
        ${file.added ? html`<span class="plus">+${file.added}</span>` : nothing}${file.removed ? html`<span class="minus">−${file.removed}</span>` : nothing}</summary>
      ${lines.length ? html`<pre class="diff" tabindex="0" aria-label="Changes of ${plain(file.path)}">${lines.map((line) => html`<div class=${line.kind}>${plain(line.text)}</div>`)}</pre>` : nothing}
      ${lines.length < file.lines.length ? html`<button class="button quiet wide" @click=${() => this.#open(file.path)}>Show all ${file.lines.length} lines</button>` : nothing}
    </details>`;
  }

  #all(isOpen) {
    this.querySelectorAll('details').forEach((each) => (each.open = isOpen));
  }

  #open(path) {
    this.whole = new Set([...this.whole, path]);
  }

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const record = this.patch.url ? this.patch : await get(`sessions/${this.sessionId}/artifacts/${this.patch.id}`, { signal });
      const text = await (await download(record.url, signal)).text();
      Object.assign(this, { url: record.url, files: files(text), problem: '' });
    } catch (fault) {
      if (!signal.aborted) this.problem = fault.message;
    }
  }
}
customElements.define('patch-view', PatchView);
