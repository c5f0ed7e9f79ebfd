import './remaining-time.js';
import { answers, fields } from './question-form.js';
import { kindOf, named } from './request-kinds.js';
import { html, nothing, Part } from '../page/part.js';
import { get, post, Refusal } from '../page/api.js';
import { clock, oneLine, plain } from '../text/text.js';

/** A request: what an agent asks for, whole, and the choice of a person, or what became of it. */
class RequestCard extends Part {
  static properties = {
    request: { attribute: false },
    agent: {},
    me: { attribute: false },
    isOver: { type: Boolean },
    isAsked: { state: true },
    isSeen: { state: true },
    isBusy: { state: true },
    problem: { state: true },
  };

  constructor() {
    super();
    this.request = null;
    this.agent = '';
    /** @type {any} whose key it is, once that is known */
    this.me = null;
    /** whether its turn has ended */
    this.isOver = false;
    /** whether it is asked if the key was meant */
    this.isAsked = false;
    /** whether its subject, where that has to be loaded, was shown as it is */
    this.isSeen = false;
    this.isBusy = false;
    this.problem = '';
  }

  willUpdate(changed) {
    const before = changed.get('request');
    if (before && before.fingerprint !== this.request.fingerprint) Object.assign(this, { isSeen: false, isAsked: false });
  }

  /** whether it can still be decided */
  get isOpen() {
    return this.request.status === 'pending' && !this.isOver;
  }

