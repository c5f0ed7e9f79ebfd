import '../text/file-diff.js';
import { html, nothing, Part } from '../page/part.js';
import { download, get } from '../page/api.js';
import { connection } from '../page/connection.js';
import { sessionAddress } from '../page/routes.js';
import { decoded, files } from '../text/diff.js';
import { sha256 } from '../text/digest.js';
import { counted, exact, plain, size } from '../text/text.js';

/** Nobody reads a longer patch here. */
const LONGEST = 8 * 1024 * 1024;
const MOST_OPEN = 8;
const PAUSE = 2_000;

/**
 * One repository's part of a push.
 * @typedef {{
 *   push: {path: string, branch: string, url: string, patch_sha256: string, pull_request: boolean},
 *   files: import('../text/diff.js').Changed[],
 *   unshown: string,
 *   fault: string,
 * }} Change unshown: what of it cannot be shown; fault: why it cannot be allowed
 */

/**
 * The pushes that are to be decided on: where the changes of each repository go, and what they are. Tells as `seen` whether all of them was
 * shown, and is what would be pushed. Of a push that was allowed: why it was refused.
 */
class RequestPush extends Part {
  static properties = { request: { attribute: false }, changes: { state: true }, shown: { state: true }, typed: { state: true }, refusals: { state: true }, problem: { state: true } };
  #abort = new AbortController();

  constructor() {
    super();
    /** @type {any} */
    this.request = null;
    /** @type {Change[] | null} */
    this.changes = null;
    /** @type {Set<unknown>} files of which all lines are on the page, or were */
    this.shown = new Set();
    /** @type {Record<string, string>} by the path of a repository with parts that cannot be shown */
    this.typed = {};
    /** @type {{path: string, message: string}[]} */
    this.refusals = [];
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    if (this.hasUpdated && !this.changes) this.#load();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#abort.abort();
  }

  willUpdate(changed) {
    const before = changed.get('request');
    if (changed.has('request') && (before?.id !== this.request.id || before.status !== this.request.status)) this.#load();
  }

  updated(changed) {
    if (['changes', 'shown', 'typed'].some((name) => changed.has(name))) this.tell('seen', this.#isSeen);
  }

  get #isSeen() {
    return Boolean(this.changes?.every((change) => !change.fault && this.#isShown(change)));
  }

  /** @param {Change} change */
  #isShown({ push, files: changed, unshown }) {
    return changed.every((file) => !file.lines.length || this.shown.has(file)) && (!unshown || this.typed[push.path] === push.branch);
  }

  render() {
    return html`${this.request.tool.input.repositories.map((push) => this.#part(push))}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.refusals.map(({ path, message }) => html`<p class="problem">${exact(path)}: ${plain(message)}</p>`)}
      <p><a href=${sessionAddress(this.request.session_id, 'changes')}>What has changed</a></p>`;
  }

  #part(push) {
    const change = this.changes?.find((each) => each.push.path === push.path);
    return html`<dl class="facts"><dt dir="auto">${exact(push.path)}</dt>
      <dd>to the branch <code><bdi>${exact(push.branch)}</bdi></code> of <bdi class="mono">${exact(push.url)}</bdi>${push.pull_request ? ', with a pull request' : nothing}</dd></dl>
      ${change ? this.#change(change) : nothing}
      ${change || this.request.status !== 'pending' || this.problem ? nothing : html`<p class="lead" aria-busy="true">Loading the changes…</p>`}`;
  }

