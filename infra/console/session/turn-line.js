import { html, nothing, Part } from '../page/part.js';
import { clock, cost, counted, duration, moment, oneLine, read } from '../text/text.js';

const KEPT = { saving: 'being kept', saved: 'kept for the next turn', lost: 'lost; the next turn begins with those of an earlier one' };

/** The line of a turn that has ended: how, when, tokens, cost and model. It opens to all that is known of it. */
class TurnLine extends Part {
  static properties = { turn: { attribute: false }, again: {} };

  constructor() {
    super();
    this.turn = null;
    /** the message of one that failed, to be sent once more */
    this.again = '';
  }

  render() {
    return html`<details class="turn-end"><summary>${line(this.turn)}</summary>
        <dl class="facts">${facts(this.turn).map(([name, value]) => html`<dt>${name}</dt><dd dir="auto">${value}</dd>`)}</dl></details>
      ${this.again ? html`<button class="button" @click=${() => this.tell('again', this.again)}>Try again</button>` : nothing}`;
  }
}

function line(turn) {
  const { usage } = turn;
  const asked = usage?.model_requests ? [counted(read(usage) + usage.output_tokens, 'token'), cost(usage)] : [];
  return [ending(turn), clock(turn.ended_at ?? turn.created_at), ...asked, turn.model && oneLine(turn.model, 60)].filter(Boolean).join(' · ');
}

/** How it ended. */
function ending(turn) {
  const time = took(turn);
  const after = time ? ` after ${time}` : '';
  const words = {
    completed: time ? `Done in ${time}` : 'Done',
    interrupted: `Interrupted${after} by the next message`,
    cancelled: `Stopped${after}`,
    failed: `Failed${after}`,
    timed_out: `Ran out of time${after}`,
  };
  return words[turn.status] ?? oneLine(turn.status, 60);
}

const between = (from, to) => (from && to ? duration(Date.parse(to) - Date.parse(from)) : '');
const took = (turn) => between(turn.started_at, turn.ended_at);

/** @returns {[string, unknown][]} what is known, each with its name */
function facts(turn) {
  const { usage } = turn;
  const all = [
    ['Why', turn.error ? oneLine(turn.error.message) : ''],
    ['Sent', moment(turn.created_at)],
    ['Waited', between(turn.created_at, turn.started_at)],
    ['Worked', took(turn)],
    ['Model', turn.model ? oneLine(turn.model, 60) : usage?.model_requests && 'the agent’s own choice'],
    ...(usage?.model_requests ? spent(usage) : []),
    ['Files', KEPT[turn.sandbox]],
    ['Error', turn.error ? html`<span class="mono">${oneLine(turn.error.code, 60)}</span>` : ''],
    ['Id', html`<span class="mono">${turn.id}</span>`],
  ];
  return /** @type {[string, unknown][]} */ (all.filter(([, value]) => value));
}

function spent(usage) {
  const cached = usage.cache_read_tokens ? `, ${usage.cache_read_tokens.toLocaleString('en')} of them cached` : '';
  return [
    ['Requests', `${usage.model_requests.toLocaleString('en')}${usage.complete ? '' : ' so far'}`],
    ['Read', `${counted(read(usage), 'token')}${cached}`],
    ['Written', counted(usage.output_tokens, 'token')],
    ['Cost', cost(usage)],
  ];
}
customElements.define('turn-line', TurnLine);
