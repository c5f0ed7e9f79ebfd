import './remaining-time.js';
import './request-input.js';
import './request-plan.js';
import './request-push.js';
import { answers, asked, fields } from './question-form.js';
import { html, nothing, Part } from '../page/part.js';
import { get, post, Refusal } from '../page/api.js';
import { clock, oneLine, plain } from '../text/text.js';

/** What such a tool did stays done. */
const LASTING = new Set(['delete', 'move', 'execute', 'push']);
const DECIDED = { allow: 'Allowed once', allow_session: 'Allowed for this session', deny: 'Denied' };
const APPROVED = { allow: 'Approved', deny: 'Denied' };
const ANSWERED = { allow: 'Answered', deny: 'Nobody answered' };

/** A request: what an agent asks for, whole, and the choice of a person, or what became of it. */
class RequestCard extends Part {
  static properties = {
    request: { attribute: false },
    agent: {},
    me: { attribute: false },
    isOver: { type: Boolean },
    isAsked: { state: true },
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
    this.isBusy = false;
    this.problem = '';
  }

  /** whether it can still be decided */
  get isOpen() {
    return this.request.status === 'pending' && !this.isOver;
  }

  /** While nothing is known of the key, everything is offered. */
  get #mayDecide() {
    return this.me?.scopes?.includes('decide') ?? true;
  }

  get #isPlan() {
    return this.request.kind === 'plan';
  }

  get #isPush() {
    return this.request.kind === 'push';
  }

  render() {
    const { tool, questions, created_at: since } = this.request;
    const name = questions ? 'Question' : oneLine(named(this.request), 60);
    return html`<article class=${this.isOpen ? 'request open' : 'request'} tabindex="-1" aria-label="Request: ${name}" @keydown=${this.#pressed}>
      <header><b dir="auto">${name}</b>${tool && !questions && !this.#isPush ? html`<span class="chip">${tool.kind}</span>` : nothing}<span class="space"></span>${this.#state()}</header>
      <p class="lead">Asked by ${this.agent || 'the agent'} · ${clock(since)}</p>
      ${this.#subject()}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.isOpen ? this.#choice(name) : this.#outcome()}
    </article>`;
  }

  #subject() {
    const { tool, title, questions, decision, session_id: session, plan_artifact_id: plan } = this.request;
    // Where it can be answered, the form has the questions.
    if (questions) return this.isOpen && this.#mayDecide ? nothing : asked(questions, decision?.answers);
    if (this.#isPush) return html`<request-push .sessionId=${session} .input=${tool.input}></request-push>`;
    if (isConnection(tool)) return nothing; // its name says all
    if (tool) return html`<request-input .input=${tool.input}></request-input>`;
    return this.#isPlan ? html`<request-plan .sessionId=${session} .artifactId=${plan}></request-plan>` : html`<p dir="auto">${plain(title)}</p>`;
  }

  #state() {
    return this.isOpen ? html`<span class="asks"><b>Waits for you</b> · <remaining-time .until=${this.request.expires_at}></remaining-time></span>` : nothing;
  }

  #choice(name) {
    if (!this.#mayDecide) return html`<p class="lead">Your key may not decide: it lacks the scope <code>decide</code>.</p>`;
    if (this.isAsked) return this.#question(name);
    if (this.request.questions) return this.#answering(this.request.questions);
    return html`<form class="decision" @submit=${this.#denied}>
      <input class="field" name="note" aria-label="Note" placeholder=${this.#isPlan ? 'Note: what to change' : 'Note: why not, or what to do instead'} maxlength="4000" dir="auto" autocomplete="off">
      <div class="choices wrap">
        <button type="button" class="button primary" ?disabled=${this.isBusy} @click=${(event) => this.#clicked('allow', event)}>${this.#isPlan ? 'Approve' : 'Allow once'}</button>
        ${this.#isPlan ? nothing : html`<button type="button" class="button" ?disabled=${this.isBusy} @click=${(event) => this.#clicked('allow_session', event)}>Allow for this session</button>`}
        <button class="button danger" ?disabled=${this.isBusy}>Deny</button>
      </div></form>`;
  }

  #answering(questions) {
    return html`<form class="decision" @submit=${this.#answered}>${questions.map(fields)}
      <input class="field" name="note" aria-label="Note" placeholder="Note, where nobody answers" maxlength="4000" dir="auto" autocomplete="off">
      <div class="choices wrap">
        <button class="button primary" ?disabled=${this.isBusy}>Answer</button>
        <button type="button" class="button danger" ?disabled=${this.isBusy} @click=${(event) => this.#clicked('deny', event)}>Nobody answers</button>
      </div></form>`;
  }

  #question(name) {
    return html`<div class="notice" role="group" aria-label="Allow it once"><b>${this.#isPlan ? 'Approve the plan?' : `Allow ${name} once?`}</b> What it does may not be undone.
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
    } else if (this.request.questions) this.focusOn('.question input');
    else if (this.#isPlan || LASTING.has(this.request.tool?.kind)) {
      this.isAsked = true;
      this.focusOn('.notice .primary');
    } else this.#decide('allow');
  }

  /** Escape leads out, of what was begun first, and does not stop the turn. A note says why nobody answers, so Enter sends that. */
  #pressed(event) {
    if (event.key === 'Enter' && this.request.questions && event.target.name === 'note') {
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
    const note = decision === 'allow' && this.request.questions ? '' : this.querySelector('[name=note]')?.value.trim();
    this.isBusy = true;
    await this.attempt(() => this.#send({ decision, fingerprint: this.request.fingerprint, ...(note && { note }), ...more }));
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

/** @param {any} tool */
const isConnection = (tool) => tool?.kind === 'host';

/** What is asked for, in a few words. @param {any} request */
function named({ kind, tool, title }) {
  if (isConnection(tool)) return `Connect to ${tool.input?.host}:${tool.input?.port}`;
  if (kind === 'push') return 'Push';
  return tool?.name ?? (kind === 'plan' ? `Plan: ${title}` : kind);
}

/** What became of a request, and by whom. @param {any} request @param {any} me */
function outcome({ kind, tool, status, questions, decision, expires_at: end }, me) {
  const isPlan = kind === 'plan';
  if (decision) {
    const who = decision.key_id && (decision.key_id === me?.key_id ? ' by you' : ` by the key ${oneLine(decision.key_id, 60)}`);
    const words = questions ? ANSWERED : isPlan ? APPROVED : DECIDED;
    return `${words[decision.decision] ?? oneLine(decision.decision, 60)}${who ?? ''} · ${clock(decision.at)}`;
  }
  if (questions) return status === 'expired' ? `Expired · ${clock(end)}. Nobody answered.` : 'The turn ended before an answer.';
  const nothingRan =
    kind === 'push' ? 'nothing was pushed' : isPlan ? 'it was not carried out' : isConnection(tool) ? 'it was refused' : 'it did not run';
  if (status === 'expired') return `Expired · ${clock(end)}. Nobody decided, and ${nothingRan}.`;
  return `${isPlan || kind === 'push' ? 'Another turn began' : 'The turn ended'} before a decision, and ${nothingRan}.`;
}
customElements.define('request-card', RequestCard);
