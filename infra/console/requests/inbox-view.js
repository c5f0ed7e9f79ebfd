import './request-card.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { get } from '../page/api.js';
import { requestAddress } from '../page/routes.js';
import { plain, title } from '../text/text.js';
import { pending } from './pending.js';

/** The inbox: what waits for a person, oldest first, by session. What was decided here stays while it is open, and under the pointer nothing moves. */
class InboxView extends Part {
  static properties = { me: { attribute: false }, items: { state: true }, sessions: { state: true }, isHeld: { state: true } };
  #settled = new Map();
  #asked = new Set();
  #came = () => this.#take();

  constructor() {
    super();
    this.me = null;
    /** @type {any[]} */
    this.items = [];
    /** @type {Record<string, any>} by id, as far as they are known */
    this.sessions = {};
    this.isHeld = false;
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Inbox';
    pending.addEventListener('change', this.#came);
    this.#take();
    pending.load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    pending.removeEventListener('change', this.#came);
  }

  #take() {
    if (this.isHeld) return;
    const shown = new Map([...pending.items, ...this.#settled.values()].map((request) => [request.id, request]));
    this.items = [...shown.values()].sort((one, other) => one.created_at.localeCompare(other.created_at));
    for (const { session_id: id } of this.items) this.#name(id);
    this.requestUpdate();
  }

  async #name(id) {
    if (this.#asked.has(id)) return;
    this.#asked.add(id);
    const session = await get(`sessions/${id}`).catch(() => null);
    if (session) this.sessions = { ...this.sessions, [id]: session };
  }

  render() {
    return html`<main class="session scrolled"><div class="page narrow inbox" @pointerenter=${() => (this.isHeld = true)} @pointerleave=${this.#left} @request-settled=${this.#became}>
      <p class="back"><a href="#/">‹ Sessions</a></p>
      <h1>Inbox</h1>
      ${this.#list()}
      ${pending.hasMore ? html`<p class="lead">There are more. They come when some of these are decided.</p>` : nothing}
    </div></main>`;
  }

  #list() {
    if (pending.problem) return html`<p class="problem" role="alert">${pending.problem}</p>`;
    if (!pending.isLoaded) return html`<p class="lead" aria-busy="true">Loading…</p>`;
    if (this.items.length === 0) return html`<p class="lead">Nothing waits for you. What an agent must ask before it uses a tool comes here.</p>`;
    const groups = [...Map.groupBy(this.items, ({ session_id: id }) => id)];
    return repeat(groups, ([id]) => id, ([id, requests]) => this.#group(id, requests));
  }

  #group(id, requests) {
    const session = this.sessions[id];
    const name = session ? title(session) : `Session ${id.slice(0, 8)}`;
    return html`<section aria-label=${name}><h2><a href=${requestAddress(requests[0])} dir="auto">${name}</a></h2>
      ${repeat(requests, (request) => request.id, (request) => html`<request-card .request=${request} .agent=${session ? plain(session.agent_name) : ''} .me=${this.me}></request-card>`)}</section>`;
  }

  #left() {
    this.isHeld = false;
    this.#take();
  }

  #became(event) {
    const { request } = event.detail;
    this.#settled.set(request.id, request);
    this.items = this.items.map((item) => (item.id === request.id ? request : item));
  }
}
customElements.define('inbox-view', InboxView);
