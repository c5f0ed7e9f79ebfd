/** Markdown of agents as parts of a page. What they write is hostile until it has been cleaned. */
import 'dompurify'; // which is no module, but names itself DOMPurify
import { marked } from 'marked';
import { isLanguage } from './highlighting.js';

const TAGS = [
  'a', 'b', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'i', 'kbd', 'li', 'ol', 'p', 'pre', 's',
  'strong', 'sub', 'sup', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul',
];
const SETTINGS = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ['href', 'start', 'class'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/** Pictures would be asked for somewhere: they become links that say where they lead. */
const pictures = {
  renderer: {
    image({ href, text }) {
      return `<a href="${escaped(href)}">${escaped(text || 'image')}</a>`;
    },
    html({ text }) {
      return escaped(text);
    },
  },
};
marked.use({ gfm: true, breaks: false }, pictures);

/** Of classes only the one by which a piece of code says in which language it is. */
const LANGUAGE = /^language-[a-z0-9+#-]{1,20}$/i;
DOMPurify.addHook('uponSanitizeAttribute', (node, attribute) => {
  if (attribute.attrName === 'class') attribute.keepAttr = node.nodeName === 'CODE' && LANGUAGE.test(attribute.attrValue);
});

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName === 'A') {
    node.setAttribute('target', '_blank');
    node.setAttribute('rel', 'noopener noreferrer nofollow');
    node.setAttribute('title', node.getAttribute('href') ?? 'No address that may be opened');
  }
  if (node.nodeType === Node.ELEMENT_NODE) node.setAttribute('dir', 'auto');
  if (node.nodeName === 'PRE') node.setAttribute('tabindex', '0');
});

/**
 * @param {string} text
 * @returns {DocumentFragment} nothing in it runs or asks for anything
 */
export const rendered = (text) => DOMPurify.sanitize(marked.parse(text, { async: false }), SETTINGS);

/** Words, and the signs by which a shell does something; but not the signs of markdown. */
const WORDS = /[\p{L}\p{N}$;&</{}]+/gu;
const NUMBERS = /^[ \t>*+-]*\d+[.)]\s/gm;
const FENCES = /^([ \t>]*(?:`{3,}|~{3,})[ \t]*)([a-z0-9+#-]{1,20})[ \t]*$/gim;
/** What code is called beside the languages that get colours. */
const PLAIN = ['console', 'markdown', 'md', 'plaintext', 'text', 'txt'];

/**
 * Whether a rendered text says all that its source does: each word can be read, and where a line ends it is seen. The words of link
 * definitions, of addresses and titles of links, and beside the fences of code cannot be read, but a known language of code is no word. A line that
 * goes on where the one before ended may be a command behind what looks like a comment.
 * @param {string} text
 */
export function isShown(text) {
  const words = text.replace(FENCES, (all, fence, name) => (PLAIN.includes(name.toLowerCase()) || isLanguage(name) ? fence : all));
  return areShown(words, text) && !losesSigns(marked.lexer(text));
}

const EMPHASIS = ['em', 'strong', 'del'];
const CODE = ['code', 'codespan', 'space', 'br', 'hr', 'def'];

/**
 * Whether a sign that may mean something is not shown: a line break, a star or a tilde that may be part of a name, a backslash, a box, or the
 * number of a step, where those of a list do not follow each other.
 * @param {any[]} tokens
 */
function losesSigns(tokens) {
  return tokens.some((token) => {
    if (CODE.includes(token.type)) return false;
    if (token.type === 'escape' || token.task) return true;
    if (EMPHASIS.includes(token.type) && !/^[\p{L}\p{N}`].*[\p{L}\p{N}`.,:;!?)]$|^[\p{L}\p{N}]$/su.test(token.text)) return true;
    if (token.ordered && token.items.some((item, at) => Number(/\d+/.exec(item.raw)?.[0]) !== Number(token.start) + at)) return true;
    const inner = [token.tokens, token.items, token.header, ...(token.rows ?? [])].filter(Boolean).flat();
    return inner.length ? losesSigns(inner) : (token.raw ?? '').trim().includes('\n');
  });
}

/**
 * @param {string} words that must be there
 * @param {string} text that is rendered
 */
function areShown(words, text) {
  /** @type {string[]} */
  const shown = (rendered(text).textContent ?? '').match(WORDS) ?? [];
  let next = 0;
  return (words.replace(NUMBERS, '').match(WORDS) ?? []).every((word) => (next = shown.indexOf(word, next) + 1) > 0);
}

const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
