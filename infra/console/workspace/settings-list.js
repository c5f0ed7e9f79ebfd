import './copy-button.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { call, get } from '../page/api.js';

/**
 * @typedef {{path: string, noun: string, title: string, lead: string | object, columns: string[], saving: string, removing: string, isMain?: boolean}} Kind
 * `saving` and `removing` are the words on its buttons; only the main list, which every service has, says that it is loading
 */

/** A list of the settings page: a row for each item, a form for a new one, and removal after a confirmation. */
export class SettingsList extends Part {
  /** @type {Record<string, object>} */
  static properties = { items: { state: true }, made: { state: true }, writing: { state: true }, isMissing: { state: true }, doomed: { state: true }, problem: { state: true } };

  /** @param {Kind} kind */
  constructor(kind) {
    super();
    this.kind = kind;
    this.items = null;
    /** @type {any} what is shown once: `words`, and a `value` to be copied */
    this.made = null;
    /** @type {any} the one whose form is open; an empty one is new */
    this.writing = null;
    this.isMissing = false;
    this.doomed = '';
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.load();
  }

  async load() {
    try {
      await this.read();
    } catch (fault) {
      if (fault.status === 404) this.isMissing = !this.items;
      else this.failed(fault, () => this.load());
    }
  }

  async read() {
    this.items = (await get(this.kind.path)).items;
  }

  /** @param {any} _one @returns {unknown} */
  row(_one) {
    return nothing;
  }

  /** The fields of its form. @param {any} _one @returns {unknown} */
  fields(_one) {
    return nothing;
  }

  /** @param {FormData} _form @returns {Promise<void>} */
  async save(_form) {}

  /** What stands below the rows. @returns {unknown} */
  more() {
    return nothing;
  }

  render() {
    const { path, noun, title, lead, columns, isMain } = this.kind;
    const isLoading = !this.items && !this.problem;
    if (this.isMissing || (isLoading && !isMain)) return nothing;
    return html`<section aria-labelledby="${path}-title"><h2 id="${path}-title">${title}</h2>
      <p class="lead">${lead}</p>
      ${this.made ? this.#once() : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${isLoading ? html`<p class="lead" aria-busy="true">Loading…</p>` : nothing}
      ${this.items?.length ? this.table(title, columns, this.items, (one) => this.row(one)) : nothing}
      ${this.more()}
      ${this.writing ? this.#form() : html`<p><button class="button ${isMain ? 'primary' : ''}" @click=${() => this.write({})}>New ${noun}</button></p>`}
    </section>`;
  }

  #once() {
    const { words, value } = this.made;
    return html`<div class="notice" role="status">${words}
      <div class="mono"><span class="value">${value}</span><copy-button .text=${value}></copy-button>
        <button class="button quiet" @click=${() => (this.made = null)}>Done</button></div></div>`;
  }

  /** @param {string} label @param {string[]} columns @param {any[]} items @param {(one: any) => unknown} row */
  table(label, columns, items, row) {
    return html`<div class="wide-table" tabindex="0" role="region" aria-label=${label}><table>
      <thead><tr>${columns.map((column) => html`<th>${column}</th>`)}<th><span class="unseen">What to do</span></th></tr></thead>
      <tbody>${repeat(items, named, row)}</tbody></table></div>`;
  }

  /** What can be done with one, the last of which is to end it; or only whether to. @param {any} one @param {unknown} [others] */
  actions(one, others = nothing) {
    const { removing } = this.kind;
    if (this.doomed === named(one)) {
      return html`<button class="button danger" @click=${() => this.#remove(one)}>${removing} it</button><button class="button quiet" @click=${() => (this.doomed = '')}>Keep it</button>`;
    }
    return html`${others}<button class="button quiet danger" @click=${() => (this.doomed = named(one))}>${removing}</button>`;
  }

  #form() {
    return html`<form class="fields card" @submit=${this.#submitted}>
      ${this.fields(this.writing)}
      <p class="choices"><button class="button primary">${this.kind.saving}</button><button type="button" class="button" @click=${() => (this.writing = null)}>Cancel</button></p>
    </form>`;
  }

  /** @param {object} one */
  write(one) {
    this.writing = one;
    this.focusOn('form input:not([readonly])');
  }

  async #submitted(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    await this.change(async () => {
      await this.save(form);
      this.writing = null;
    });
  }

  async #remove(one) {
    await this.change(() => call('DELETE', `${this.kind.path}/${encodeURIComponent(named(one))}`));
    this.doomed = '';
  }

  /** @param {() => unknown} action */
  change(action) {
    return this.attempt(async () => {
      await action();
      await this.load();
    });
  }
}

const named = (one) => one.id ?? one.name;
