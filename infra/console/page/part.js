import { LitElement } from 'lit';
import { Unreachable } from './api.js';
import { connection } from './connection.js';

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
   * Puts the focus where the user goes on, once that is there.
   * @param {string} selector
   */
  async focusOn(selector) {
    await this.updateComplete;
    /** @type {HTMLElement | null} */ (this.querySelector(selector))?.focus();
  }

  /**
   * Does what was asked for. Why it failed, if it did, is in `problem` then.
   * @param {() => unknown} action
   * @param {() => unknown} [again] see failed
   */
  async attempt(action, again) {
    this.problem = '';
    try {
      await action();
    } catch (fault) {
      this.failed(fault, again);
    }
  }

  /**
   * Says why something failed; that nobody could be reached only until somebody can.
   * @param {Error} fault
   * @param {() => unknown} [again] reads what could not be read
   */
  failed(fault, again = () => {}) {
    this.problem = fault.message;
    const isBack = () => {
      if (connection.isLost || this.problem !== fault.message) return;
      this.problem = '';
      if (this.isConnected) again();
    };
    if (fault instanceof Unreachable) connection.addEventListener('change', isBack, { once: true });
  }
}

export { html, nothing, svg } from 'lit';
export { repeat } from 'lit/directives/repeat.js';
