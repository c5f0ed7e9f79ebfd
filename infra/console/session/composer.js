import './file-drop.js';
import '../text/elapsed-time.js';
import { html, nothing, Part } from '../page/part.js';
import { draft, keepDraft } from '../page/drafts.js';

const STOPS = html`<span class="keys"> · <kbd>Esc</kbd> stops the turn</span>`;

/** The field for a message. It shows the effect of sending it. */
class MessageComposer extends Part {
  static properties = {
    state: { attribute: false },
    version: { type: Number },
    isSending: { state: true },
    problem: { state: true },
    text: { state: true },
    files: { state: true },
  };
  /** @type {typeof import('./attachments.js') | null} what handles files, once there are any */
  #along = null;

  constructor() {
    super();
    this.state = null;
    this.version = 0;
    this.isSending = false;
    this.problem = '';
    this.text = '';
    this.files = [];
  }

  willUpdate(changed) {
    if (changed.has('state')) {
      this.text = draft(this.state.id);
      this.files = [];
      this.problem = '';
    }
  }

  render() {
    const { isWorking, thread, session } = this.state;
    const action = isWorking ? 'Interrupt and send' : 'Send';
    return html`<form class="composer" @submit=${this.#submitted}>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <file-drop class="box" @files=${(event) => this.#attach(event.detail)}>
        <textarea rows="2" aria-label="Message" placeholder="Send a follow-up" dir="auto" maxlength="262144" .value=${this.text}
          @input=${this.#written} @keydown=${this.#pressed}></textarea>
        ${this.files.length ? this.#along.listed(this.files, (file) => (this.files = this.files.filter((each) => each !== file))) : nothing}
        <div class="bar">
          <span>${this.#status(isWorking, thread, session)}</span>
          <input type="file" aria-label="Files" multiple hidden @change=${this.#chosen}>
          <button type="button" class="button quiet" @click=${() => this.querySelector('input[type=file]').click()}>Add files</button>
          ${isWorking ? html`<button type="button" class="button" @click=${this.stop}>Stop</button>` : nothing}
          ${isWorking ? html`<button type="button" class="button" ?disabled=${this.isSending || !this.text.trim()} @click=${() => this.#send('queue')}>Send after this turn</button>` : nothing}
          <button class="button primary" ?disabled=${this.isSending || !this.text.trim()}>${this.isSending ? 'Sending…' : action}</button>
        </div>
      </file-drop>
    </form>`;
  }

  #status(isWorking, thread, session) {
    if (!isWorking) return html`${session.is_archived ? 'Archived; a message brings it back' : nothing}<span class="keys">${session.is_archived ? ' · ' : nothing}<kbd>Ctrl</kbd> <kbd>Enter</kbd> sends</span>`;
    if (this.state.isAsking) return html`<b class="asks">Waits for you</b>${STOPS}`;
    const since = (this.state.running ?? thread)?.started_at;
    return since ? html`Working for <elapsed-time .since=${since}></elapsed-time>${STOPS}` : html`Waiting to start${STOPS}`;
  }

  /** Puts a text behind what is written already. @param {string} text */
  add(text) {
    this.text = [this.text.trimEnd(), text].filter(Boolean).join('\n\n');
    keepDraft(this.state.id, this.text);
  }

  #chosen(event) {
    this.#attach([...event.target.files]);
    event.target.value = '';
  }

  #attach(chosen) {
    return this.attempt(async () => {
      this.#along ??= await import('./attachments.js');
      Object.assign(this, this.#along.attached(this.files, chosen));
    });
  }

  #written(event) {
    this.text = event.target.value;
    keepDraft(this.state.id, this.text);
  }

  #pressed(event) {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
      event.preventDefault();
      this.#send();
    }
  }

  #submitted(event) {
    event.preventDefault();
    this.#send();
  }

  /** @param {'interrupt' | 'queue'} [onRunning] what becomes of a turn that runs */
  async #send(onRunning = 'interrupt') {
    const { text, files, state } = this;
    if (!text.trim() || this.isSending) return;
    this.isSending = true;
    await this.attempt(async () => {
      const along = files.length ? { files: await this.#along.sent(files) } : {};
      await state.send({ message: text, ...along, ...(onRunning === 'queue' && { on_running: onRunning }) });
      keepDraft(state.id, '');
      if (this.text === text) this.text = '';
      this.files = this.files.filter((file) => !files.includes(file));
      this.tell('sent');
    });
    this.isSending = false;
  }

  stop() {
    return this.attempt(() => this.state.interrupt());
  }
}
customElements.define('message-composer', MessageComposer);
