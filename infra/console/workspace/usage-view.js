import { html, nothing, Part, svg } from '../page/part.js';
import { ask, get, refused } from '../page/api.js';
import { cost, counted, money, plain } from '../text/text.js';

const DAY = 86_400_000;
const PERIODS = [
  { days: 7, name: '7 days' },
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
  { days: 366, name: 'a year' },
];

/** What a row of the table can be of, and the field by which a row says so. */
const ROWS = { day: 'day', agent: 'agent_name', model: 'model', key: 'key_id' };

/** The measures: the amount of a row, its wording, alone or as the row's, and as a cell below its name. */
const MEASURES = [
  { id: 'cost', name: 'Cost', of: (row) => row.cost_usd ?? row.known_cost_usd ?? 0, said: (dollars, row) => (row ? cost(row) : money(dollars)), cell: cost },
  { id: 'tokens', name: 'Tokens', of: (row) => row.input_tokens + row.output_tokens + row.cache_read_tokens + row.cache_write_tokens, said: (count) => counted(count, 'token') },
  { id: 'requests', name: 'Requests to models', of: (row) => row.model_requests, said: (count) => counted(count, 'request') },
  { id: 'turns', name: 'Turns', of: (row) => row.turns, said: (count) => counted(count, 'turn') },
];

/** The usage of the workspace's agents, day by day. */
class UsageView extends Part {
  static properties = { choice: { state: true }, known: { state: true }, days: { state: true }, split: { state: true }, problem: { state: true } };
  #asked = 0;

  constructor() {
    super();
    this.choice = { period: 30, measure: 'cost', agent: '', model: '', rows: 'day' };
    /** which agents and models there are to choose */
    this.known = { agents: [], models: [] };
    /** @type {{day: string, row: any}[] | null} each day of the period, the first one first */
    this.days = null;
    /** @type {any[] | null} the rows of the table, where they are not days */
    this.split = null;
    this.problem = '';
  }

  connectedCallback() {
    super.connectedCallback();
    document.title = 'Usage';
    this.#load(true);
  }

  /** @param {boolean} isOther whether the period is another one, in which others may have worked */
  async #load(isOther) {
    const asked = ++this.#asked;
    const { agent, model, rows } = this.choice;
    const { days, range } = this.#period();
    const by = (first) => [...new Set([first, ...(agent ? ['agent'] : []), ...(model ? ['model'] : [])])];
    const isChosen = (row) => (!agent || row.agent_name === agent) && (!model || row.model === model);
    await this.attempt(async () => {
      const [used, split, whoever] = await Promise.all([
        usage(range, by('day')),
        rows === 'day' ? null : usage(range, by(rows)),
        isOther ? usage(range, ['agent', 'model']) : null,
      ]);
      if (asked !== this.#asked) return;
      const byDay = new Map(used.filter(isChosen).map((row) => [row.day, row]));
      this.days = days.map((day) => ({ day, row: byDay.get(day) ?? null }));
      this.split = split?.filter(isChosen) ?? null;
      if (whoever) this.known = { agents: names(whoever, 'agent_name', agent), models: names(whoever, 'model', model) };
    }, () => this.#load(isOther));
  }

  #period() {
    const days = daysOf(this.choice.period);
    return { days, range: { from: days[0], to: days[days.length - 1] } };
  }

  render() {
    return html`<main class="session scrolled"><div class="page">
      <p class="back"><a href="#/">‹ Sessions</a></p>
      <h1>Usage</h1>
      <p class="lead">What agents used of their models, counted from the models' own answers. Days are in UTC; a turn belongs to the one in which it ended.</p>
      ${this.#choices()}
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.days ? this.#shown(this.days) : this.problem ? nothing : html`<p class="lead" aria-busy="true">Loading…</p>`}
    </div></main>`;
  }

