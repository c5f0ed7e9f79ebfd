import { html, nothing, Part, repeat } from '../page/part.js';
import { call, get } from '../page/api.js';
import { moment, oneLine } from '../text/text.js';

/** The calls that are allowed for the rest of a session; each can be taken back. */
class GrantList extends Part {
  static properties = { sessionId: {}, count: { type: Number }, mayDecide: { type: Boolean }, grants: { state: true }, problem: { state: true } };

  constructor() {
    super();
    this.sessionId = '';
    /** how many are known to have been given: with one more they are read again */
    this.count = 0;
    this.mayDecide = true;
    /** @type {any[]} */
    this.grants = [];
    this.problem = '';
  }

  willUpdate(changed) {
    if (changed.has('sessionId') || changed.has('count')) this.#load();
  }

  #load() {
    return this.attempt(async () => (this.grants = (await get(`sessions/${this.sessionId}/grants`)).items), () => this.#load());
  }

  render() {
    return html`${this.grants.length ? html`<h2 class="name">Allowed for this session</h2>
        <ul class="plain grants">${repeat(this.grants, ({ id }) => id, (grant) => this.#row(grant))}</ul>` : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}`;
  }

  #row(grant) {
    return html`<li class="choices"><bdi title="since ${moment(grant.created_at)}">${oneLine(grant.title, 120)}</bdi><span class="space"></span>
      ${this.mayDecide ? html`<button class="button quiet" aria-label="Take back ${oneLine(grant.title, 60)}" @click=${() => this.#takeBack(grant)}>Take back</button>` : nothing}</li>`;
  }

  #takeBack({ id }) {
    return this.attempt(async () => {
      await call('DELETE', `sessions/${this.sessionId}/grants/${id}`);
      this.grants = this.grants.filter((grant) => grant.id !== id);
    });
  }
}
customElements.define('grant-list', GrantList);
