/** The conversion of history rows to a readable transcript: messages, tool calls, what a person was asked, and turns that have ended. */
import { oneLine } from '../text/text.js';

const LIVE = new Set(['queued', 'running', 'requires_action']);
const FAILED = new Set(['failed', 'timed_out']);
const LOOKING = /^(read|view|cat|glob|grep|ls|list|search|find)(_|$|[A-Z])/i;
const READING = /^(read|view|cat)/i;
const TELLING = ['command', 'cmd', 'file_path', 'filePath', 'path', 'absolute_path', 'pattern', 'query', 'url', 'description', 'prompt'];

/**
 * @typedef {{key: string, name: string, argument: string, input: string, mark: 'busy' | 'ok' | 'bad' | 'open', milliseconds: number | null, since: string, isLook: boolean}} ToolCall
 * @typedef {{type: 'user' | 'said' | 'output' | 'notice', key: string, text: string, thread: string, at: string, files: {path: string, size: number}[]}
 *   | {type: 'tools', key: string, calls: ToolCall[], thread: string}
 *   | {type: 'request', key: string, request: any, thread: string, isOver: boolean}
 *   | {type: 'end', key: string, turn: any, thread: string, again: string}} Block
 */

/** @param {string} status of a thread */
export const isLive = (status) => LIVE.has(status);

/** Whether it is decided on after its turn. @param {any} request */
export const waitsAfterTurn = (request) => request?.kind === 'plan' || request?.kind === 'push';

/**
 * Requests among the messages, each where it was made.
 * @param {any[]} messages oldest first
 * @param {any[]} requests
 * @param {boolean} hasEarlier whether messages before these are not loaded
 */
export function among(messages, requests, hasEarlier) {
  const rows = requests.map((request) => ({ id: request.id, type: 'request', thread_id: request.thread_id, ts: Date.parse(request.created_at) / 1000, request }));
  const shown = rows.filter(({ ts }) => !hasEarlier || ts >= messages[0]?.ts);
  return shown.length ? [...messages, ...shown].sort((one, other) => one.ts - other.ts) : messages;
}

/**
 * @param {any[]} messages oldest first, with requests among them
 * @param {Map<string, any>} threads by id, as far as they are known
 * @param {boolean} isPrinted whether the agent's words are what a program printed
 * @returns {Block[]}
 */
export function blocks(messages, threads, isPrinted) {
  const text = new Text(threads, isPrinted);
  const last = new Map(messages.map((message) => [message.thread_id, message]));
  const closing = Map.groupBy(messages.filter(isClosing), ({ thread_id: thread }) => thread);
  for (const message of messages) {
    if (!isClosing(message)) text.add(message);
    if (last.get(message.thread_id) !== message) continue;
    text.end(threads.get(message.thread_id));
    closing.get(message.thread_id)?.forEach((request) => text.add(request)); // it is decided on after the end
  }
  return text.blocks;
}

const isClosing = (message) => waitsAfterTurn(message.request);

class Text {
  /** @type {Block[]} */
  blocks = [];
  /** @type {Map<string, string>} what each thread was told */
  #asked = new Map();
  /** @type {Map<string, ToolCall>} */
  #calls = new Map();
  #thread = '';
  #shown = '';

  constructor(threads, isPrinted) {
    this.threads = threads;
    this.isPrinted = isPrinted;
  }

  add(message) {
    if (message.thread_id !== this.#thread) this.#next(message.thread_id);
    if (message.type === 'request') this.#asks(message);
    else if (message.type === 'tool_call') this.#call(message);
    else if (message.role === 'user') this.#ask(message);
    else if (message.type === 'message') this.#say(message);
    else this.#close(message);
  }

  /** The last of a thread has been added; messages of one that waits may stand among those of another. */
  end(thread) {
    if (!thread || isLive(thread.status)) return;
    const again = FAILED.has(thread.status) ? (this.#asked.get(thread.id) ?? '') : '';
    this.blocks.push({ type: 'end', key: `end ${thread.id}`, turn: thread, thread: thread.id, again });
  }

  #ask(message) {
    this.#asked.set(message.thread_id, message.message);
    this.#put('user', message, message.message);
  }

  #asks({ id, request, thread_id: thread }) {
    const turn = this.threads.get(thread);
    const isOver = waitsAfterTurn(request) ? [...this.threads.keys()].some((other) => other > thread) : Boolean(turn) && !isLive(turn.status);
    this.blocks.push({ type: 'request', key: id, request, thread, isOver });
  }

