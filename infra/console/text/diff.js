/** A parser of git patches into files and their lines. */

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const KINDS = { '+': 'a', '-': 'r', '@': 'h', '\\': 'h' };

/**
 * @typedef {{kind: 'a' | 'r' | 'h' | '', text: string, before: number | null, after: number | null}} Line its numbers before and after the change
 * @typedef {{path: string, note: string, lines: Line[], added: number, removed: number}} Changed
 * @param {string} patch
 * @returns {Changed[]}
 */
export function files(patch) {
  return parts(patch.replace(/\n$/, '').split('\n')).map(changed);
}

/**
 * The lines of each file. Git ends a line by a line feed and by nothing else, and a line of a hunk is one of the file's whatever it says, so
 * hunks are counted.
 * @param {string[]} lines
 */
function parts(lines) {
  /** @type {string[][]} */
  const found = [];
  const left = { before: 0, after: 0 };
  for (const line of lines) {
    if (left.before > 0 || left.after > 0) {
      if (line[0] !== '+' && line[0] !== '\\') left.before--;
      if (line[0] !== '-' && line[0] !== '\\') left.after--;
      found.at(-1)?.push(line);
    } else if (line.startsWith('diff --git ')) {
      found.push([line]);
    } else {
      const hunk = found.length ? HUNK.exec(line) : null;
      if (hunk) Object.assign(left, { before: Number(hunk[2] ?? 1), after: Number(hunk[4] ?? 1) });
      found.at(-1)?.push(line);
    }
  }
  return found;
}

/** @param {string[]} lines */
function changed(lines) {
  const body = lines.findIndex((line) => line.startsWith('@@') || line.startsWith('GIT binary patch'));
  const head = body < 0 ? lines : lines.slice(0, body);
  const shown = body < 0 || !lines[body].startsWith('@@') ? [] : numbered(lines.slice(body));
  return {
    path: path(head),
    note: note(head, body >= 0 && shown.length === 0),
    lines: shown,
    added: shown.filter((line) => line.kind === 'a').length,
    removed: shown.filter((line) => line.kind === 'r').length,
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
  return named(head, 'rename to ') || /^diff --git "?a\/(.*?)"? "?b\//.exec(head[0])?.[1] || head[0];
}

/** Git puts a name with signs of its own in quotation marks, bytes in octal. */
function named(head, start) {
  const text = head.find((line) => line.startsWith(start))?.slice(start.length).replace(/\t$/, '') ?? '';
  return text.startsWith('"') ? unquoted(text.slice(1, -1)) : text;
}

function unquoted(text) {
  const bytes = [];
  for (const part of text.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/g)) {
    if (part[1]) bytes.push(parseInt(part[1], 8));
    else bytes.push(...new TextEncoder().encode(part[2] ?? part[3]));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function note(head, isBinary) {
  const is = (start) => head.some((line) => line.startsWith(start));
  if (is('new file')) return isBinary ? 'new, binary' : 'new';
  if (is('deleted file')) return 'deleted';
  if (is('rename from')) return `was ${named(head, 'rename from ')}`;
  if (is('old mode')) return 'mode';
  return isBinary || is('Binary files') ? 'binary' : '';
}
