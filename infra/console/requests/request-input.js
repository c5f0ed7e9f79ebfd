import '../text/code-text.js';
import { html, nothing, Part } from '../page/part.js';
import { counted, exact } from '../text/text.js';

const MOST_LINES = 12;
const MOST_CHARACTERS = 1200;
/** What tools call the command that they run. */
const COMMANDS = ['command', 'cmd'];

/** The input of a call, whole: a command as code, all else as JSON. What is long is folded. */
class RequestInput extends Part {
  static properties = { input: { attribute: false }, isWhole: { state: true } };

  constructor() {
    super();
    this.input = null;
    this.isWhole = false;
  }

  willUpdate(changed) {
    if (changed.has('input')) this.isWhole = false;
  }

  render() {
    const shown = parts(this.input);
    const lines = shown.reduce((sum, { text }) => sum + text.split('\n').length, 0);
    const characters = shown.reduce((sum, { text }) => sum + text.length, 0);
    const isLong = lines > MOST_LINES || characters > MOST_CHARACTERS;
    const all = lines > MOST_LINES ? counted(lines, 'line') : counted(characters, 'character');
    return html`<div class=${isLong && !this.isWhole ? 'folded' : ''}>${shown.map(({ text, language }) => html`<code-text .text=${text} .language=${language}></code-text>`)}</div>
      ${isLong ? html`<button class="button quiet" aria-expanded=${this.isWhole} @click=${() => (this.isWhole = !this.isWhole)}>${this.isWhole ? 'Show less' : `Show all of it: ${all}`}</button>` : nothing}`;
  }
}

/** @param {any} input @returns {{text: string, language: string}[]} */
function parts(input) {
  const name = input && COMMANDS.find((each) => typeof input[each] === 'string');
  if (!name) return [json(input)];
  const { [name]: command, ...rest } = input;
  return [{ text: exact(command), language: 'bash' }, ...(Object.keys(rest).length ? [json(rest)] : [])];
}

const json = (value) => ({ text: exact(JSON.stringify(value, null, 2)), language: 'json' });
customElements.define('request-input', RequestInput);