  /** While nothing is known of the key, everything is offered. */
  get #mayDecide() {
    return this.me?.scopes?.includes('decide') ?? true;
  }

  get #kind() {
    return kindOf(this.request);
  }

  get #mayAllow() {
    return this.isSeen || !this.#kind.unseen;
  }

  render() {
    const name = named(this.request);
    const tool = this.#kind.tool(this.request);
    return html`<article class=${this.isOpen ? 'request open' : 'request'} tabindex="-1" aria-label="Request: ${name}" @keydown=${this.#pressed} @seen=${this.#sees}>
      <header><b dir="auto">${name}</b>${tool ? html`<span class="chip">${tool}</span>` : nothing}<span class="space"></span>${this.#state()}</header>
      <p class="lead">Asked by ${this.agent || 'the agent'} · ${clock(this.request.created_at)}</p>
      ${this.#isForm ? nothing : this.#kind.subject(this.request)}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.isOpen ? this.#choice(name) : this.#outcome()}
    </article>`;
  }

  /** Where it can be answered, the form has the questions. */
  get #isForm() {
    return this.#kind.isQuestion && this.isOpen && this.#mayDecide;
  }

  #state() {
    return this.isOpen ? html`<span class="asks"><b>Waits for you</b> · <remaining-time .until=${this.request.expires_at}></remaining-time></span>` : nothing;
  }

  #choice(name) {
    if (!this.#mayDecide) return html`<p class="lead">Your key may not decide: it lacks the scope <code>decide</code>.</p>`;
    if (this.isAsked && this.#mayAllow) return this.#question(name);
    if (this.#kind.isQuestion) return this.#answering(this.request.questions);
    return html`<form class="decision" @submit=${this.#denied}>
      ${this.#mayAllow ? nothing : html`<p class="lead">${this.#kind.unseen}</p>`}
      <input class="field" name="note" aria-label="Note" placeholder=${this.#kind.note} maxlength="4000" dir="auto" autocomplete="off">
      <div class="choices wrap">
        ${this.#mayAllow ? this.#allowing() : nothing}
        <button class="button danger" ?disabled=${this.isBusy}>Deny</button>
      </div></form>`;
  }

  #allowing() {
    return html`<button type="button" class="button primary" ?disabled=${this.isBusy} @click=${(event) => this.#clicked('allow', event)}>${this.#kind.allow}</button>
      ${this.#kind.isForSession ? html`<button type="button" class="button" ?disabled=${this.isBusy} @click=${(event) => this.#clicked('allow_session', event)}>Allow for this session</button>` : nothing}`;
  }

  #answering(questions) {
    return html`<form class="decision" @submit=${this.#answered}>${questions.map(fields)}
      <input class="field" name="note" aria-label="Note" placeholder=${this.#kind.note} maxlength="4000" dir="auto" autocomplete="off">
      <div class="choices wrap">
        <button class="button primary" ?disabled=${this.isBusy}>Answer</button>
        <button type="button" class="button danger" ?disabled=${this.isBusy} @click=${(event) => this.#clicked('deny', event)}>Nobody answers</button>
      </div></form>`;
  }

  #question(name) {
    return html`<div class="notice" role="group" aria-label="Allow it once"><b>${this.#kind.sure(name)}</b> What it does may not be undone.
      <p class="choices"><button class="button primary" ?disabled=${this.isBusy} @click=${(event) => this.#clicked('allow', event)}>Allow it</button>
        <button class="button" @click=${this.#unasked}>Not yet</button></p></div>`;
  }

  #outcome() {
    const { decision } = this.request;
    return html`<p class="outcome">${outcome(this.request, this.me)}</p>
      ${decision?.note ? html`<blockquote class="note" dir="auto">${plain(decision.note)}</blockquote>` : nothing}`;
  }

  /** Brings it into sight; the next key is for it. */
  show() {
    this.scrollIntoView({ block: 'nearest' });
    this.focusOn('article');
  }

  /** What a key does to it: to deny leads to the note, which Enter sends. @param {'a' | 'd'} key */
  pressed(key) {
    if (!this.#mayDecide) return;
    if (key === 'd') {
      this.isAsked = false;
      this.focusOn('[name=note]');
    } else if (this.#kind.isQuestion) this.focusOn('.question input');
    else if (!this.#mayAllow) this.focusOn('summary');
    else if (this.#kind.isLasting(this.request)) {
      this.isAsked = true;
      this.focusOn('.notice .primary');
    } else this.#decide('allow');
  }

  #sees(event) {
    this.isSeen = event.detail;
  }

  /** Escape leads out, of what was begun first, and does not stop the turn. A note says why nobody answers, so Enter sends that. */
  #pressed(event) {
    if (event.key === 'Enter' && this.#kind.isQuestion && event.target.name === 'note') {
      event.preventDefault();
      this.#decide('deny');
    }
    if (event.key !== 'Escape' || !this.isOpen) return;
    event.stopPropagation();
    if (this.isAsked || event.target.matches('input')) this.#unasked();
    else event.target.blur();
  }

  #unasked() {
    this.isAsked = false;
    this.focusOn('article');
  }

  /** The second of two clicks may be meant for what stood there before. */
  #clicked(decision, event) {
    if (event.detail < 2) this.#decide(decision);
  }

  #denied(event) {
    event.preventDefault();
    this.#decide('deny');
  }

  #answered(event) {
    event.preventDefault();
    const given = answers(this.request.questions, new FormData(event.target));
    if (Object.values(given).every((values) => values.length)) this.#decide('allow', { answers: given });
    else this.problem = 'Answer each question first.';
  }

  async #decide(decision, more = {}) {
    if (this.isBusy) return;
    const note = decision === 'allow' && this.#kind.isQuestion ? '' : this.querySelector('[name=note]')?.value.trim();
    this.isBusy = true;
    await this.attempt(() => this.#send({ decision, ...(this.#mayAllow && { fingerprint: this.request.fingerprint }), ...(note && { note }), ...more }));
    this.isBusy = false;
  }

  async #send(body) {
    const path = `sessions/${this.request.session_id}/requests/${this.request.id}`;
    try {
      this.#became(await post(`${path}/decision`, body));
    } catch (fault) {
      if (fault instanceof Refusal && fault.status === 409) this.#became(await get(path));
      throw fault;
    }
  }

  #became(request) {
    this.request = request;
    this.isAsked = false;
    if (request.status === 'pending') return;
    this.focusOn('article');
    this.tell('request-settled', { request, words: outcome(request, this.me) });
  }
}

/** What became of a request, and by whom. @param {any} request @param {any} me */
function outcome(request, me) {
  const { status, decision, expires_at: end } = request;
  const kind = kindOf(request);
  if (!decision) return status === 'expired' ? `Expired · ${clock(end)}. ${kind.expired}` : kind.closed;
  const who = decision.key_id && (decision.key_id === me?.key_id ? ' by you' : ` by the key ${oneLine(decision.key_id, 60)}`);
  return `${kind.decided[decision.decision] ?? oneLine(decision.decision, 60)}${who ?? ''} · ${clock(decision.at)}`;
}
customElements.define('request-card', RequestCard);
