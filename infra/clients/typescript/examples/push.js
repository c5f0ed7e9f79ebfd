// What an agent changed is pushed, with a pull request, once somebody has allowed it. Usage: node push.js URL; GIT_USER and GIT_TOKEN may
// push there, and GIT_PROVIDER (github, gitlab, gitea) is needed where the host's name does not tell it. Needs a key with the scope `decide`.
import { createInterface } from 'node:readline';
import { AgentSessions } from 'agent-sessions';

const terminal = createInterface({ input: process.stdin });
const lines = terminal[Symbol.asyncIterator]();
const onRequest = async ({ title }) => {
  process.stdout.write(`${title}\nAllow it? [y/n] `);
  return (await lines.next()).value === 'y' ? 'allow' : 'deny';
};

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const credential = { username: process.env.GIT_USER, token: process.env.GIT_TOKEN };
const push = { provider: process.env.GIT_PROVIDER, pull_request: { title: 'Greet the world' } };
const turn = await client.run('shell', 'echo World >>README.md', {
  repository: { url: process.argv[2], credential, push },
  permissions: { rules: [{ kind: 'push', policy: 'ask' }] },
});
await turn.wait({ timeout: 120_000, onRequest });
terminal.close();
for (const { pull_request_url: url, error } of (await turn.session.load()).repositories) console.log(url ?? error);
