import '../text/message-text.js';
import './tool-run.js';
import './turn-line.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { clock, moment, plain, size } from '../text/text.js';
import { among, blocks } from './transcript.js';

const NEAR = 80;

/** The transcript. It keeps the reader's position, and follows the end for a reader who is there. */
class TranscriptView extends Part {
  static properties = { state: { attribute: false }, version: { type: Number }, mayWrite: { type: Boolean }, me: { attribute: false }, request: {}, isBelow: { state: true } };
  #isAtEnd = true;
  #isGrowingAbove = false;
  #height = 0;
  /** how far the reader was down when that was looked at last */
  #seenTop = 0;
  /** the request that was shown last because the address names it */
  #shown = '';
  /** Tells when the beginning comes into sight. */
  #top = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && this.#loadEarlier(), { rootMargin: '600px' });

  constructor() {
    super();
    this.state = null;
    this.version = 0;
    this.mayWrite = true;
    this.me = null;
    /** the id of the one that the address names */
    this.request = '';
    this.isBelow = false;
  }

  /** Texts get their height after they were put in. */
  #growth = new ResizeObserver(() => this.#settle());

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#top.disconnect();
    this.#growth.disconnect();
  }

  firstUpdated() {
    this.#growth.observe(this.querySelector('.column'));
  }

  willUpdate(changed) {
    if (changed.has('request')) this.#shown = '';
    if (!changed.has('state')) return;
    this.#isAtEnd = true;
    this.isBelow = false;
  }

  updated() {
    this.#settle();
    this.#top.disconnect();
    const earlier = this.querySelector('.earlier');
    if (earlier) this.#top.observe(earlier);
    if (this.state.requests.size) this.#showRequest();
  }

  /** To the request that the address names, once; what was said before may have to come first. */
  async #showRequest() {
    const loaded = import('../requests/request-card.js').catch(() => this.tell('outdated'));
    const { request: id, state } = this;
    if (!id || id === this.#shown || !state.requests.has(id)) return;
    this.#shown = id;
    await loaded;
    const since = Date.parse(state.requests.get(id).created_at) / 1000;
    while (state.hasEarlier && state.messages[0].ts > since) await state.loadEarlier();
    await this.updateComplete;
    this.#isAtEnd = false;
    [...this.querySelectorAll('request-card')].find((card) => card.request.id === id)?.show();
  }

  /** The reader keeps what they look at: the end, or, while older texts come in above, the same lines. */
  #settle() {
    const area = this.querySelector('.transcript');
    const height = area.scrollHeight;
    if (this.#isAtEnd) area.scrollTop = height;
    else if (this.#isGrowingAbove) area.scrollTop += height - this.#height;
    else if (height > this.#height) this.isBelow = true;
    this.#height = height;
    this.#seenTop = area.scrollTop;
  }

  render() {
    const { session, messages, threads, requests, hasEarlier } = this.state;
    const text = blocks(among(messages, [...requests.values()], hasEarlier), threads, session.agent_name === 'shell');
    return html`<div class="transcript" tabindex="0" role="region" aria-label="Transcript" @scroll=${this.#scrolled}>
        <div class="column">
          ${hasEarlier ? html`<p class="earlier">Loading what was before…</p>` : nothing}
          ${text.length ? nothing : html`<p class="lead">Nothing has been said yet.</p>`}
          ${repeat(text, (block) => block.key, (block) => this.#block(block))}
        </div>
      </div>
      ${this.isBelow ? html`<button class="button below" @click=${this.#toEnd}>New ↓</button>` : nothing}`;
  }

  #block(block) {
    switch (block.type) {
      case 'user':
        return html`<div class="said user" dir="auto" data-turn=${block.thread}><span class="unseen">You: </span>${plain(block.text)}${brought(block.files)}</div>${when(block.at)}`;
      case 'tools':
        return html`<tool-run .calls=${[...block.calls]}></tool-run>`;
      case 'request':
        return html`<request-card .request=${block.request} .isOver=${block.isOver} .agent=${this.state.session.agent_name} .me=${this.me}></request-card>`;
      case 'end':
        return html`<turn-line .turn=${block.turn} .again=${this.mayWrite ? block.again : ''}></turn-line>`;
      case 'notice':
        return html`<div class="said closing" role="note" dir="auto">${plain(block.text)}</div>${when(block.at)}`;
      default:
        return html`<message-text class="said" .text=${block.text} .isOutput=${block.type === 'output'}></message-text>${when(block.at)}`;
    }
  }

  /** Goes to the message before or after the one at the top. @param {1 | -1} direction */
  turn(direction) {
    const area = this.querySelector('.transcript');
    const tops = [...this.querySelectorAll('[data-turn]')].map((each) => each.offsetTop - 16);
    const next = direction > 0 ? tops.find((top) => top > area.scrollTop + 2) : tops.findLast((top) => top < area.scrollTop - 2);
    if (next !== undefined) area.scrollTop = next;
  }

  /** Only who goes up leaves the end: of a text that has grown the end moves away by itself, before it is told. */
  #scrolled(event) {
    const area = event.currentTarget;
    const isNear = area.scrollHeight - area.scrollTop - area.clientHeight < NEAR;
    this.#isAtEnd = isNear || (this.#isAtEnd && area.scrollTop >= this.#seenTop);
    this.#seenTop = area.scrollTop;
    if (this.#isAtEnd) this.isBelow = false;
  }

  #toEnd() {
    const area = this.querySelector('.transcript');
    area.scrollTop = area.scrollHeight;
    area.focus();
  }

  async #loadEarlier() {
    this.#top.disconnect();
    this.#isGrowingAbove = !this.#isAtEnd;
    await this.state.loadEarlier();
    await this.updateComplete;
    // the last of it is laid out two frames later
    requestAnimationFrame(() => requestAnimationFrame(() => (this.#isGrowingAbove = false)));
  }
}

/** It stands in the space below what was said then. */
const when = (time) => html`<time class="when" datetime=${time} title=${moment(time)}>${clock(time)}</time>`;

function brought(files) {
  return files.length ? html`<ul class="brought" aria-label="Files">${files.map(({ path, size: bytes }) => html`<li class="chip"><bdi>${plain(path)}</bdi> ${size(bytes)}</li>`)}</ul>` : nothing;
}
customElements.define('transcript-view', TranscriptView);
