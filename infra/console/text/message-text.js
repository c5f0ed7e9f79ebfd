import { html, nothing, Part } from '../page/part.js';
import { rendered } from './markdown.js';
import { isPrinted, runs } from './terminal.js';
import { plain, size } from './text.js';

const LARGE = 48 * 1024;
const BEGINNING = 8 * 1024;
/** Colours come when the browser is idle: a text can be read without them. */
const later = globalThis.requestIdleCallback ?? setTimeout;

/** Whether a text is rendered as markdown, and not printed as it is. @param {string} text */
export const isProse = (text) => text.length <= LARGE && !isPrinted(text);

/** An agent's text: markdown, or a program's output. Of a very large one only the beginning is shown at first. */
class MessageText extends Part {
  static properties = { text: {}, isOutput: { type: Boolean }, isWhole: { state: true } };

  constructor() {
    super();
    this.text = '';
    this.isOutput = false;
    this.isWhole = false;
  }

  render() {
    const isLarge = this.text.length > LARGE;
    if (!this.isOutput && isProse(this.text)) return html`<div class="prose" dir="auto"></div>`;
    const shown = isLarge && !this.isWhole ? this.text.slice(0, BEGINNING) : this.text;
    const isRest = shown.length < this.text.length;
    return html`<pre class="printed" tabindex="0" dir="auto" aria-label="Output">${this.#printed(shown)}</pre>
      ${isRest ? html`<button class="button" @click=${() => (this.isWhole = true)}>Show all ${size(this.text.length)}</button>` : nothing}`;
  }

  updated(changed) {
    const prose = this.querySelector(':scope > .prose');
    if (!prose || !(changed.has('text') || changed.has('isOutput'))) return;
    prose.replaceChildren(rendered(plain(this.text)));
    const code = prose.querySelectorAll('code[class]');
    if (code.length) later(() => coloured(code).catch(() => {}));
  }

  #printed(text) {
    return runs(text).map(({ text: piece, style }) => (style ? html`<span class=${style}>${plain(piece)}</span>` : plain(piece)));
  }
}

/** @param {Iterable<HTMLElement>} pieces each with its language as its class */
async function coloured(pieces) {
  const { colour } = await import('./highlighting.js');
  for (const code of pieces) await colour(code, code.className.replace('language-', ''));
}
customElements.define('message-text', MessageText);
