import '../text/file-preview.js';
import { html, nothing, Part } from '../page/part.js';
import { plans } from './artifacts.js';
import { sessionAddress } from '../page/routes.js';
import { moment, plain } from '../text/text.js';

/** Plans, with their iterations one beside the other. */
class PlanPanel extends Part {
  static properties = { state: { attribute: false }, version: { type: Number }, item: {}, isCompared: { state: true } };

  constructor() {
    super();
    this.state = null;
    this.version = 0;
    this.item = '';
    this.isCompared = false;
  }

  render() {
    const found = plans(this.state.artifacts);
    if (found.length === 0) return html`<p class="lead">No plan yet. A plan that the agent writes is kept here, each version of it.</p>`;
    const plan = found.find((each) => each.iterations.some((one) => one.id === this.item)) ?? found.at(-1);
    return html`${found.length > 1 ? this.#choice(found, plan) : nothing}${this.#plan(plan)}`;
  }

  #choice(found, plan) {
    return html`<p class="choices wrap">${found.map((each) =>
      html`<a class=${each === plan ? 'chip here' : 'chip'} href=${sessionAddress(this.state.id, 'plan', each.iterations.at(-1).id)}>${plain(each.name)}</a>`)}</p>`;
  }

  #plan(plan) {
    const at = Math.max(0, plan.iterations.findIndex((one) => one.id === this.item));
    const shown = this.item && plan.iterations[at].id === this.item ? at : plan.iterations.length - 1;
    const before = this.isCompared && shown > 0 ? plan.iterations[shown - 1] : null;
    return html`<nav class="iterations" aria-label="Iterations">
        ${plan.iterations.map((one, number) => html`<a class=${number === shown ? 'chip here' : 'chip'} aria-current=${number === shown ? 'true' : nothing}
          href=${sessionAddress(this.state.id, 'plan', one.id)} title=${moment(one.created_at)}>${number + 1}</a>`)}
        <span class="space"></span>
        ${shown > 0 ? html`<button class="button quiet" aria-pressed=${this.isCompared} @click=${this.#turned}>${this.isCompared ? 'One alone' : 'Beside the one before'}</button>` : nothing}
      </nav>
      <div class=${before ? 'beside' : ''}>${before ? this.#iteration(before, shown) : nothing}${this.#iteration(plan.iterations[shown], shown + 1)}</div>`;
  }

  #iteration(artifact, number) {
    return html`<article class="plan"><p class="lead">Iteration ${number} · ${moment(artifact.created_at)} · <a href=${artifact.url} download>Download</a></p>
      <file-preview .artifact=${artifact}></file-preview></article>`;
  }

  #turned() {
    this.isCompared = !this.isCompared;
    this.tell('widened', this.isCompared);
  }
}
customElements.define('plan-panel', PlanPanel);
