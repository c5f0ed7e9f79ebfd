/** A parser of git patches into files and their lines. What it does not know it says so: nothing of a patch is left out unsaid. */

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const HEAD = /^(?:index|old mode|new mode|new file mode|deleted file mode|similarity index|dissimilarity index|rename from|rename to|copy from|copy to|---|\+\+\+) /;
const KINDS = { '+': 'a', '-': 'r', '@': 'h', '\\': 'h' };
const LINE_FEED = 10;

/**
 * @typedef {{kind: 'a' | 'r' | 'h' | '', text: string, before: number | null, after: number | null}} Line its numbers before and after the change
 * @typedef {{path: string, note: string, lines: Line[], added: number, removed: number, isWhole: boolean}} Changed whole: all of it is in the
 *   note and the lines
 * @param {string} patch
 * @returns {Changed[]}
 */
export function files(patch) {
  return parts(patch ? patch.replace(/\n$/, '').split('\n') : []).map(changed);
}

/**
 * The text of a patch, which is bytes. In a line that is no UTF-8 each byte that is no ASCII stands as `\xNN`.
 * @param {Uint8Array} bytes
 */
export function decoded(bytes) {
  const whole = utf8(bytes);
  if (whole !== null) return whole;
  const lines = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(LINE_FEED, start);
    const end = found < 0 ? bytes.length : found;
    const line = bytes.subarray(start, end);
    lines.push(utf8(line) ?? [...line].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join(''));
    start = end + 1;
  }
  return lines.join('\n');
}

/** @param {Uint8Array} bytes @returns {string | null} null where they are none */
function utf8(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * The lines of each file: its head, and its hunks. Git ends a line by a line feed and by nothing else, and a line of a hunk is one of the
 * file's whatever it says, so hunks are counted.
 * @typedef {{head: string[], body: string[], isWhole: boolean}} FilePart
 * @param {string[]} lines
 */
function parts(lines) {
  /** @type {FilePart[]} */
  const found = [];
  const left = { before: 0, after: 0 };
  for (const line of lines) {
    if (left.before > 0 || left.after > 0) counted(line, left, /** @type {FilePart} */ (found.at(-1)));
    else if (line.startsWith('diff --git ')) found.push({ head: [line], body: [], isWhole: true });
    else begun(line, left, found);
  }
  const last = found.at(-1);
  if (last && (left.before > 0 || left.after > 0)) last.isWhole = false;
  return found;
}

/** A line of a hunk. */
function counted(line, left, file) {
  const sign = line[0] ?? ' ';
  if (sign === ' ' || sign === '-') left.before--;
  if (sign === ' ' || sign === '+') left.after--;
  if (!' +-\\'.includes(sign) || left.before < 0 || left.after < 0) file.isWhole = false;
  file.body.push(line);
}

/** A line between hunks: of a file's head, or the first of a hunk. What stands before all files belongs to none. */
function begun(line, left, found) {
  if (!found.length) found.push({ head: ['diff --git'], body: [], isWhole: false });
  const file = found.at(-1);
  const hunk = HUNK.exec(line);
  if (hunk) {
    Object.assign(left, { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) });
    file.body.push(line);
  } else if (file.body.length && line.startsWith('\\')) file.body.push(line);
  else if (!file.body.length && HEAD.test(line)) file.head.push(line);
  else file.isWhole = false;
}

/** @param {FilePart} part @returns {Changed} */
function changed({ head, body, isWhole }) {
  const lines = numbered(body);
  return {
    path: path(head),
    note: note(head, isWhole),
    lines,
    added: lines.filter((line) => line.kind === 'a').length,
    removed: lines.filter((line) => line.kind === 'r').length,
    isWhole,
  };
}

/** @param {string[]} texts @returns {Line[]} */
function numbered(texts) {
  const next = { before: 0, after: 0 };
  return texts.map((text) => {
    const kind = KINDS[text[0]] ?? '';
    const hunk = /^@@ -(\d+)\S* \+(\d+)/.exec(text);
    if (hunk) Object.assign(next, { before: Number(hunk[1]), after: Number(hunk[2]) });
    return { kind, text, before: kind === 'r' || !kind ? next.before++ : null, after: kind === 'a' || !kind ? next.after++ : null };
  });
}

/** Where the file is now; of a deleted one, where it was. */
function path(head) {
  const to = named(head, '+++ ');
  const from = named(head, '--- ');
  const name = to && to !== '/dev/null' ? to : from;
  return name && name !== '/dev/null' ? name.replace(/^[ab]\//, '') : renamed(head);
}

function renamed(head) {
  return named(head, 'rename to ') || named(head, 'copy to ') || unchanged(head[0].slice('diff --git '.length)) || head[0];
}

/** The name of a file that has kept its own: it stands there twice. @param {string} names */
function unchanged(names) {
  const half = (names.length - 1) / 2;
  const [before, after] = [names.slice(0, half), names.slice(half + 1)].map((name) => unquoted(name).slice(2));
  return before === after ? after : '';
}

/** @param {string[]} head @param {string} start */
function named(head, start) {
  return unquoted(head.find((line) => line.startsWith(start))?.slice(start.length).replace(/\t$/, '') ?? '');
}

/** Git puts a name with signs of its own in quotation marks, bytes in octal. Other signs stay as it writes them. @param {string} text */
function unquoted(text) {
  if (!/^".*"$/.test(text)) return text;
  /** @type {number[]} */
  const bytes = [];
  for (const part of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(")|(\\[^]|[^\\]+)/g)) {
    if (part[1]) bytes.push(parseInt(part[1], 8));
    else bytes.push(...new TextEncoder().encode(part[2] ?? part[3]));
  }
  return decoded(new Uint8Array(bytes));
}

/** What a mode makes of a file, where it is no plain one. */
const MODES = { 100755: 'executable', 120000: 'link', 160000: 'submodule' };

/** What is to be known of a file beside its lines, in words. @param {string[]} head @param {boolean} isWhole */
function note(head, isWhole) {
  const said = (start) => head.find((line) => line.startsWith(start))?.slice(start.length).trim();
  const [fresh, gone, from, to] = ['new file mode ', 'deleted file mode ', 'old mode ', 'new mode '].map(said);
  const kept = said('index ')?.split(' ')[1];
  return [
    fresh && 'new',
    gone && 'deleted',
    said('rename from ') !== undefined && `was ${named(head, 'rename from ')}`,
    said('copy from ') !== undefined && `copy of ${named(head, 'copy from ')}`,
    from && `mode ${from} → ${to}`,
    MODES[to ?? fresh ?? gone ?? kept ?? ''],
    !isWhole && 'not text, so not shown',
  ]
    .filter(Boolean)
    .join(', ');
}
