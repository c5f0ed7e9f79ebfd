/** A parser of git patches into files and their lines. */

const KINDS = { '+': 'a', '-': 'r', '@': 'h', '\\': 'h' };

/**
 * @typedef {{kind: 'a' | 'r' | 'h' | '', text: string, before: number | null, after: number | null}} Line its numbers before and after the change
 * @typedef {{path: string, note: string, lines: Line[], added: number, removed: number}} Changed
 * @param {string} patch
 * @returns {Changed[]}
 */
export function files(patch) {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith('diff --git '))
    .map(changed);
}

/** @param {string} part */
function changed(part) {
  const lines = part.replace(/\n$/, '').split('\n');
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