  #choices() {
    const { agents, models } = this.known;
    return html`<form class="fields pair" aria-label="What is shown" @submit=${(event) => event.preventDefault()}>
      ${this.#select('period', 'Period', PERIODS.map(({ days, name }) => [String(days), name]))}
      ${this.#select('measure', 'Measure', MEASURES.map(({ id, name }) => [id, name]))}
      ${this.#select('agent', 'Agent', [['', 'all'], ...agents.map((name) => [name, name])])}
      ${this.#select('model', 'Model', [['', 'all'], ...models.map((name) => [name, name])])}
      ${this.#select('rows', 'Table by', Object.keys(ROWS).map((name) => [name, name]))}
      <p class="to-file"><button type="button" class="button" @click=${this.#download}>Download CSV</button></p>
    </form>`;
  }

  #select(name, label, options) {
    const now = String(this.choice[name]);
    return html`<div><label for="usage-${name}">${label}</label>
      <select class="field" id="usage-${name}" .value=${now} @change=${(event) => this.#chosen(name, event.target.value)}>
        ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === now}>${plain(text)}</option>`)}
      </select></div>`;
  }

  #chosen(name, value) {
    this.choice = { ...this.choice, [name]: name === 'period' ? Number(value) : value };
    if (name === 'rows') this.split = null;
    if (name !== 'measure') this.#load(name === 'period');
  }

  #shown(days) {
    const measure = MEASURES.find(({ id }) => id === this.choice.measure) ?? MEASURES[0];
    const used = days.filter(({ row }) => row).map(({ row }) => row);
    if (!used.length) return html`<p class="lead" role="status">Nothing was used in these days.</p>`;
    return html`${chart(days, measure)}${table(this.split ?? used.toReversed(), measure, this.split ? this.choice.rows : 'day')}`;
  }

  /** All agents and models of the period, whichever are shown. */
  #download() {
    const { range } = this.#period();
    return this.attempt(async () => {
      const groups = [...new Set([this.choice.rows, 'agent', 'model'])];
      const answer = await ask('GET', 'usage', { query: { ...range, group_by: groups }, headers: { Accept: 'text/csv' } });
      if (!answer.ok) throw await refused(answer);
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await answer.blob());
      link.download = `usage-${range.from}-${range.to}.csv`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), DAY / 1440);
    });
  }
}

/** A picture of the table: a bar a day, as high as it has of the measure. */
function chart(days, { id, name, of, said }) {
  const amounts = days.map(({ row }) => (row ? of(row) : 0));
  const most = Math.max(...amounts);
  const sum = amounts.reduce((all, amount) => all + amount, 0);
  const isLess = id === 'cost' && days.some(({ row }) => row && row.cost_usd === null);
  const busiest = most ? `; most on ${date(days[amounts.indexOf(most)].day)}, ${said(most)}` : '';
  const words = `${isLess ? 'at least ' : ''}${said(sum)} in all${isLess ? ', without what has no price' : ''}${busiest}`;
  if (!most) return html`<p class="lead bars">${name}: ${words}.</p>`;
  return html`<figure class="bars"><figcaption>${words}</figcaption>
    <svg viewBox="0 0 ${10 * days.length} 100" preserveAspectRatio="none" role="img" aria-label="${name} by day: ${words}">
      ${days.map(({ day }, i) => {
        const height = most ? (100 * amounts[i]) / most : 0;
        return svg`<rect x=${10 * i + 1} y=${100 - height} width="8" height=${height}><title>${date(day)}: ${said(amounts[i], days[i].row)}</title></rect>`;
      })}
    </svg>
    <p class="ends" aria-hidden="true"><span>${date(days[0].day)}</span><span>${date(days[days.length - 1].day)}</span></p></figure>`;
}

/** @param {any[]} rows @param {any} measure which comes first @param {string} of what a row is of */
function table(rows, measure, of) {
  const all = [measure, ...MEASURES.filter((each) => each !== measure)];
  const first = (row) => (of === 'day' ? date(row.day) : plain(row[ROWS[of]] ?? 'none'));
  const cell = ({ of: amount, cell: worded }, row) => html`<td>${worded ? worded(row) : amount(row).toLocaleString('en')}</td>`;
  return html`<div class="wide-table" tabindex="0" role="region" aria-label="Usage by ${of}"><table class="numbers">
    <thead><tr><th>${of[0].toUpperCase()}${of.slice(1)}</th>${all.map(({ name }) => html`<th>${name}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><td>${first(row)}</td>${all.map((each) => cell(each, row))}</tr>`)}</tbody></table></div>`;
}

const usage = async (range, groups) => (await get('usage', { query: { ...range, group_by: groups } })).items;

/** The names that rows have, and the one that is chosen. */
const names = (rows, field, chosen) => [...new Set([...rows.map((row) => row[field]), chosen])].filter(Boolean).sort();

/** @param {number} count the last of them is today */
const daysOf = (count) => Array.from({ length: count }, (_, i) => new Date(Date.now() - (count - 1 - i) * DAY).toISOString().slice(0, 10));

const date = (day) => new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
customElements.define('usage-view', UsageView);
