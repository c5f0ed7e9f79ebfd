/** Drafts: texts that were written and not sent, kept while the tab lives. */

/** @param {string} name */
export const draft = (name) => sessionStorage.getItem(`draft ${name}`) ?? '';

/** @param {string} name @param {string} text */
export function keepDraft(name, text) {
  if (text) sessionStorage.setItem(`draft ${name}`, text);
  else sessionStorage.removeItem(`draft ${name}`);
}
