import { html, nothing } from '../page/part.js';
import { plain } from '../text/text.js';

/** A question of an agent as a group of fields. @param {any} question */
export function fields({ id, text, options, multiple, free_text: isFree }) {
  return html`<fieldset class="question"><legend dir="auto">${plain(text)}</legend>
    ${options.map((each) => html`<label class="choice"><input type=${multiple ? 'checkbox' : 'radio'} name="option-${id}" value=${each.value}>
      <span dir="auto">${plain(each.label)}${each.description ? html` <small>${plain(each.description)}</small>` : nothing}</span></label>`)}
    ${isFree ? html`<input class="field" name="text-${id}" aria-label="In words" placeholder=${options.length ? 'Or in words' : 'In words'} maxlength="4000" dir="auto" autocomplete="off">` : nothing}
  </fieldset>`;
}

/**
 * What was chosen and written, by question. Words take the place of the only option that may be chosen.
 * @param {any[]} questions
 * @param {FormData} form
 */
export function answers(questions, form) {
  return Object.fromEntries(questions.map(({ id, multiple }) => {
    const words = String(form.get(`text-${id}`) ?? '').trim();
    const options = words && !multiple ? [] : form.getAll(`option-${id}`);
    return [id, words ? [...options, words] : options];
  }));
}

/** What was asked, and what was answered. @param {any[]} questions @param {any} answered the values by question, if there are any */
export function asked(questions, answered) {
  return questions.map(({ id, text }) => html`<p dir="auto">${plain(text)}</p>
    ${answered?.[id] ? html`<blockquote class="note" dir="auto">${plain(answered[id].join(', '))}</blockquote>` : nothing}`);
}
