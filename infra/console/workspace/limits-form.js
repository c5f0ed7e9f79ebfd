import { html, nothing, Part } from '../page/part.js';
import { call, get } from '../page/api.js';

const CEILINGS = [
  { field: 'max_cost_usd_per_day', name: 'Dollars a day' },
  { field: 'max_cost_usd_per_month', name: 'Dollars a month' },
];

/** The statuses of a key that may not read the limits, and of a service without them. */
const HIDDEN = [403, 404];

/** The form for the cost limits of the workspace. */
class LimitsForm extends Part {
  static properties = { limits: { state: true }, isSaved: { state: true }, problem: { state: true } };

  constructor() {
    super();
    this.limits = null;
    this.isSaved = false;
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.#load();
  }

  async #load() {
    try {
      this.limits = await get('limits');
    } catch (fault) {
      if (!HIDDEN.includes(fault.status)) this.failed(fault, () => this.#load());
    }
  }

  render() {
    if (!this.limits && !this.problem) return nothing;
    return html`<section aria-labelledby="ceilings"><h2 id="ceilings">Ceilings</h2>
      <p class="lead">Once one is reached, new messages are refused and what waits ends; what runs ends under its own limits. Days and months are in UTC.</p>
      <p><a href="#/usage">What was used</a></p>
      ${this.limits ? this.#form() : nothing}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
    </section>`;
  }

  #form() {
    return html`<form class="fields card" @submit=${this.#submitted} @input=${() => (this.isSaved = false)}>
      <div class="pair">${CEILINGS.map(({ field, name }) => html`<div><label for=${field}>${name}</label>
        <input class="field" id=${field} name=${field} type="number" min="0.000001" step="any" placeholder="no ceiling" .value=${String(this.limits[field] ?? '')}></div>`)}</div>
      <p class="choices"><button class="button primary">Save ceilings</button><span class="lead" role="status">${this.isSaved ? 'Saved' : ''}</span></p>
    </form>`;
  }

  async #submitted(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const given = CEILINGS.map(({ field }) => [field, String(form.get(field)).trim()]).filter(([, text]) => text);
    await this.attempt(async () => {
      this.limits = await call('PUT', 'limits', { body: Object.fromEntries(given.map(([field, text]) => [field, Number(text)])) });
      this.isSaved = true;
    });
  }
}
customElements.define('limits-form', LimitsForm);
