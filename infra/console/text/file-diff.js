import { html, nothing, Part } from '../page/part.js';
import { colour } from './highlighting.js';
import { exact } from './text.js';

const MOST_LINES = 400;
const LONGEST_QUOTE = 300;
const STEPS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * The changes of one file: its lines with their numbers and colours. A comment to a line goes into the next message. Tells `file-shown` once all
 * that is known of them was on the page.
 */
class FileDiff extends Part {
  static properties = {
    file: { attribute: false },
    folder: {},
    isOpen: { type: Boolean },
    mayWrite: { type: Boolean },
    isWhole: { state: true },
    commented: { state: true },
    said: { state: true },
  };
  /** @type {WeakSet<HTMLElement>} */
  #coloured = new WeakSet();

  constructor() {
    super();
    /** @type {any} */
    this.file = null;
    /** where the repository is, if there are others */
    this.folder = '';
    this.isOpen = false;
    this.mayWrite = true;
    this.isWhole = false;
    /** @type {any} the line whose comment is being written */
    this.commented = null;
    this.said = '';
  }

  willUpdate(changed) {
    if (!changed.has('file')) return;
    Object.assign(this, { commented: null, said: '' });
    this.#coloured = new WeakSet();
  }

  updated() {
    this.#looked();
  }

  /** Opens it, and shows all of it. */
  showAll() {
    this.querySelector('details').open = true;
    this.isWhole = true;
  }

  #looked() {
    if (!this.querySelector('details').open) return;
    this.#colours();
    if (this.isWhole || this.file.lines.length <= MOST_LINES) this.tell('file-shown', this.file);
  }

  render() {
    const { file } = this;
    const lines = this.isWhole ? file.lines : file.lines.slice(0, MOST_LINES);
    return html`<details class="file" ?open=${this.isOpen && file.lines.length <= MOST_LINES} @toggle=${this.#looked}>
      <summary><bdi class="mono">${exact(file.path)}</bdi>${file.note ? html`<span><bdi>${exact(file.note)}</bdi></span>` : nothing}
        ${file.added ? html`<span class="plus">+${file.added}</span>` : nothing}${file.removed ? html`<span class="minus">−${file.removed}</span>` : nothing}</summary>
      ${lines.length ? html`<div class="diff" tabindex="0" role="group" aria-label="Changes of ${exact(file.path)}" @keydown=${this.#moved}>${lines.map((line) => this.#line(line))}</div>` : nothing}
      ${lines.length < file.lines.length ? html`<button class="button quiet wide" @click=${() => (this.isWhole = true)}>Show all ${file.lines.length} lines</button>` : nothing}
      <p class="said-so lead" role="status">${this.said}</p>
    </details>`;
  }

  #line(line) {
    if (line.kind === 'h') return html`<div class="h">${exact(line.text)}</div>`;
    return html`<div class=${line.kind}>${this.#numbers(line)}${line.text[0] ?? ' '}<code .textContent=${exact(line.text.slice(1))}></code></div>
      ${this.commented === line ? this.#form(line) : nothing}`;
  }

  #numbers(line) {
    const before = line.before ?? '';
    const after = line.after ?? '';
    if (!this.mayWrite) return html`<span class="numbers" data-before=${before} data-after=${after}></span>`;
    return html`<button class="numbers" data-before=${before} data-after=${after} tabindex=${line === this.#first ? 0 : -1}
      aria-label="Comment on line ${number(line)}" @click=${() => this.#opened(line)}></button>`;
  }

  get #first() {
    return this.file.lines.find(({ kind }) => kind !== 'h');
  }

  #form(line) {
    return html`<form class="comment" @submit=${this.#submitted} @keydown=${this.#pressed}>
      <textarea class="field" rows="2" required maxlength="4000" dir="auto" aria-label="Comment on line ${number(line)}"></textarea>
      <p class="choices"><button class="button primary">Add to the message</button><button type="button" class="button" @click=${this.#closed}>Cancel</button></p>
    </form>`;
  }

  #opened(line) {
    Object.assign(this, { commented: line, said: '' });
    this.focusOn('textarea');
  }

  /** Back to the line that it was about. */
  #closed() {
    const at = /** @type {HTMLElement} */ (this.querySelector('form').previousElementSibling);
    this.commented = null;
    at.querySelector('button')?.focus();
  }

  #submitted(event) {
    event.preventDefault();
    const text = this.querySelector('textarea').value.trim();
    const line = this.commented;
    if (!text) return;
    const place = `${this.folder ? `${this.folder}/` : ''}${this.file.path}:${number(line)}`;
    this.tell('remarked', `${place}\n> ${line.text.slice(0, LONGEST_QUOTE)}\n${text}`);
    this.said = `Your comment on line ${number(line)} is in the message.`;
    this.#closed();
  }

  #pressed(event) {
    if (event.key === 'Escape') {
      event.stopPropagation();
      this.#closed();
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.currentTarget.requestSubmit();
    }
  }

  /** From line to line. */
  #moved(event) {
    const step = STEPS[event.key];
    if (!step || !event.target.matches('.numbers')) return;
    const lines = [...this.querySelectorAll('button.numbers')];
    lines[Math.max(0, lines.indexOf(event.target) + step)]?.focus();
    event.preventDefault();
  }

  async #colours() {
    const language = this.file.path.split(/[./]/).at(-1);
    for (const code of this.querySelectorAll('.diff code')) {
      if (this.#coloured.has(code)) continue;
      this.#coloured.add(code);
      await colour(code, language);
    }
  }
}

/** A removed line has only that from before. */
const number = (line) => line.after ?? line.before;
customElements.define('file-diff', FileDiff);
