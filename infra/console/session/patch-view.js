import '../text/file-diff.js';
import { html, Part } from '../page/part.js';
import { download, get } from '../page/api.js';
import { decoded, files } from '../text/diff.js';

const MOST_OPEN = 8;

/** A patch as a readable diff, with a part for each file that opens and closes. */
class PatchView extends Part {
  static properties = {
    sessionId: {},
    patch: { attribute: false },
    folder: {},
    mayWrite: { type: Boolean },
    files: { state: true },
    problem: { state: true },
    url: { state: true },
  };
  #abort = new AbortController();

  constructor() {
    super();
    this.sessionId = '';
    this.patch = null;
    this.folder = '';
    this.mayWrite = true;
    this.files = null;
    this.problem = '';
    this.url = '';
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
      ${this.files.map((file, at) => html`<file-diff .file=${file} .folder=${this.folder} .isOpen=${at < MOST_OPEN} .mayWrite=${this.mayWrite}></file-diff>`)}`;
  }

  #all(isOpen) {
    this.querySelectorAll('details').forEach((each) => (each.open = isOpen));
  }

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    try {
      const record = this.patch.url ? this.patch : await get(`sessions/${this.sessionId}/artifacts/${this.patch.id}`, { signal });
      const bytes = new Uint8Array(await (await download(record.url, signal)).arrayBuffer());
      Object.assign(this, { url: record.url, files: files(decoded(bytes)), problem: '' });
    } catch (fault) {
      if (!signal.aborted) this.problem = fault.message;
    }
  }
}
customElements.define('patch-view', PatchView);
