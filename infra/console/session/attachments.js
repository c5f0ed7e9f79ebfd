/** Files that go along with a message: small ones inside of it, the others by uploads. */
import { html } from '../page/part.js';
import { hex, post, put } from '../page/api.js';
import { plain, size } from '../text/text.js';

/** All that are inside of a message together, in bytes. */
const INLINE = 256 * 1024;
/** Beyond it a file is not summed up here: that takes as much memory. */
const SUMMED = 256 * 1024 * 1024;
export const LARGEST = 1024 * 1024 * 1024;
export const MOST = 20;

/**
 * @typedef {{path: string, size: number, file: File, upload_id?: string}} Attached
 * @param {Attached[]} known
 * @param {File[]} chosen a file of the same name takes the place of the other
 * @returns {{files: Attached[], problem: string}}
 */
export function attached(known, chosen) {
  const names = new Set(chosen.map((file) => file.name));
  const kept = known.filter((file) => !names.has(file.path));
  const large = chosen.find((file) => file.size > LARGEST);
  if (large) return { files: known, problem: `${large.name} is ${size(large.size)}; a file may be ${size(LARGEST)} at most.` };
  if (kept.length + chosen.length > MOST) return { files: known, problem: `At most ${MOST} files can be sent along.` };
  return { files: [...kept, ...chosen.map((file) => ({ path: file.name, size: file.size, file }))], problem: '' };
}

/**
 * The same as a list.
 * @param {Attached[]} files
 * @param {(file: Attached) => void} leave is told which one is left out after all
 */
export const listed = (files, leave) => html`<ul class="plain">${files.map((file) => html`<li><bdi class="mono">${plain(file.path)}</bdi> <small>${size(file.size)}</small>
  <button type="button" class="button quiet" aria-label="Leave out ${plain(file.path)}" @click=${() => leave(file)}>Leave out</button></li>`)}</ul>`;

/**
 * The same as a message has them, once those are uploaded that do not fit into it. What is uploaded is not uploaded again.
 * @param {Attached[]} files
 * @returns {Promise<{path: string, content_base64?: string, upload_id?: string}[]>}
 */
export async function sent(files) {
  const named = [];
  let room = INLINE;
  for (const each of files) {
    if (each.size <= room) {
      room -= each.size;
      named.push({ path: each.path, content_base64: await base64(each.file) });
    } else {
      each.upload_id ??= await uploaded(each.file);
      named.push({ path: each.path, upload_id: each.upload_id });
    }
  }
  return named;
}

async function uploaded(file) {
  const place = await post('uploads', { file_name: file.name, size: file.size, ...(await sum(file)) });
  await put(place.url, place.headers, file);
  return place.id;
}

/** Browsers sum up in pages only that came by a way that nobody could change. */
async function sum(file) {
  if (!crypto.subtle || file.size > SUMMED) return {};
  return { sha256: hex(new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))) };
}

async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += 8192) text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return btoa(text);
}
