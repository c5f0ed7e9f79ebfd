import './message-text.js';
import { html, nothing, Part } from '../page/part.js';
import { download } from '../page/api.js';
import { plain, size } from './text.js';

const LARGEST = 5 * 1024 * 1024;
const MOST_CELLS = 20_000;
const PICTURES = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

/** The preview of a file that can be shown without running it; otherwise its size and a link. */
class FilePreview extends Part {
  static properties = { artifact: { attribute: false }, content: { state: true }, problem: { state: true } };
  #abort = new AbortController();
  #url = '';

  constructor() {
    super();
    this.artifact = null;
    this.content = null;
    this.problem = '';
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#abort.abort();
    this.#release();
  }

  willUpdate(changed) {
    if (changed.get('artifact')?.id !== this.artifact.id && changed.has('artifact')) this.#load();
  }

  render() {
    if (kind(this.artifact) === 'none') return html`<p class="lead">Of this kind of file there is no preview.</p>`;
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    if (!this.content) return html`<p class="lead" aria-busy="true">Loading…</p>`;
    return this.#shown();
  }

  #shown() {
    const { shape, text, url } = this.content;
    switch (shape) {
      case 'picture':
        return html`<img class="picture" src=${url} alt=${plain(this.artifact.file_name)}>`;
      case 'page':
        return html`<iframe class="framed" sandbox="" src=${url} title=${`${plain(this.artifact.file_name)}, without its scripts`}></iframe>`;
      case 'markdown':
        return html`<message-text .text=${text}></message-text>`;
      case 'table':
        return table(text);
      case 'code':
        return html`<code-text .text=${text} .language=${ending(this.artifact)}></code-text>`;
      default:
        return html`<message-text .text=${text} isOutput></message-text>`;
    }
  }

  async #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#release();
    Object.assign(this, { content: null, problem: '' });
    const shape = kind(this.artifact);
    if (shape === 'none') return;
    try {
      const answer = await download(this.artifact.url, this.#abort.signal);
      this.content = await this.#read(shape, answer);
    } catch (fault) {
      if (!this.#abort.signal.aborted) this.problem = fault.message;
    }
  }

  async #read(shape, answer) {
    if (shape === 'picture' || shape === 'page') {
      this.#url = URL.createObjectURL(await answer.blob());
      return { shape, url: this.#url, text: '' };
    }
    const text = await answer.text();
    return { shape: shape === 'text' && (await this.#isCode(text)) ? 'code' : shape, url: '', text };
  }

  async #isCode(text) {
    const code = await import('../text/code-text.js').catch(() => null);
    return code?.isColoured(ending(this.artifact), text) ?? false;
  }

  #release() {
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = '';
  }
}

/** @param {any} artifact */
export const bytes = (artifact) => artifact.file_size_in_kb * 1024;

/** What stands behind the last dot; of a name without any, all of it. @param {any} artifact */
const ending = (artifact) => artifact.file_name.split('.').at(-1);

/** @param {any} artifact */
function kind(artifact) {
  const type = artifact.mime_type.split(';')[0];
  const name = artifact.file_name.toLowerCase();
  if (bytes(artifact) > LARGEST) return 'none';
  if (PICTURES.test(type)) return 'picture';
  if (type === 'text/html' || type === 'image/svg+xml' || type === 'application/xhtml+xml') return 'page';
  if (type === 'text/markdown' || name.endsWith('.md')) return 'markdown';
  if (type === 'text/csv' || name.endsWith('.csv')) return 'table';
  return type.startsWith('text/') || /json|xml|yaml|javascript|x-sh/.test(type) ? 'text' : 'none';
}

/** @param {string} text with commas */
function table(text) {
  const rows = cells(text);
  const most = Math.max(1, Math.floor(MOST_CELLS / Math.max(1, rows[0]?.length ?? 1)));
  const [head = [], ...body] = rows.slice(0, most);
  return html`<div class="wide-table" tabindex="0" role="region" aria-label="Table"><table><thead><tr>${head.map((cell) => html`<th dir="auto">${plain(cell)}</th>`)}</tr></thead>
      <tbody>${body.map((row) => html`<tr>${row.map((cell) => html`<td dir="auto">${plain(cell)}</td>`)}</tr>`)}</tbody></table></div>
    ${rows.length > most ? html`<p class="lead">The first ${most} of ${rows.length} rows; ${size(text.length)} in all.</p>` : nothing}`;
}

/** Fields may be in quotation marks, which are doubled inside, and then hold anything. */
function cells(text) {
  const rows = [[]];
  for (const [, quoted, bare, end] of text.replace(/\r\n?/g, '\n').matchAll(/(?:"((?:[^"]|"")*)"|([^,\n]*))(,|\n|$)/g)) {
    rows.at(-1).push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
    if (end === '') break;
  }
  return rows.filter((row) => row.length > 1 || row[0]);
}
customElements.define('file-preview', FilePreview);
