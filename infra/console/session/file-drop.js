/** An area that takes files: what is dropped on it, and pictures pasted into its field. Fires `files`. */
class FileDrop extends HTMLElement {
  #pasted = 0;

  connectedCallback() {
    this.addEventListener('dragover', this.#over);
    this.addEventListener('dragleave', this.#left);
    this.addEventListener('drop', this.#dropped);
    this.addEventListener('paste', this.#paste);
  }

  #over(event) {
    if (!hasFiles(event.dataTransfer)) return;
    event.dataTransfer.dropEffect = 'copy';
    this.classList.add('dropping');
  }

  #left(event) {
    if (!this.contains(event.relatedTarget)) this.classList.remove('dropping');
  }

  #dropped(event) {
    this.classList.remove('dropping');
    this.#bring(event.dataTransfer);
  }

  /** Of what has a text as well, such as cells of a table, the text is meant. */
  #paste(event) {
    if (event.clipboardData.types.includes('text/plain')) return;
    if (this.#bring(event.clipboardData)) event.preventDefault();
  }

  #bring(transfer) {
    const files = [...transfer.items].filter((item) => item.kind === 'file' && !item.webkitGetAsEntry()?.isDirectory).map((item) => this.#named(item.getAsFile()));
    if (files.length) this.dispatchEvent(new CustomEvent('files', { detail: files }));
    return files.length > 0;
  }

  /** Browsers call every picture the same that has no file. */
  #named(file) {
    return file.name === 'image.png' ? new File([file], `picture-${++this.#pasted}.png`, { type: file.type }) : file;
  }
}

const hasFiles = (transfer) => transfer?.types.includes('Files') ?? false;

// A file that misses the area must not take the place of the page.
addEventListener('dragover', (event) => {
  if (!hasFiles(event.dataTransfer)) return;
  event.preventDefault();
  const isTaken = event.target instanceof Element && event.target.closest('file-drop');
  if (!isTaken) event.dataTransfer.dropEffect = 'none';
});
addEventListener('drop', (event) => hasFiles(event.dataTransfer) && event.preventDefault());
customElements.define('file-drop', FileDrop);
