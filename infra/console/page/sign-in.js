import { html, nothing, Part } from './part.js';
import { ask, get, refused } from './api.js';
import { keepKey, storedKey } from './key.js';

const FRAGMENT = /^#sign-in=([\w-]+)$/;

/** The one-time code of a link, which is taken out of the address before anything else is done. */
export function takenCode() {
  const code = FRAGMENT.exec(location.hash)?.[1] ?? '';
  if (code) history.replaceState(null, '', `${location.pathname}${location.search}#/`);
  return code;
}

/** Signing in: a key is pasted, or a one-time code that came in the address is exchanged for one. */
class SignIn extends Part {
  static properties = { code: {}, problem: { state: true }, isBusy: { state: true } };

  constructor() {
    super();
    this.code = '';
    this.problem = '';
    this.isBusy = false;
  }

  firstUpdated() {
    if (this.code && !storedKey()) this.#exchange();
    else this.querySelector('input[name=key]')?.focus();
  }

  render() {
    if (this.code && storedKey()) return this.#question();
    return html`<main class="gate">
      <h1>Agent Sessions</h1>
      <p class="lead">Paste an API key of your workspace. It is sent to this service only.</p>
      <form @submit=${this.#submitted}>
        <label for="key">API key</label>
        <input class="field mono" id="key" name="key" type="password" autocomplete="off" spellcheck="false" placeholder="ask_…" required>
        <label class="choice"><input type="checkbox" name="keep"> Keep it in this browser, not only in this tab</label>
        ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
        <button class="button primary" ?disabled=${this.isBusy}>${this.isBusy ? 'Signing in…' : 'Sign in'}</button>
      </form>
    </main>`;
  }

  #question() {
    return html`<main class="gate">
      <h1>You are signed in already</h1>
      <p class="lead">The link that you opened brings a key of its own. Shall it replace the one that is here?</p>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      <p class="choices"><button class="button primary" @click=${this.#exchange}>Replace the key</button>
        <button class="button" @click=${() => this.tell('signed-in')}>Keep mine</button></p>
    </main>`;
  }

  async #submitted(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const key = String(form.get('key')).trim().replace(/^ApiKey +/i, '');
    await this.#attempt(async () => {
      await get('me', { key });
      keepKey(key, form.has('keep'));
    });
  }

  async #exchange() {
    await this.#attempt(async () => {
      const code = this.code;
      this.code = '';
      const answer = await ask('POST', 'console/sign-in', { body: { code }, key: '' });
      if (!answer.ok) throw await said(answer);
      keepKey((await answer.json()).key, false);
    });
  }

  async #attempt(action) {
    this.isBusy = true;
    this.problem = '';
    try {
      await action();
      this.tell('signed-in');
    } catch (fault) {
      this.problem = fault.status === 401 && !fault.isCode ? 'The service does not know this key, or it has ended.' : fault.message;
    }
    this.isBusy = false;
  }
}

/** @param {Response} answer to a code */
async function said(answer) {
  const refusal = await refused(answer);
  const words = answer.status === 401 ? 'This link was used, or is older than five minutes. Paste a key, or get a new link from scripts/keys sign-in.' : refusal.message;
  return Object.assign(new Error(words), { status: answer.status, isCode: true });
}
customElements.define('sign-in', SignIn);