  #next(thread) {
    this.#thread = thread;
    this.#shown = '';
    this.#calls.clear();
  }

  #put(type, message, text) {
    this.blocks.push({ type, key: message.id, text, thread: message.thread_id, at: message.created_at, files: message.files ?? [] });
  }

  #say(message) {
    this.#shown += message.message;
    if (this.isPrinted || message.message.endsWith('\n')) this.#print(message, message.message);
    else this.#put('said', message, message.message);
  }

  /** What is printed piece by piece is one output. A piece ends with a line; a remark between them does not. */
  #print(message, text) {
    const last = this.blocks.at(-1);
    if (last?.type === 'output' && last.thread === message.thread_id) last.text += last.text.endsWith('\n') ? text : `\n${text}`;
    else this.#put('output', message, text);
  }

  /** A reply may begin with what was shown already, line by line. */
  #close(message) {
    const shown = this.#shown.trimStart();
    const isAgain = shown.endsWith('\n') && message.message.startsWith(shown);
    const rest = isAgain ? message.message.slice(shown.length) : message.message;
    if (message.outcome && message.outcome !== 'completed') this.#put('notice', message, message.message);
    else if (rest && this.#isOutput(message)) this.#print(message, rest);
    else if (rest) this.#put('said', message, rest);
  }

  #isOutput(message) {
    const last = this.blocks.at(-1);
    return this.isPrinted || (last?.type === 'output' && last.thread === message.thread_id);
  }

  #call(message) {
    const told = parsed(message.message);
    const known = told.id === undefined ? undefined : this.#calls.get(told.id);
    if (told.status !== undefined && known) return finish(known, told);
    const call = this.#started(message, told);
    if (told.id !== undefined) this.#calls.set(told.id, call);
    if (told.status !== undefined) finish(call, told);
    const last = this.blocks.at(-1);
    if (last?.type === 'tools' && last.thread === message.thread_id) last.calls.push(call);
    else this.blocks.push({ type: 'tools', key: message.id, calls: [call], thread: message.thread_id });
  }

  /** @returns {ToolCall} */
  #started(message, told) {
    const thread = this.threads.get(message.thread_id);
    const isBusy = told.id !== undefined && thread !== undefined && isLive(thread.status);
    const name = oneLine(told.name ?? 'tool', 60);
    return {
      key: message.id,
      name,
      argument: argument(told.input),
      input: typeof told.input === 'string' ? told.input : JSON.stringify(told.input ?? {}, null, 2),
      mark: isBusy ? 'busy' : 'open',
      milliseconds: null,
      since: message.created_at,
      isLook: LOOKING.test(name),
    };
  }
}

function finish(call, told) {
  call.mark = told.status === 'failed' ? 'bad' : 'ok';
  call.milliseconds = told.duration_ms ?? null;
}

function parsed(text) {
  try {
    const told = JSON.parse(text);
    return told && typeof told === 'object' ? told : { name: 'tool', input: text };
  } catch {
    return { name: 'tool', input: text };
  }
}

/** What tells most of a call's input. */
function argument(input) {
  if (input === null || input === undefined) return '';
  if (typeof input !== 'object') return oneLine(input);
  const name = TELLING.find((each) => typeof input[each] === 'string');
  const text = name ? input[name] : Object.keys(input).length ? JSON.stringify(input) : '';
  return oneLine(text.replace(/^\/workspace\//, ''));
}

/**
 * Calls as lines: runs of finished looks are folded into one.
 * @param {ToolCall[]} calls
 * @returns {(ToolCall | {key: string, folded: ToolCall[], name: string, argument: string, milliseconds: number | null})[]}
 */
export function lines(calls) {
  const found = [];
  for (let from = 0; from < calls.length; ) {
    let to = from;
    while (to < calls.length && calls[to].isLook && calls[to].mark !== 'busy' && calls[to].mark !== 'bad') to++;
    if (to - from > 1) found.push(folded(calls.slice(from, to)));
    else found.push(calls[from]);
    from = to - from > 1 ? to : from + 1;
  }
  return found;
}

function folded(calls) {
  const isReading = calls.every((call) => READING.test(call.name));
  const times = calls.map((call) => call.milliseconds);
  return {
    key: `folded ${calls[0].key}`,
    folded: calls,
    name: isReading ? 'Read' : 'Looked',
    argument: isReading ? `${calls.length} files` : `in ${calls.length} places`,
    milliseconds: times.includes(null) ? null : times.reduce((sum, time) => sum + time, 0),
  };
}
