import { LitElement } from 'lit';

/** A component that renders into the page itself: one style sheet and one outline of headings hold for all. */
export class Part extends LitElement {
  createRenderRoot() {
    return this;
  }

  /**
   * Tells those around that something was asked for.
   * @param {string} name
   * @param {unknown} [detail]
   */
  tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }

  /**
   * Does what was asked for. Why it failed, if it did, is in `problem` then.
   * @param {() => unknown} action
   */
  async attempt(action) {
    this.problem = '';
    try {
      await action();
    } catch (fault) {
      this.problem = fault.message;
    }
  }
}

export { html, nothing, svg } from 'lit';
export { repeat } from 'lit/directives/repeat.js';
