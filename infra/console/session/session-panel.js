import { html, nothing, Part } from '../page/part.js';
import { changes, outputs, plans } from './artifacts.js';
import { sessionAddress } from '../page/routes.js';

const TABS = [
  { id: 'plan', name: 'Plan' },
  { id: 'changes', name: 'Changes' },
  { id: 'files', name: 'Files' },
  { id: 'details', name: 'Details' },
];

/** Each is loaded when it is first shown. */
const PARTS = {
  plan: () => import('./plan-panel.js'),
  changes: () => import('./changes-panel.js'),
  files: () => import('./files-panel.js'),
  details: () => import('./details-panel.js'),
};

/** The panel beside the transcript: the session's plans, files, changes and details. */
class SessionPanel extends Part {
  static properties = { state: { attribute: false }, version: { type: Number }, mayWrite: { type: Boolean }, me: { attribute: false }, tab: {}, item: {}, isWide: { state: true } };

  constructor() {
    super();
    this.state = null;
    this.version = 0;
    this.mayWrite = true;
    this.me = null;
    this.tab = '';
    this.item = '';
    this.isWide = false;
  }

  updated() {
    PARTS[this.#shown(this.#counts())]().catch(() => this.tell('outdated'));
  }

  #shown(counts) {
    return TABS.find((tab) => tab.id === this.tab)?.id ?? TABS.find((tab) => counts[tab.id])?.id ?? 'details';
  }

  render() {
    const counts = this.#counts();
    const shown = this.#shown(counts);
    return html`<aside class=${this.isWide && shown === 'plan' ? 'panel wide' : 'panel'} aria-label="What came of it" @widened=${(event) => (this.isWide = event.detail)}>
      <nav class="tabs" aria-label="Parts">
        <a class="back" href=${sessionAddress(this.state.id)} aria-label="Back to the transcript">‹</a>
        ${TABS.map((tab) => html`<a class=${tab.id === shown ? 'here' : ''} aria-current=${tab.id === shown ? 'page' : nothing}
          href=${sessionAddress(this.state.id, tab.id)}>${tab.name}${counts[tab.id] ? html`<sup>${counts[tab.id]}</sup>` : nothing}</a>`)}
      </nav>
      <div class="body" tabindex="0" role="region" aria-label=${TABS.find((tab) => tab.id === shown)?.name ?? ''}>${this.#body(shown)}</div>
    </aside>`;
  }

  #counts() {
    const { session, artifacts } = this.state;
    const changed = changes(session, artifacts);
    const told = changed.reduce((sum, { repository }) => sum + (repository?.files_changed ?? 0), 0);
    return {
      plan: plans(artifacts).reduce((most, plan) => Math.max(most, plan.iterations.length), 0),
      changes: told || changed.filter(({ patch }) => patch).length,
      files: outputs(artifacts).length,
      details: 0,
    };
  }

  #body(shown) {
    switch (shown) {
      case 'plan':
        return html`<plan-panel .state=${this.state} .version=${this.version} .item=${this.item}></plan-panel>`;
      case 'changes':
        return html`<changes-panel .state=${this.state} .version=${this.version} .mayWrite=${this.mayWrite}></changes-panel>`;
      case 'files':
        return html`<files-panel .state=${this.state} .version=${this.version} .item=${this.item}></files-panel>`;
      default:
        return html`<details-panel .state=${this.state} .version=${this.version} .mayWrite=${this.mayWrite} .me=${this.me}></details-panel>`;
    }
  }
}
customElements.define('session-panel', SessionPanel);
