// How an operation of the contract is called by curl, and by the SDKs of infra/clients: by a method where they have one, else by their
// `request`. A call is { operation, method, path, values, query, body, idempotencyKey }, where path is what follows /rest/v1.

export const languages = [
  { name: 'curl', write: curl },
  { name: 'Python', write: python },
  { name: 'TypeScript', write: typescript },
];

/** The call that the contract's first example of an operation shows. */
export function sample(spec, path, method) {
  const content = followed(spec, spec.paths[path][method].requestBody)?.content?.['application/json'];
  return call(spec, path, method, { body: followed(spec, Object.values(content?.examples ?? {})[0])?.value });
}

/** The call that was tried, by the request that the viewer made. */
export function sent(spec, path, method, { url, body, headers = {} }) {
  const { pathname, searchParams } = new URL(url);
  const found = pathname.match(new RegExp(`^/rest/v1${path.replace(/{\w+}/g, '([^/]*)')}$`)) ?? [];
  const parameters = [...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)]);
  return call(spec, path, method, {
    given: found.slice(1).map(decodeURIComponent),
    query: Object.fromEntries(parameters.map(([name, all]) => [name, all.length > 1 ? all : all[0]])),
    body: typeof body === 'string' ? parsed(body) : body,
    idempotencyKey: headers['Idempotency-Key'],
  });
}

function call(spec, path, method, { given = [], query = {}, body, idempotencyKey }) {
  const names = [...path.matchAll(/{(\w+)}/g)].map(([, name]) => name);
  const values = Object.fromEntries(names.map((name, index) => [name, given[index] || name.toUpperCase()]));
  const filled = path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(values[name]));
  return { operation: spec.paths[path][method].operationId, method: method.toUpperCase(), path: filled, values, query, body, idempotencyKey };
}

