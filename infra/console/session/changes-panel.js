import { html, nothing, Part, repeat } from '../page/part.js';
import { changes } from './artifacts.js';
import { counted, oneLine, repositoryName } from '../text/text.js';

/** The panel of the repositories' changes since the commit that was cloned. */
class ChangesPanel extends Part {
  static properties = { state: { attribute: false }, version: { type: Number }, mayWrite: { type: Boolean }, problem: { state: true } };

  constructor() {
    super();
    this.state = null;
    this.version = 0;
    this.mayWrite = true;
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    this.attempt(() => Promise.all([import('./patch-view.js'), import('../pulls/pull-request.js')]));
  }

  render() {
    const found = changes(this.state.session, this.state.artifacts);
    if (found.length === 0) return html`<p class="lead">No repository was given to this session, so there are no changes to show.</p>`;
    if (this.problem) return html`<p class="problem" role="alert">${this.problem}</p>`;
    return html`${repeat(found, (each) => each.key, (each) => this.#repository(each, found.length > 1))}`;
  }

  #repository({ repository, patch }, isOneOfMany) {
    return html`<section>
      ${isOneOfMany && repository ? html`<h2 class="name">${repositoryName(repository)}</h2>` : nothing}
      ${repository ? this.#summary(repository) : nothing}
      ${repository?.pull_request_url ? pullRequest(repository.pull_request_url) : nothing}
      ${repository?.error ? html`<p class="problem">${oneLine(repository.error.message)}</p>` : nothing}
      ${repository && patch && this.mayWrite ? html`<pull-request .state=${this.state} .version=${this.version} .path=${repository.path}></pull-request>` : nothing}
      ${patch ? html`<patch-view .sessionId=${this.state.id} .patch=${patch} .mayWrite=${this.mayWrite}
        .folder=${isOneOfMany && repository ? repository.path : ''}></patch-view>` : html`<p class="lead">Nothing was changed.</p>`}
    </section>`;
  }

  #summary(repository) {
    const base = repository.base_commit ? html`Against <span class="mono">${repository.base_commit.slice(0, 7)}</span> · ` : nothing;
    return html`<p class="lead">${base}<span class="plus">+${repository.additions}</span> <span class="minus">−${repository.deletions}</span>
      in ${counted(repository.files_changed, 'file')} · ${pushed(repository)}</p>`;
  }
}

/** The host of the repository says where it is, so its word is no script. @param {string} url */
function pullRequest(url) {
  const address = oneLine(url, 200);
  return html`<p class="lead">Pull request: ${/^https?:/i.test(url) ? html`<a href=${url} rel="noreferrer" target="_blank">${address}</a>` : address}</p>`;
}

function pushed(repository) {
  if (!repository.pushed) return 'not pushed';
  return html`pushed to <span class="mono">${oneLine(repository.pushed.branch, 80)}</span> (${repository.pushed.commit.slice(0, 7)})`;
}
customElements.define('changes-panel', ChangesPanel);
