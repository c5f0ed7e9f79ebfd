/** Files that go along with a message, inside of it. */
import { size } from './text.js';

/** All of them together, in bytes. */
export const INLINE = 256 * 1024;
const MOST = 20;

/**
 * @typedef {{path: string, size: number, content_base64: string}} Attached
 * @param {Attached[]} known
 * @param {File[]} chosen a file of the same name takes the place of the other
 * @returns {Promise<{files: Attached[], problem: string}>}
 */
export async function attached(known, chosen) {
  const names = new Set(chosen.map((file) => file.name));
  const kept = known.filter((file) => !names.has(file.path));
  const sum = [...kept, ...chosen].reduce((bytes, file) => bytes + file.size, 0);
  if (sum > INLINE) return { files: known, problem: `These files are ${size(sum)} together; at most ${size(INLINE)} can be sent along.` };
  if (kept.length + chosen.length > MOST) return { files: known, problem: `At most ${MOST} files can be sent along.` };
  return { files: [...kept, ...(await Promise.all(chosen.map(read)))], problem: '' };
}

async function read(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += 8192) text += String.fromCharCode(...bytes.subarray(from, from + 8192));
  return { path: file.name, size: file.size, content_base64: btoa(text) };
}