function followed(spec, node) {
  return node?.$ref ? node.$ref.slice(2).split('/').reduce((found, name) => found?.[name], spec) : node;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const session = (call) => `client.session(${quoted(call.values.session_id)})`;
const turn = (call, to) => `${session(call)}.${to.turn}(${quoted(call.values.thread_id)})`;
const events = ({ query }, to) => to.named({ after: query.after, types: query.types && [query.types].flat().flatMap((each) => each.split(',')) });
const beside = (call, to, values) => to.named({ ...values, [to.idempotencyKey]: call.idempotencyKey });

/** What starts a turn waits for its reply; undefined where the body is not what the method takes. */
function start(call, to, method, { agent_name, message, ...rest } = {}) {
  const first = [agent_name, message].slice(method === 'client.run' ? 0 : 1);
  return first.every(Boolean) ? to.start(`${method}(${listed(...first.map(quoted), beside(call, to, rest))})`) : undefined;
}

/** A decision is made on a request as it was seen, and so has its fingerprint. */
function decide(call, to) {
  const { decision = 'allow', note, answers } = call.body ?? {};
  const path = call.path.slice(0, call.path.lastIndexOf('/'));
  return to.seen(`client.request(${quoted('GET')}, ${quoted(path)})`, `client.requests.decide(${listed('request', quoted(decision), to.named({ note, answers }))})`);
}

/** What is asked for a reply is waiting for it; other messages of a thread are asked for as such. */
const reply = (call, to) => (call.query.type === 'final_message' ? to.start(turn(call, to)) : undefined);

const METHODS = {
  createSession: (call, to) => start(call, to, 'client.run', call.body),
  sendMessage: (call, to) => start(call, to, `${session(call)}.send`, call.body),
  listSessions: (call, to) => to.each(`client.sessions(${to.named(call.query)})`),
  listMessages: (call, to) => to.each(`${session(call)}.messages(${to.named(call.query)})`),
  listThreadMessages: reply,
  listRequests: (call, to) => to.each(`client.requests.list(${to.named(call.query)})`),
  listSessionRequests: (call, to) => to.each(`${session(call)}.requests(${to.named(call.query)})`),
  decideRequest: decide,
  createPullRequest: (call, to) => to.pullRequest(call, call.body ?? {}),
  getArtifact: (call, to) => to.show(`${session(call)}.download(${quoted(call.values.artifact_id)})`),
  listArtifacts: (call, to) => to.each(`${session(call)}.artifacts(${to.named(call.query)})`),
  listSessionEvents: (call, to) => to.each(`${session(call)}.events(${events(call, to)})`),
  listThreadEvents: (call, to) => to.each(`${turn(call, to)}.events(${events(call, to)})`),
  getSession: (call, to) => to.show(`${session(call)}.load()`),
  listAgents: (call, to) => to.show('client.agents()'),
  deleteSession: (call, to) => to.act(`${session(call)}.delete()`),
  cancelThread: (call, to) => to.act(`${turn(call, to)}.cancel()`),
  interruptSession: (call, to) => to.act(`${session(call)}.interrupt()`),
};

function curl({ method, path, query, body, idempotencyKey }, origin) {
  const pairs = Object.entries(query).flatMap(([name, value]) => [value].flat().map((each) => [name, each]));
  const url = `${origin}/rest/v1${path}${pairs.length ? `?${new URLSearchParams(pairs)}` : ''}`;
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${shell(url)}`, '-H "Authorization: ApiKey $AGENT_SESSIONS_KEY"'];
  if (idempotencyKey) lines.push(`-H ${shell(`Idempotency-Key: ${idempotencyKey}`)}`);
  if (body !== undefined) lines.push("-H 'Content-Type: application/json'", `-d ${shell(typeof body === 'string' ? body : JSON.stringify(body, null, 2))}`);
  return lines.join(' \\\n  ');
}

const PYTHON = {
  named: keywords,
  turn: 'turn',
  idempotencyKey: 'idempotency_key',
  start: (turn) => `turn = ${turn}\nprint(turn.wait().reply)`,
  each: (items) => `for item in ${items}:\n    print(item)`,
  show: (value) => `print(${value})`,
  act: (action) => action,
  seen: (request, action) => `request = ${request}\nprint(${action})`,
  pullRequest(call, { path, ...fields }) {
    const given = listed(path && quoted(path), beside(call, PYTHON, fields));
    return `print(${session(call)}.pull_request(${given})["pull_requests"])`;
  },
};

const TYPESCRIPT = {
  named: object,
  turn: 'at',
  idempotencyKey: 'idempotencyKey',
  start: (turn) => `const turn = await ${turn};\nconsole.log((await turn.wait()).reply);`,
  each: (items) => `for await (const item of ${items}) console.log(item);`,
  show: (value) => `console.log(await ${value});`,
  act: (action) => `await ${action};`,
  seen: (request, action) => `const request = await ${request.replace('request(', "request<import('agent-sessions').SessionRequest>(")};\nconsole.log(await ${action});`,
  pullRequest: (call, fields) => `console.log((await ${session(call)}.pullRequest(${beside(call, TYPESCRIPT, fields)})).pull_requests);`,
};

function bySdk(call, to) {
  const query = Object.keys(call.query).length ? call.query : undefined;
  const raw = () => to.show(`client.request(${listed(quoted(call.method), quoted(call.path), beside(call, to, { body: call.body, query }))})`);
  return METHODS[call.operation]?.(call, to) ?? raw();
}

function python(call, origin) {
  const client = `client = AgentSessions(${quoted(origin)})  # with the key of AGENT_SESSIONS_KEY`;
  return `from agent_sessions import AgentSessions\n\n${client}\n${bySdk(call, PYTHON)}`;
}

function typescript(call, origin) {
  const client = `const client = new AgentSessions(${quoted(origin)}, process.env.AGENT_SESSIONS_KEY!);`;
  return `import { AgentSessions } from 'agent-sessions';\n\n${client}\n${bySdk(call, TYPESCRIPT)}`;
}

const given = (values) => Object.entries(values).filter(([, value]) => value !== undefined);
const listed = (...parts) => parts.filter(Boolean).join(', ');
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const quoted = (text) => JSON.stringify(text);

/** Arguments of Python by name; what is no name there goes by a dictionary. */
function keywords(values) {
  const isName = ([name]) => /^[a-z_]+$/.test(name) && name !== 'from';
  const others = given(values).filter((each) => !isName(each));
  const names = given(values).filter(isName).map(([name, value]) => `${name}=${literal(value)}`);
  return listed(...names, others.length && `**${literal(Object.fromEntries(others))}`);
}

function literal(value) {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object') return `{${Object.entries(value).map(([name, each]) => `${quoted(name)}: ${literal(each)}`).join(', ')}}`;
  return JSON.stringify(value);
}

/** An object of TypeScript; nothing if it is empty. */
function object(values) {
  const fields = given(values).map(([name, value]) => `${/^[a-z_]\w*$/i.test(name) ? name : quoted(name)}: ${JSON.stringify(value)}`);
  return fields.length ? `{ ${fields.join(', ')} }` : '';
}
