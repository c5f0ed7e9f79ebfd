import { html, Part } from './part.js';

const KEYS = [
  ['j k', 'Next and previous session in the list'],
  ['Enter', 'Open it'],
  ['/', 'Search titles'],
  ['n', 'New session'],
  ['g s', 'All sessions'],
  ['g i', 'Inbox: what waits for you'],
  ['a', 'To the request that waits, then: allow it once'],
  ['d', 'To the request that waits, then: deny it, with a note'],
  ['c', 'Write: to the open session, or else for a new one'],
  ['[ ]', 'Message before and after'],
  ['Ctrl Enter', 'Send'],
  ['Esc', 'Stop the turn'],
  ['?', 'This list'],
];

/** The list of keyboard shortcuts, as a dialogue. */
class ShortcutList extends Part {
  #left = () => this.querySelector('dialog')?.close();

  connectedCallback() {
    super.connectedCallback();
    addEventListener('hashchange', this.#left);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#left);
  }

  render() {
    return html`<dialog aria-labelledby="shortcuts-title" @click=${this.#clicked}>
      <h2 id="shortcuts-title">Shortcuts</h2>
      <dl class="shortcuts">${KEYS.map(([keys, what]) => html`<div><dt>${keys.split(' ').map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${what}</dd></div>`)}</dl>
      <form method="dialog"><button class="button">Close</button></form>
    </dialog>`;
  }

  async open() {
    await this.updateComplete;
    this.querySelector('dialog').showModal();
  }

  #clicked(event) {
    if (event.target === event.currentTarget) event.currentTarget.close();
  }
}
customElements.define('shortcut-list', ShortcutList);
