import './export-button.js';
import './turn-line.js';
import '../requests/grant-list.js';
import { html, nothing, Part, repeat } from '../page/part.js';
import { call } from '../page/api.js';
import { isLive } from './transcript.js';
import { moment, oneLine, plain, repositoryName, used } from '../text/text.js';

const MOST_TURNS = 50;

/** The panel of a session's details, and of actions on the whole session. */
class DetailsPanel extends Part {
  static properties = { state: { attribute: false }, version: { type: Number }, mayWrite: { type: Boolean }, me: { attribute: false }, problem: { state: true }, isSure: { state: true } };

  constructor() {
    super();
    this.state = null;
    this.version = 0;
    this.mayWrite = true;
    /** @type {any} */
    this.me = null;
    this.problem = '';
    this.isSure = false;
  }

  render() {
    const { session } = this.state;
    return html`${this.mayWrite ? this.#title(session) : nothing}
      <dl class="facts">${facts(session, this.state.thread).map(([name, value]) => html`<dt>${name}</dt><dd dir="auto">${value}</dd>`)}</dl>
      ${session.permissions ? html`<grant-list .sessionId=${session.id} .count=${granted(this.state)} .mayDecide=${this.me?.scopes?.includes('decide') ?? true}></grant-list>` : nothing}
      ${this.#turns()}
      <export-button .sessionId=${session.id} .changed=${session.updated_at}></export-button>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.mayWrite ? this.#actions(session) : nothing}`;
  }

  #turns() {
    const ended = [...this.state.threads.values()].filter(({ status }) => !isLive(status));
    const newest = ended.sort((one, other) => other.created_at.localeCompare(one.created_at)).slice(0, MOST_TURNS);
    return newest.length ? html`<h2 class="name">Turns, the newest first</h2>${repeat(newest, ({ id }) => id, (turn) => html`<turn-line .turn=${turn}></turn-line>`)}` : nothing;
  }

  #title(session) {
    return html`<form class="rename" @submit=${this.#renamed}>
      <label for="title">Title</label>
      <div class="choices"><input class="field" id="title" name="title" dir="auto" maxlength="200" .value=${session.title ?? ''}><button class="button">Rename</button></div>
    </form>`;
  }

  #actions(session) {
    return html`<p class="choices"><button class="button" @click=${() => this.#change({ is_archived: !session.is_archived })}>${session.is_archived ? 'Take out of the archive' : 'Archive'}</button>
        ${this.isSure ? nothing : html`<button class="button quiet danger" @click=${() => (this.isSure = true)}>Delete…</button>`}</p>
      ${this.isSure ? this.#question() : nothing}`;
  }

  #question() {
    return html`<div class="notice" role="group" aria-label="Delete the session"><b>Delete this session?</b> Its history, files and sandbox go too, for good.
      <p class="choices"><button class="button danger" @click=${this.#deleted}>Delete it</button><button class="button" @click=${() => (this.isSure = false)}>Keep it</button></p></div>`;
  }

  #renamed(event) {
    event.preventDefault();
    const text = String(new FormData(event.target).get('title')).trim();
    this.#change({ title: text || null });
  }

  async #change(body) {
    await this.attempt(async () => this.state.renew(await call('PATCH', `sessions/${this.state.id}`, { body })));
  }

  async #deleted() {
    await this.attempt(async () => {
      await call('DELETE', `sessions/${this.state.id}`);
      this.tell('session-gone', this.state.id);
      location.hash = '#/';
    });
  }
}

/** How many of its requests were allowed for all of the session. */
const granted = ({ requests }) => [...requests.values()].filter(({ decision }) => decision?.decision === 'allow_session').length;

const state = (status) => (status === 'requires_action' ? 'waits for you' : plain(status.replace('_', ' ')));

/** @returns {[string, unknown][]} what is known, each with its name */
function facts(session, thread) {
  const environment = session.environment ?? { variables: [], secrets: [] };
  const all = [
    ['Agent', session.agent_name],
    ['Model', session.model ?? thread?.model],
    ['State', state(session.status === 'requires_action' ? session.status : thread?.status ?? session.status)],
    ['Why', thread?.error ? oneLine(thread.error.message) : ''],
    ['The session', used(session.usage)],
    ['Repositories', (session.repositories ?? []).map(repositoryName).join(', ')],
    ['Pull requests', links(session.pull_requests ?? [])],
    ['Variables', environment.variables.join(', ')],
    ['Secrets', environment.secrets.join(', ')],
    ...Object.entries(session.metadata ?? {}).map(([name, value]) => [plain(name), plain(value)]),
    ['Started', moment(session.created_at)],
    ['Last change', moment(session.updated_at)],
    ['Id', html`<span class="mono">${session.id}</span>`],
  ];
  return /** @type {[string, unknown][]} */ (all.filter(([, value]) => value));
}

function links(addresses) {
  const safe = addresses.filter((each) => each.startsWith('https://'));
  return safe.length ? safe.map((each) => html`<a href=${each} target="_blank" rel="noopener noreferrer">${plain(each)}</a> `) : null;
}
customElements.define('details-panel', DetailsPanel);
