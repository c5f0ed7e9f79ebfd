import { html, Part } from '../page/part.js';

/** A button that copies a text to the clipboard; if the page may not, it selects the text instead. */
class CopyButton extends Part {
  static properties = { text: {}, isCopied: { state: true } };

  constructor() {
    super();
    this.text = '';
    this.isCopied = false;
  }

  render() {
    return html`<button type="button" class="button" @click=${this.#copy}>${this.isCopied ? 'Copied' : 'Copy'}</button>`;
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.text);
      this.isCopied = true;
    } catch {
      const value = this.parentElement?.querySelector('.value');
      if (value) getSelection()?.selectAllChildren(value);
    }
  }
}
customElements.define('copy-button', CopyButton);
