import './request-input.js';
import './request-plan.js';
import './request-push.js';
import { asked } from './question-form.js';
import { html } from '../page/part.js';
import { oneLine, plain } from '../text/text.js';

/** What such a call did stays done. */
const LASTING = new Set(['delete', 'move', 'execute', 'edit_outside']);

/**
 * What the kinds of requests differ in: what one is called, the kind of its tool where that says more, what is shown of it, how it is decided,
 * and how it is said what became of it. Unseen: why it cannot be allowed before its subject tells that it was seen; empty where it is seen at once.
 * @typedef {{
 *   name: (request: any) => string,
 *   tool: (request: any) => string | undefined,
 *   subject: (request: any) => unknown,
 *   isQuestion: boolean,
 *   unseen: string,
 *   isLasting: (request: any) => boolean,
 *   isForSession: boolean,
 *   allow: string,
 *   sure: (name: string) => string,
 *   note: string,
 *   decided: Record<string, string>,
 *   expired: string,
 *   closed: string,
 * }} RequestKind
 */

/** @type {RequestKind} */
const CALL = {
  name: ({ tool, kind }) => tool?.name ?? kind,
  tool: ({ tool }) => tool?.kind,
  subject: ({ tool, title }) => (tool ? html`<request-input .input=${tool.input}></request-input>` : html`<p dir="auto">${plain(title)}</p>`),
  isQuestion: false,
  unseen: '',
  isLasting: ({ tool }) => LASTING.has(tool?.kind),
  isForSession: true,
  allow: 'Allow once',
  sure: (name) => `Allow ${name} once?`,
  note: 'Note: why not, or what to do instead',
  decided: { allow: 'Allowed once', allow_session: 'Allowed for this session', deny: 'Denied' },
  expired: 'Nobody decided, and it did not run.',
  closed: 'The turn ended before a decision, and it did not run.',
};

/** @type {RequestKind} */
const HOST = {
  ...CALL,
  name: ({ tool }) => `Connect to ${tool.input?.host}:${tool.input?.port}`,
  subject: ({ tool }) => html`<p class="mono" dir="ltr">${plain(`${tool.input?.host}:${tool.input?.port}`)}</p>`, // whole: its name may be cut
  expired: 'Nobody decided, and it was refused.',
  closed: 'The turn ended before a decision, and it was refused.',
};

/** @type {RequestKind} */
const PUSH = {
  ...CALL,
  name: () => 'Push',
  tool: () => undefined,
  unseen: 'It can be allowed once each of its files was shown above.',
  subject: (request) => html`<request-push .request=${request}></request-push>`,
  isLasting: () => true,
  expired: 'Nobody decided, and nothing was pushed.',
  closed: 'Another turn began before a decision, or the session was interrupted. Nothing was pushed.',
};

/** @type {RequestKind} */
const PLAN = {
  ...CALL,
  name: ({ title }) => `Plan: ${title}`,
  unseen: 'It can be approved once it was shown above.',
  subject: (request) => html`<request-plan .request=${request}></request-plan>`,
  isLasting: () => true,
  isForSession: false,
  allow: 'Approve',
  sure: () => 'Approve the plan?',
  note: 'Note: what to change',
  decided: { allow: 'Approved', deny: 'Denied' },
  expired: 'Nobody decided, and it was not carried out.',
  closed: 'Another turn began before a decision, or the session was interrupted. It was not carried out.',
};

/** @type {RequestKind} */
const QUESTION = {
  ...CALL,
  name: () => 'Question',
  tool: () => undefined,
  subject: ({ questions, decision }) => asked(questions, decision?.answers),
  isQuestion: true,
  note: 'Note, where nobody answers',
  decided: { allow: 'Answered', deny: 'Nobody answered' },
  expired: 'Nobody answered.',
  closed: 'The turn ended before an answer.',
};

const KINDS = new Map([['push', PUSH], ['plan', PLAN]]);

/** What is particular to a request. @param {any} request @returns {RequestKind} */
export function kindOf({ kind, tool, questions }) {
  if (questions) return QUESTION;
  return tool?.kind === 'host' ? HOST : KINDS.get(kind) ?? CALL;
}

/** What is asked for, in a few words. @param {any} request */
export const named = (request) => oneLine(kindOf(request).name(request), 60);
