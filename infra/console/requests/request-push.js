import { html, nothing, Part } from '../page/part.js';
import { sessionAddress } from '../page/routes.js';
import { oneLine } from '../text/text.js';

/** The pushes that are to be decided on: where the changes of each repository go. */
class RequestPush extends Part {
  static properties = { sessionId: {}, input: { attribute: false } };

  constructor() {
    super();
    this.sessionId = '';
    /** @type {any} */
    this.input = null;
  }

  render() {
    return html`<dl class="facts">${this.input.repositories.map((each) => html`
      <dt dir="auto">${oneLine(each.path, 60)}</dt>
      <dd>to the branch <code>${oneLine(each.branch, 200)}</code> of <span class="mono">${oneLine(each.url, 200)}</span>${each.pull_request ? ', with a pull request' : nothing}</dd>`)}</dl>
      <p><a href=${sessionAddress(this.sessionId, 'changes')}>What has changed</a></p>`;
  }
}
customElements.define('request-push', RequestPush);
