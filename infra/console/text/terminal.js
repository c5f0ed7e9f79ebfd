/** A program's output, with its colours; all other escape sequences are removed. */

// escape sequences: CSI with its parameters and final byte, strings up to their end, and two-byte ones
const ESCAPE = /\u001b(?:\[([0-9;:?<=>]*)[ -/]*([@-~])|[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g;

/** @typedef {{text: string, style: string}} Run */

/** @param {string} text */
export const isPrinted = (text) => text.includes('\u001b[');

/**
 * @param {string} text
 * @returns {Run[]} pieces of text with the names of their style classes
 */
export function runs(text) {
  const found = [];
  const style = { colour: '', weight: '' };
  let from = 0;
  const shown = text.split('\n').map(last).join('\n');
  for (const escape of shown.matchAll(ESCAPE)) {
    add(found, shown.slice(from, escape.index), style);
    from = escape.index + escape[0].length;
    if (escape[2] === 'm') turn(style, (escape[1] || '0').split(/[;:]/).map(Number));
  }
  add(found, shown.slice(from), style);
  return found;
}

/** Of a line that was written over and over, as a progress bar is, the last. */
function last(line) {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line;
  return whole.slice(whole.lastIndexOf('\r') + 1);
}

function add(found, text, { colour, weight }) {
  if (text) found.push({ text, style: [colour, weight].filter(Boolean).join(' ') });
}

/** The sixteen colours and bold; of larger palettes the text stays as it is. */
function turn(style, codes) {
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i];
    if (code === 0) Object.assign(style, { colour: '', weight: '' });
    else if (code === 1) style.weight = 'strong';
    else if (code === 22) style.weight = '';
    else if (code === 39) style.colour = '';
    else if (code >= 30 && code <= 37) style.colour = `colour-${code - 30}`;
    else if (code >= 90 && code <= 97) style.colour = `colour-${code - 90}`;
    else if (code === 38 || code === 48) i += codes[i + 1] === 5 ? 2 : 4;
  }
}
