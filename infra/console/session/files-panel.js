import { html, nothing, Part, repeat } from '../page/part.js';
import { outputs } from './artifacts.js';
import { sessionAddress } from '../page/routes.js';
import { bytes } from '../text/file-preview.js';
import { moment, plain, size } from '../text/text.js';

/** Files that the agent made, each with a preview and a link. */
class FilesPanel extends Part {
  static properties = { state: { attribute: false }, version: { type: Number }, item: {} };

  constructor() {
    super();
    this.state = null;
    this.version = 0;
    this.item = '';
  }

  render() {
    const files = outputs(this.state.artifacts);
    const open = files.find((file) => file.id === this.item);
    if (open) return this.#open(open);
    if (files.length === 0) return html`<p class="lead">No files yet. What the agent writes besides source is kept here.</p>`;
    return html`<ul class="files">${repeat(files, (file) => file.id, (file) => html`<li><a href=${sessionAddress(this.state.id, 'files', file.id)}>
      <bdi class="mono">${plain(file.file_path.replace(/^\/home\/agent\//, '').replace(/^\/workspace\//, ''))}</bdi><small>${size(bytes(file))} · ${moment(file.created_at)}</small></a></li>`)}</ul>`;
  }

  #open(file) {
    return html`<p class="choices"><a href=${sessionAddress(this.state.id, 'files')}>‹ All files</a><span class="space"></span><a href=${file.url} download>Download</a></p>
      <h2 class="name mono" dir="auto">${plain(file.file_name)}</h2>
      <p class="lead">${size(bytes(file))} · ${plain(file.mime_type)}${file.mime_type.startsWith('text/html') ? ' · shown without its scripts' : nothing}</p>
      <file-preview .artifact=${file}></file-preview>`;
  }
}
customElements.define('files-panel', FilesPanel);
