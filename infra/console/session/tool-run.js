import '../text/elapsed-time.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { duration, plain } from '../text/text.js';
import { lines } from './transcript.js';

const MARKS = {
  ok: html`<span class="ok" role="img" aria-label="done">✓</span>`,
  bad: html`<span class="bad" role="img" aria-label="failed">✗</span>`,
  busy: html`<span class="busy" role="img" aria-label="running">●</span>`,
  open: html`<span role="img" aria-label="called">·</span>`,
};

/** A run of successive tool calls: one line each, which opens in place. */
class ToolRun extends Part {
  static properties = { calls: { attribute: false } };

  constructor() {
    super();
    this.calls = [];
  }

  render() {
    return html`<div class="tools-run">${repeat(lines(this.calls), (line) => line.key, (line) => this.#line(line))}</div>`;
  }

  #line(line) {
    if (line.folded) {
      return html`<details><summary class="tool">${MARKS.ok}<b>${line.name}</b><span class="mono">${line.argument}</span>${time(line)}</summary>
        <div class="within">${repeat(line.folded, (call) => call.key, (call) => this.#line(call))}</div></details>`;
    }
    return html`<details><summary class="tool">${MARKS[line.mark]}<b>${line.name}</b><bdi class="mono">${line.argument}</bdi>${time(line)}</summary>
      <pre class="input" tabindex="0" aria-label="Input of ${line.name}">${plain(line.input)}</pre></details>`;
  }
}

function time(line) {
  if (line.mark === 'busy') return html`<time><elapsed-time .since=${line.since}></elapsed-time></time>`;
  return line.milliseconds === null ? nothing : html`<time>${duration(line.milliseconds)}</time>`;
}
customElements.define('tool-run', ToolRun);
