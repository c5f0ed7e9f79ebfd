import { html, nothing, Part } from '../page/part.js';
import { get } from '../page/api.js';

const MOST = 10;
const blank = () => ({ url: '', ref: '', credential: '', isPushed: false });

/** The repositories of a new session. How one is opened and pushed is asked for once it has an address. */
class RepositoryList extends Part {
  static properties = { secrets: { attribute: false }, rows: { state: true }, known: { state: true } };

  constructor() {
    super();
    /** @type {string[] | null} names of secrets; null where the key may not see them */
    this.secrets = null;
    this.rows = [blank()];
    /** @type {string[] | null} the addresses that other sessions have */
    this.known = null;
  }

  /** As a new session has them. */
  get asked() {
    return this.rows.filter(({ url }) => url.trim()).map(({ url, ref, credential, isPushed }) => ({
      url: url.trim(),
      ...(ref.trim() && { ref: ref.trim() }),
      ...(credential.trim() && { credential: { secret: credential.trim() } }),
      ...(isPushed && { push: {} }),
    }));
  }

  render() {
    const isFull = this.rows.length >= MOST || !this.rows.every(({ url }) => url.trim());
    return html`${this.rows.map((row, i) => this.#row(row, i))}
      <datalist id="known-repositories">${(this.known ?? []).map((url) => html`<option value=${url}></option>`)}</datalist>
      ${isFull ? nothing : html`<button type="button" class="button quiet" @click=${this.#add}>Add another repository</button>`}`;
  }

  #row(row, i) {
    const number = this.rows.length > 1 ? ` ${i + 1}` : '';
    return html`<div class="repository">
      <div class="pair"><div><label for="url-${i}">Repository${number}</label>
          <input class="field mono" id="url-${i}" type="url" placeholder="https://git.example.org/team/app.git" pattern="https?://.*" list="known-repositories"
            .value=${row.url} @focus=${this.#remember} @input=${(event) => this.#set(i, { url: event.target.value })}></div>
        <div><label for="ref-${i}">Branch, tag or commit</label>
          <input class="field mono" id="ref-${i}" placeholder="default branch" .value=${row.ref} @input=${(event) => this.#set(i, { ref: event.target.value })}></div></div>
      ${row.url.trim() ? this.#access(row, i) : nothing}</div>`;
  }

  #access(row, i) {
    return html`<div class="choices wrap"><label for="credential-${i}" class="choice">Access token</label>${this.#credential(row, i)}
      <label class="choice"><input type="checkbox" .checked=${row.isPushed} @change=${(event) => this.#set(i, { isPushed: event.target.checked })}> Push the changes to a new branch</label>
      ${this.rows.length > 1 ? html`<button type="button" class="button quiet" aria-label="Leave out repository ${i + 1}" @click=${() => (this.rows = this.rows.filter((each) => each !== row))}>Leave out</button>` : nothing}</div>`;
  }

  #credential(row, i) {
    const set = (event) => this.#set(i, { credential: event.target.value });
    if (this.secrets === null) return html`<input class="field mono" id="credential-${i}" placeholder="name of a secret" .value=${row.credential} @input=${set}>`;
    return html`<select class="field" id="credential-${i}" @change=${set}><option value="">None</option>
      ${this.secrets.map((name) => html`<option value=${name} .selected=${name === row.credential}>${name}</option>`)}</select>`;
  }

  #set(at, change) {
    this.rows = this.rows.map((row, i) => (i === at ? { ...row, ...change } : row));
  }

  #add() {
    this.rows = [...this.rows, blank()];
    this.focusOn(`#url-${this.rows.length - 1}`);
  }

  async #remember() {
    if (this.known) return;
    this.known = [];
    const urls = await get('sessions', { query: { limit: 50 } }).then((page) => page.items.flatMap((session) => session.repositories.map(({ url }) => url)), () => []);
    this.known = [...new Set(urls)];
  }
}
customElements.define('repository-list', RepositoryList);
