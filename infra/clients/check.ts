// A program like any that uses the types which openapi-typescript makes from infra/openapi.yaml: creates a session, polls its
// reply, follows up, reads history and plan, decides a request, meets errors. Usage: BASE=… KEY=… node check.js
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const { BASE, KEY } = process.env;
const connect = (key: string) => createClient<paths>({ baseUrl: BASE!, headers: { Authorization: `ApiKey ${key}` } });
const client = connect(KEY!);
const MESSAGE = "mkdir -p plans; echo '# Plän' > plans/one.md; echo Grüße";

type Message = components['schemas']['Message'];

function present<T>(data: T | undefined, error?: components['schemas']['Problem']): T {
  assert.ok(data, error?.message);
  return data;
}

async function reply(session_id: string, thread_id: string): Promise<Message> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const { data, error } = await client.GET('/sessions/{session_id}/threads/{thread_id}/messages', {
      params: { path: { session_id, thread_id }, query: { type: ['final_message'], role: ['assistant'] } },
    });
    const page = present(data, error);
    if (page.items[0]) return page.items[0];
    await new Promise((resolve) => setTimeout(resolve, 1000 * (page.poll_after_seconds ?? 1)));
  }
  throw new Error('no reply');
}

async function asked(session_id: string): Promise<components['schemas']['SessionRequest']> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
    const { data, error } = await client.GET('/requests', { params: { query: { session_id } } });
    const [request] = present(data, error).items;
    if (request) return request;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  throw new Error('no request');
}

const { data, error } = await client.POST('/sessions', { body: { agent_name: 'shell', message: MESSAGE, metadata: { a: 'b' } } });
const created = present(data, error);
const path = { session_id: created.id };
const answer = await reply(created.id, created.thread_id);
assert.deepEqual([answer.message.trim(), answer.type === 'final_message' && answer.outcome], ['Grüße', 'completed']);
const sent = await client.POST('/sessions/{session_id}/messages', { params: { path }, body: { message: 'echo again' } });
assert.equal((await reply(created.id, present(sent.data, sent.error).thread_id)).message.trim(), 'again');
const history = await client.GET('/sessions/{session_id}/messages', { params: { path, query: { type: ['message', 'final_message'] } } });
assert.deepEqual(present(history.data).items.map((item) => item.role), ['user', 'assistant', 'user', 'assistant']);
const session = present((await client.GET('/sessions/{session_id}', { params: { path } })).data);
const plan = await client.GET('/sessions/{session_id}/artifacts/{artifact_id}', {
  params: { path: { ...path, artifact_id: session.plan_artifact_ids.at(-1)! } },
});
assert.equal(await (await fetch(present(plan.data).url)).text(), '# Plän\n');
const permissions = { default: 'ask' as const };
const careful = present((await client.POST('/sessions', { body: { agent_name: 'shell', message: 'echo allowed', permissions } })).data);
const request = await asked(careful.id);
assert.equal(request.tool?.name, 'bash');
const decide = (decision: 'allow' | 'deny') =>
  client.POST('/sessions/{session_id}/requests/{request_id}/decision', {
    params: { path: { session_id: careful.id, request_id: request.id } },
    body: { decision, fingerprint: request.fingerprint },
  });
assert.equal((await decide('allow')).data?.decision?.decision, 'allow');
assert.equal((await decide('deny')).error?.code, 'ALREADY_DECIDED');
assert.equal((await reply(careful.id, careful.thread_id)).message.trim(), 'allowed');
const unknown = await client.POST('/sessions', { body: { agent_name: 'x', message: 'y' } });
assert.equal(unknown.error?.code, 'VALIDATION');
assert.match(unknown.error?.details?.[0]?.message ?? '', /shell/);
assert.equal((await client.DELETE('/sessions/{session_id}', { params: { path } })).response.status, 204);
assert.equal((await client.GET('/sessions/{session_id}', { params: { path } })).error?.code, 'NOT_FOUND');
assert.equal((await connect('ask_wrong').GET('/me')).error?.code, 'UNAUTHORIZED');
console.log('typescript: created, polled, followed up, downloaded, decided, refused: as the contract says');
