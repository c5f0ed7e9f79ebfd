// What the client does when the service is slow, busy, cut off or wrong, against a stub. Usage: npm run build && npm test
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, beforeEach, test } from 'node:test';
import { inspect } from 'node:util';
import * as sdk from '../dist/index.js';

const KEY = 'ask_very-secret';
const [SESSION, FIRST, SECOND] = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);
const BUSY = { code: 'UNAVAILABLE', message: 'busy', request_id: 'r' };
let server, url, answers, asked, pauses, turn, client;

beforeEach(async () => {
  [answers, asked, pauses] = [[], [], []];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      asked.push({ method: request.method, path: request.url, headers: request.headers, body: body && JSON.parse(body) });
      const [status, content, headers] = answers.shift();
      if (!status) return request.socket.destroy();
      response.writeHead(status, { Connection: 'close', ...headers });
      response.end(typeof content === 'string' ? content : JSON.stringify(content));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${server.address().port}`;
  client = new sdk.AgentSessions(url, KEY, { timeout: 5000, sleep: async (milliseconds) => void pauses.push(milliseconds) });
  turn = client.session(SESSION).at(FIRST);
});
afterEach(() => server.close());

const answer = (status, content = '', headers = {}) => answers.push([status, content, headers]);
const page = (status, reply, thread = {}) => ({
  items: reply === undefined ? [] : [{ message: reply }],
  poll_after_seconds: 1,
  thread: { status, error: null, superseded_by: null, repositories: [], ...thread },
});

test('what is not given is read of the environment', async (context) => {
  const names = ['AGENT_SESSIONS_URL', 'AGENT_SESSIONS_KEY'];
  const kept = names.map((name) => process.env[name]);
  context.after(() => names.forEach((name, i) => (kept[i] === undefined ? delete process.env[name] : (process.env[name] = kept[i]))));
  names.forEach((name) => delete process.env[name]);
  assert.throws(() => new sdk.AgentSessions(), /AGENT_SESSIONS_URL is not set/);
  process.env.AGENT_SESSIONS_URL = url;
  assert.throws(() => new sdk.AgentSessions(), /AGENT_SESSIONS_KEY is not set/);
  process.env.AGENT_SESSIONS_KEY = KEY;
  answer(200, { items: [] });
  assert.deepEqual(await new sdk.AgentSessions().agents(), []);
});

test('a message is sent again with its key until it is accepted', async () => {
  answer(503, BUSY, { 'Retry-After': '7' });
  answer(429, BUSY);
  answer(0);
  answer(201, { id: SESSION, thread_id: FIRST });
  const started = await client.run('shell', 'echo', { repository: 'https://git.example.org/a', title: 'T' });
  assert.deepEqual([started.session.id, started.id], [SESSION, FIRST]);
  assert.equal(new Set(asked.map((each) => each.headers['idempotency-key'])).size, 1);
  assert.equal(asked.length, 4);
  assert.deepEqual(asked[3].body, { title: 'T', agent_name: 'shell', message: 'echo', repositories: [{ url: 'https://git.example.org/a' }] });
  assert.ok(pauses[0] >= 7000);
});

test('retries end, and long waits are left to the caller', async () => {
  for (let i = 0; i < 6; i++) answer(503, BUSY);
  await assert.rejects(turn.poll(), sdk.Unavailable);
  answer(429, BUSY, { 'Retry-After': '3600' });
  await assert.rejects(turn.poll(), (error) => error instanceof sdk.RateLimited && error.retryAfter === 3600);
  assert.equal(asked.length, 7);
});

test('what has no idempotency key is sent once', async () => {
  answer(503, BUSY);
  await assert.rejects(client.session(SESSION).delete(), sdk.Unavailable);
  assert.equal(asked.length, 1);
});

test('refusals have types and say what is wrong', async () => {
  const kinds = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'NotFound', 409: 'Conflict', 422: 'Invalid', 500: 'ApiError' };
  for (const [status, name] of Object.entries(kinds)) {
    answer(Number(status), { code: 'C', message: 'm', request_id: 'r', details: [{ field: 'f', message: 'm' }] });
    await assert.rejects(turn.poll(), { name, code: 'C', details: [{ field: 'f', message: 'm' }] });
  }
  answer(502, '<html>');
  await assert.rejects(turn.poll(), { status: 502, code: 'UNKNOWN' });
});

test('waiting ends with the turn, whatever its status is', async () => {
  answer(200, page('queued'));
  answer(200, page('completed', 'Hi'));
  assert.equal((await turn.wait()).reply, 'Hi');
  for (const status of ['requires_action', 'something_new']) {
    answer(200, page(status));
    assert.equal((await turn.wait()).status, status);
    assert.throws(() => turn.reply, sdk.TurnLive);
  }
  answer(200, page('failed', 'Closing.', { error: { code: 'AGENT_FAILED', message: 'why', retryable: true } }));
  await turn.wait();
  assert.throws(() => turn.reply, { name: 'TurnFailed', code: 'AGENT_FAILED', message: 'why', retryable: true });
});

test('waiting follows what superseded only if asked, and has an end', async () => {
  answer(200, page('interrupted', undefined, { superseded_by: SECOND }));
  assert.equal((await turn.wait()).id, FIRST);
  answer(200, page('interrupted', undefined, { superseded_by: SECOND }));
  answer(200, page('completed', 'second'));
  assert.equal((await turn.wait({ follow: true })).reply, 'second');
  answer(200, page('running'));
  await assert.rejects(turn.wait({ timeout: 0 }), sdk.TurnLive);
});

const ASKED = { id: SECOND, session_id: SESSION, thread_id: FIRST, status: 'pending', fingerprint: 'f', tool: { name: 'Bash' } };
const asks = (...requests) => {
  answer(200, { ...page('requires_action'), poll_after_seconds: 5 });
  answer(200, { items: requests, _links: {} });
};
/** A turn that is over, whose session is looked at then. */
const ends = ({ reply = 'Hi', waiting = [], job = null, newest = FIRST } = {}) => {
  answer(200, { ...page('completed', reply), poll_after_seconds: undefined });
  answer(200, { items: waiting, _links: {} });
  if (!waiting.length) answer(200, { job, thread_id: newest });
};
const decided = () => asked.filter((each) => each.method === 'POST').map((each) => [each.path, each.body]);

test('what is asked is decided once, and waiting goes on', async () => {
  asks({ ...ASKED, thread_id: SECOND }, ASKED);
  answer(503, BUSY);
  answer(200, ASKED);
  asks(ASKED);
  ends();
  const seen = [];
  const onRequest = async (request) => void seen.push(request) ?? { decision: 'deny', note: 'no' };
  assert.equal((await turn.wait({ onRequest })).reply, 'Hi');
  assert.deepEqual(seen, [ASKED]);
  const path = `/rest/v1/sessions/${SESSION}/requests/${SECOND}/decision`;
  assert.deepEqual(decided(), [0, 1].map(() => [path, { decision: 'deny', note: 'no', fingerprint: 'f' }]));
  assert.deepEqual(pauses.slice(1), [0, 5000]);
});

test('a question is answered by one text or several', async () => {
  answer(200, ASKED);
  await client.requests.decide(ASKED, 'allow', { answers: { 1: 'Blue', 2: ['so', 'and so'] } });
  assert.deepEqual(decided()[0][1], { decision: 'allow', answers: { 1: ['Blue'], 2: ['so', 'and so'] }, fingerprint: 'f' });
});

test('who leaves a request, or comes too late, waits on', async () => {
  const late = { code: 'ALREADY_DECIDED', message: 'm', request_id: 'r' };
  asks(ASKED);
  asks(ASKED, { ...ASKED, id: FIRST });
  answer(409, late);
  ends();
  await turn.wait({ onRequest: (request) => (request.id === FIRST ? 'allow' : undefined) });
  assert.equal(decided().length, 1);
  answer(409, late);
  await assert.rejects(client.requests.decide(ASKED, 'allow_session'), { name: 'Conflict', code: 'ALREADY_DECIDED' });
});

test('what waits when the turn is over is decided and done before waiting ends', async () => {
  ends({ waiting: [ASKED] });
  answer(200, ASKED);
  ends({ job: 'push' });
  ends();
  assert.equal((await turn.wait({ onRequest: () => 'allow' })).reply, 'Hi');
  assert.deepEqual([pauses, decided().length, answers.length], [[0, 1000], 1, 0]);
  ends({ waiting: [ASKED] });
  assert.equal((await turn.wait()).reply, 'Hi'); // nobody is there who decides
  answers.length = 0;
  ends({ waiting: [ASKED] });
  ends({ waiting: [ASKED] });
  ends();
  await turn.wait({ onRequest: () => undefined });
  assert.deepEqual(pauses.slice(2), [0, 5000]);
});

test('a plan that is decided on gives way to the turn that this began', async () => {
  const third = '00000000-0000-4000-8000-000000000004';
  const plan = (decision, note = null) => {
    ends({ newest: third });
    answer(200, { items: [{ ...ASKED, kind: 'permission', decision: null }, { ...ASKED, kind: 'plan', decision: { decision, note } }], _links: {} });
  };
  for (const [decision, note] of [['allow'], ['deny', 'smaller']]) {
    plan(decision, note);
    answer(200, { items: [third, SECOND, FIRST].map((id) => ({ id })), _links: {} });
    ends({ reply: 'done', newest: SECOND });
    const after = await turn.wait({ onRequest: () => undefined });
    assert.deepEqual([after.id, after.reply], [SECOND, 'done']);
  }
  plan('deny');
  assert.equal((await turn.wait({ onRequest: () => undefined })).id, FIRST);
});

test('a connection is asked about while the turn runs', async () => {
  answer(200, page('running'));
  answer(200, { items: [ASKED], _links: {} });
  answer(200, ASKED);
  answer(200, page('failed', 'no'));
  await turn.wait({ onRequest: () => 'allow' });
  assert.equal(decided().length, 1);
});

test('a turn that waits is taken out once, however often it is asked', async () => {
  answer(503, BUSY);
  answer(200, page('cancelled').thread);
  assert.equal((await turn.cancel()).status, 'cancelled');
  assert.deepEqual(asked.map((each) => each.method), ['POST', 'POST']);
  assert.ok(asked[1].path.endsWith(`/sessions/${SESSION}/threads/${FIRST}/cancel`));
  assert.throws(() => turn.reply, sdk.TurnFailed);
});

test('events go on where they were cut', async () => {
  const stream = (text) => answer(200, text, { 'Content-Type': 'text/event-stream' });
  stream('retry: 1000\n\nevent: message.created\nid: a\ndata: {"n":1}\n\nevent: thread.running\ndata: {}\n\nevent: message.cre');
  answer(503, BUSY);
  stream('event: heartbeat\ndata: {}\n\nevent: message.created\nid: b\ndata: {"n":\ndata: 2}\n\nevent: end\nid: c\ndata: {"reason":"wait"}\n\n');
  stream('event: thread.completed\nid: d\ndata: {}\n\nevent: end\ndata: {"reason":"final"}\n\n');
  const events = [];
  for await (const event of turn.events()) events.push(event);
  assert.deepEqual(events.map((event) => [event.type, event.id]), [['message.created', 'a'], ['thread.running', undefined], ['message.created', 'b'], ['thread.completed', 'd']]);
  assert.deepEqual(events[2].data, { n: 2 });
  assert.deepEqual(asked.map((each) => each.headers['last-event-id']), [undefined, 'a', 'a', 'c']);
  for (let i = 0; i < 6; i++) stream('event: thread.running\ndata: {}\n\n');
  await assert.rejects(async () => {
    for await (const _ of turn.events());
  }, sdk.ConnectionFailed);
});

test('downloads are held to their hash and never have the key', async () => {
  const artifact = { file_name: 'a.md', url: `${url}/signed?signature=secret`, sha256: createHash('sha256').update('plan').digest('hex') };
  answer(302, '', { Location: '/elsewhere' });
  answer(200, 'plan');
  assert.equal(new TextDecoder().decode(await turn.session.download(artifact)), 'plan');
  answer(200, 'other');
  await assert.rejects(turn.session.download(artifact), (error) => error instanceof sdk.DownloadFailed && !inspect(error).includes('secret'));
  assert.ok(asked.every((each) => !('authorization' in each.headers)));
});

test('a redirect does not take the key along', async () => {
  answer(302, '', { Location: `${url}/other` });
  await assert.rejects(turn.poll(), { status: 302 });
  assert.equal(asked.length, 1);
});

test('patches come from the repository that is meant', async () => {
  answer(200, page('completed', '', { repositories: [{ path: 'a', patch_artifact_id: null }, { path: 'b', patch_artifact_id: SECOND }] }));
  await turn.wait();
  assert.equal((await turn.patch('a')).length, 0);
  await assert.rejects(turn.patch(), /a, b/);
});

const pulls = (job, repository = {}, status = 'idle') =>
  answer(200, { job, status, pull_requests: ['https://git.example.org/a/pulls/1'], repositories: [{ path: 'a', error: null, ...repository }] });

test('a pull request is asked for once and waited for', async () => {
  pulls(null);
  answer(503, BUSY);
  answer(202, { path: 'a' });
  pulls('pull_request');
  pulls(null, {}, 'requires_action');
  pulls('push');
  pulls(null);
  const made = await turn.session.pullRequest({ title: 'T', draft: true });
  assert.deepEqual(made.pull_requests, ['https://git.example.org/a/pulls/1']);
  const path = `/rest/v1/sessions/${SESSION}/pull-requests`;
  assert.deepEqual(decided(), [0, 1].map(() => [path, { path: 'a', title: 'T', draft: true }]));
  assert.equal(new Set(asked.slice(1, 3).map((each) => each.headers['idempotency-key'])).size, 1);
  assert.deepEqual(pauses.slice(1), [1000, 1000, 1000]);
});

test('a pull request that cannot be made says why, and waiting for one has an end', async () => {
  answer(202, { path: 'a' });
  pulls(null, { error: { code: 'PUSH_REFUSED', message: 'not yours' } });
  await assert.rejects(turn.session.pullRequest({ path: 'a' }), { name: 'PullRequestFailed', code: 'PUSH_REFUSED', message: 'not yours' });
  answer(202, { path: 'a' });
  pulls('pull_request');
  await assert.rejects(turn.session.pullRequest({ path: 'a', timeout: 0, idempotencyKey: 'mine' }), sdk.TurnLive);
  assert.equal(asked[2].headers['idempotency-key'], 'mine');
  answer(200, { repositories: [{ path: 'a' }, { path: 'b' }] });
  await assert.rejects(turn.session.pullRequest(), /a, b/);
});

test('lists go over all pages', async () => {
  answer(200, { items: [1], _links: { next: { href: 'http://ignored.example/rest/v1/sessions?limit=1&cursor=x%3D' } } });
  answer(200, { items: [2], _links: {} });
  const items = [];
  for await (const item of client.sessions({ limit: 1 })) items.push(item);
  assert.deepEqual(items, [1, 2]);
  assert.equal(asked[1].path, '/rest/v1/sessions?limit=1&cursor=x%3D');
});

test('nothing shows the key', async () => {
  answer(401, { code: 'UNAUTHORIZED', message: 'm', request_id: 'r' });
  const refused = await turn.poll().catch((error) => error);
  for (const shown of [client, turn, turn.session, refused]) assert.ok(!inspect(shown, { depth: 9, showHidden: true }).includes('secret'));
  for (const [address, key] of [[url, `${KEY}\n`], [url, ''], ['ftp://a', KEY], ['http://user:secret@a', KEY]])
    assert.throws(() => new sdk.AgentSessions(address, key), (error) => error instanceof TypeError && !inspect(error).includes('very-secret'));
});
