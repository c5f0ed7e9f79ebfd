/** The wording of values for people: times, sizes, costs, counts and names. */

// C0 and C1 controls but tab and line feed, what else is shown as a line break, what overrides or isolates the direction of the text around
// it, and what is not seen: blanks without a width, fillers, tags. Joiners and the selector of colour are part of other scripts and of emoji;
// after a Latin letter or a sign they are part of nothing.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![^\u0000-\u02ff])[\u200c\u200d\ufe0f]/gu;
const LINES = /[\r\n\t\u2028\u2029]+/g;

/**
 * A text that shows what it is: controls and overrides of direction stand there as themselves.
 * @param {string} text
 */
export const plain = (text) =>
  String(text)
    .replace(/\r\n/g, '\n')
    .replace(HIDDEN, marked);

/** A letter by its number. @param {string} hidden */
function marked(hidden) {
  const digits = /** @type {number} */ (hidden.codePointAt(0)).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}

const BLANKS = '\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u2800\\u3000';
/** What is not seen, or not for what it is; but for what joins and colours emoji. */
const UNSEEN = new RegExp(
  `(?!(?<=\\p{Extended_Pictographic})(?:\\ufe0f|\\u200d\\p{Extended_Pictographic}))[\\0-\\x08\\x0b-\\x1f\\x7f-\\x9f${BLANKS}\\p{Cf}\\p{Default_Ignorable_Code_Point}]`,
  'gu',
);

/** A text that somebody decides on: no two are shown alike. @param {string} text */
export const exact = (text) => String(text).replace(UNSEEN, marked);

/** The same on one line. @param {string} text @param {number} [most] characters */
export function oneLine(text, most = 300) {
  const line = plain(String(text).slice(0, 4 * most).replace(LINES, ' ')).trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 59.95) return `${Math.max(0.1, seconds).toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** How long ago, short. @param {string} time @param {number} now */
export function age(time, now) {
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000);
  if (seconds < 60) return 'now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  const date = new Date(time);
  if (seconds < 6 * 86_400) return date.toLocaleDateString('en', { weekday: 'short' });
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

/** @param {string} time */
export const moment = (time) => new Date(time).toLocaleString('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** The time of day; of another day also which. @param {string} time */
export function clock(time) {
  const date = new Date(time);
  return date.toDateString() === new Date().toDateString() ? CLOCK.format(date) : moment(time);
}

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1024) return `${Math.round(bytes)} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(bytes < 10_240 ? 1 : 0)} kB`;
  const megabytes = bytes / 1024 / 1024;
  return megabytes < 1024 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1024).toFixed(megabytes % 1024 ? 1 : 0)} GB`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What to call a session. @param {{title: string | null, id: string}} session */
export const title = (session) => (session.title ? oneLine(session.title) : `Session ${session.id.slice(0, 8)}`);

/** How a turn came out. @param {string} status */
export function ending(status) {
  const words = { completed: 'The agent has replied.', failed: 'The turn failed.', timed_out: 'The turn ran out of time.' };
  return words[status] ?? 'The turn was stopped.';
}

/** @param {{url: string, ref?: string | null, path?: string}} repository */
export function repositoryName(repository) {
  const name = repository.path || repository.url.replace(/\.git$/, '').split('/').pop();
  return oneLine(repository.ref ? `${name}#${repository.ref}` : `${name}`, 80);
}

/** @param {number} dollars */
export const money = (dollars) => `$${dollars.toFixed(dollars && dollars < 0.1 ? 4 : 2)}`;

/** What usage costs, as far as that is known. @param {{cost_usd: number | null, known_cost_usd?: number}} usage */
export function cost({ cost_usd: all, known_cost_usd: known }) {
  if (all !== null) return money(all);
  return known ? `at least ${money(known)}` : 'no price';
}

/** All that a model was given, in tokens. @param {any} usage */
export const read = (usage) => usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens;

/** What was used of models, on one line; nothing where none was asked. @param {any} usage */
export function used(usage) {
  if (!usage?.model_requests) return '';
  const tokens = `${counted(read(usage), 'token')} read, ${usage.output_tokens.toLocaleString('en')} written`;
  return `${cost(usage)} · ${tokens} · ${counted(usage.model_requests, 'request')}${usage.complete ? '' : ' · so far'}`;
}
