/** Colours for code, by Prism. A language is loaded when the first text in it is shown; what has none stays plain. */

/** The languages with colours, each with those that it builds upon. */
const LANGUAGES = {
  bash: [],
  c: ['clike'],
  clike: [],
  cpp: ['c'],
  csharp: ['clike'],
  css: [],
  diff: [],
  docker: [],
  go: ['clike'],
  groovy: ['clike'],
  hcl: [],
  ini: [],
  java: ['clike'],
  javascript: ['clike'],
  json: [],
  jsx: ['markup', 'javascript'],
  kotlin: ['clike'],
  makefile: [],
  markup: [],
  'markup-templating': ['markup'],
  php: ['markup-templating'],
  python: [],
  ruby: ['clike'],
  rust: [],
  scala: ['java'],
  sql: [],
  swift: [],
  toml: [],
  tsx: ['jsx', 'typescript'],
  typescript: ['javascript'],
  yaml: [],
};
/** Other names of the languages: those that agents use, and file extensions. */
const OTHERWISE = {
  'c++': 'cpp', 'c#': 'csharp', cc: 'cpp', cjs: 'javascript', cs: 'csharp', dockerfile: 'docker', gradle: 'groovy', h: 'c', hpp: 'cpp', htm: 'markup',
  html: 'markup', js: 'javascript', kt: 'kotlin', kts: 'kotlin', mjs: 'javascript', patch: 'diff', py: 'python', rb: 'ruby', rs: 'rust', sh: 'bash',
  shell: 'bash', svg: 'markup', terraform: 'hcl', tf: 'hcl', ts: 'typescript', xml: 'markup', yml: 'yaml', zsh: 'bash',
};
/** Some patterns take time with the square of a text that was made for it. */
const LONGEST = 10_000;
const MOST_MILLISECONDS = 250;

/** @type {Map<string, Promise<unknown>>} */
const loaded = new Map();
let isTooSlow = false;

/**
 * Whether a text would get colours.
 * @param {string} name of the language, or how the file's name ends
 * @param {string} text
 */
export const isColoured = (name, text) => isLanguage(name) && text.length <= LONGEST;

/** @param {string} name as before */
export const isLanguage = (name) => language(name) !== '';

/** @param {string} name */
function language(name) {
  const usual = name.toLowerCase();
  const known = Object.hasOwn(OTHERWISE, usual) ? OTHERWISE[usual] : usual;
  return Object.hasOwn(LANGUAGES, known) ? known : '';
}

/**
 * Gives an element that holds nothing but code its colours, once they are there. A page that had to wait for one gets no more.
 * @param {HTMLElement} element
 * @param {string} name as before
 */
export async function colour(element, name) {
  const known = language(name);
  const text = element.textContent ?? '';
  if (!isColoured(name, text) || isTooSlow) return;
  const prism = await prepared(known).catch(() => null);
  if (!prism || isTooSlow || element.textContent !== text) return;
  const began = performance.now();
  element.replaceChildren(...parts(prism.tokenize(text, prism.languages[known])));
  isTooSlow = performance.now() - began > MOST_MILLISECONDS;
}

/** @param {string} known @returns {Promise<any>} Prism, once it knows that language */
async function prepared(known) {
  const prism = await script('core');
  for (const base of LANGUAGES[known]) await prepared(base);
  await script(known);
  return prism;
}

/** @param {string} name */
function script(name) {
  if (!loaded.has(name)) loaded.set(name, run(name));
  return loaded.get(name);
}

/** Prism was written before modules: where there is a `global`, it puts itself there, and its languages look for it there. */
async function run(name) {
  const page = /** @type {any} */ (globalThis);
  page.global ??= page;
  page.Prism ??= { manual: true };
  await import(`prismjs/prism-${name}.min.js`);
  return page.Prism;
}

/** @param {any} tokens a text, a token, or several of them */
const parts = (tokens) => [tokens].flat().map((token) => (typeof token === 'string' ? token : span(token)));

function span(token) {
  const element = document.createElement('span');
  element.className = `token ${token.type}`;
  element.append(...parts(token.content));
  return element;
}
