import { html, Part } from '../page/part.js';
import { colour } from './highlighting.js';
import { plain } from './text.js';

export { isColoured } from './highlighting.js';

/** A file of code, in its language's colours. */
class CodeText extends Part {
  static properties = { text: {}, language: {} };

  constructor() {
    super();
    this.text = '';
    this.language = '';
  }

  render() {
    return html`<pre class="printed" tabindex="0" dir="auto" aria-label="Code"><code></code></pre>`;
  }

  updated() {
    const code = this.querySelector('code');
    code.textContent = plain(this.text);
    colour(code, this.language);
  }
}
customElements.define('code-text', CodeText);