  /** @param {Change} change */
  #change({ push, files: changed, unshown, fault }) {
    return html`<div class="changed" @file-shown=${this.#fileShown}>
      ${fault ? html`<p class="problem" role="alert">${fault}</p>` : nothing}
      ${changed.length ? this.#list(changed) : nothing}
      ${unshown && !fault ? html`<label class="problem">${unshown} To allow it nevertheless, type the name of the branch:
        <input class="field mono" autocomplete="off" spellcheck="false" dir="auto" @input=${(event) => (this.typed = { ...this.typed, [push.path]: event.target.value })}></label>` : nothing}</div>`;
  }

  /** @param {import('../text/diff.js').Changed[]} changed */
  #list(changed) {
    const closed = changed.filter((file) => file.lines.length && !this.shown.has(file)).length;
    return html`<p class="choices wrap"><span class="lead"><span class="plus">+${sum(changed, 'added')}</span> <span class="minus">−${sum(changed, 'removed')}</span> in ${counted(changed.length, 'file')}</span>
        ${closed ? html`<button type="button" class="button quiet" @click=${this.#showAll}>Show the ${closed > 1 ? `${closed} that are` : 'one that is'} closed</button>` : nothing}</p>
      ${changed.map((file, at) => html`<file-diff .file=${file} .isOpen=${at < MOST_OPEN} .mayWrite=${false}></file-diff>`)}`;
  }

  #showAll(event) {
    event.target.closest('.changed').querySelectorAll('file-diff').forEach((each) => each.showAll());
  }

  #fileShown({ detail: file }) {
    if (!this.shown.has(file)) this.shown = new Set(this.shown).add(file);
  }

  #load() {
    this.#abort.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    Object.assign(this, { changes: null, shown: new Set(), typed: {}, refusals: [], problem: '' });
    const { status, decision } = this.request;
    if (status === 'pending') this.#changes(signal).catch((fault) => !signal.aborted && this.failed(fault, () => this.#load()));
    else if (decision && decision.decision !== 'deny') this.#outcome(signal).catch(() => {}); // the session tells it, too
  }

  /** @param {AbortSignal} signal */
  async #changes(signal) {
    const session = await get(`sessions/${this.request.session_id}`, { signal });
    const changes = await Promise.all(this.request.tool.input.repositories.map((push) => this.#read(push, session, signal)));
    if (!signal.aborted) this.changes = changes;
  }

  /** @returns {Promise<Change>} */
  async #read(push, session, signal) {
    const repository = session.repositories.find(({ path }) => path === push.path);
    const none = { push, files: [], unshown: '', fault: '' };
    if (!repository?.patch_artifact_id) return { ...none, fault: 'Its patch is not kept any more, so nobody can see what would be pushed.' };
    const patch = await get(`sessions/${session.id}/artifacts/${repository.patch_artifact_id}`, { signal });
    const bytes = new Uint8Array(await (await download(patch.url, signal)).arrayBuffer());
    if (sha256(bytes) !== push.patch_sha256) return { ...none, fault: 'What was loaded is not the patch that would be pushed. Load the page again.' };
    if (bytes.length > LONGEST) return { ...none, unshown: `The patch has ${size(bytes.length)}, which is too much to be shown here.` };
    const found = files(decoded(bytes));
    const hidden = found.filter(({ isWhole }) => !isWhole).map(({ path }) => path);
    return { push, files: found, unshown: hidden.length ? `Not shown: ${exact(hidden.join(', '))}.` : '', fault: differs(found, repository) };
  }

  /** What became of a push that was allowed, which may take a while. */
  async #outcome(signal) {
    for (;;) {
      const session = await get(`sessions/${this.request.session_id}`, { signal });
      const paths = new Set(this.request.tool.input.repositories.map(({ path }) => path));
      if (session.thread_id !== this.request.thread_id) return; // it tells of a later one
      if (!session.job) {
        this.refusals = session.repositories.filter(({ path, error }) => error && paths.has(path)).map(({ path, error }) => ({ path, message: error.message }));
        return;
      }
      await connection.pause(PAUSE, signal);
      if (signal.aborted) return;
    }
  }
}

/** @param {import('../text/diff.js').Changed[]} changed @param {'added' | 'removed'} of */
const sum = (changed, of) => changed.reduce((total, file) => total + file[of], 0);

/** Why what is shown cannot be all; empty if it is. */
function differs(found, repository) {
  const names = new Set(found.map(({ path }) => path)); // a file that becomes a link is there twice
  const shown = [sum(found, 'added'), sum(found, 'removed'), names.size];
  const known = [repository.additions, repository.deletions, repository.files_changed];
  if (shown.every((count, at) => count === known[at])) return '';
  const words = (/** @type {any[]} */ [added, removed, count]) => `+${added} −${removed} in ${counted(count, 'file')}`;
  return `What is shown is ${words(shown)}, and what would be pushed is ${words(known)}. It cannot be allowed here.`;
}
customElements.define('request-push', RequestPush);
