// What an agent changed becomes a pull request, once somebody has looked at it. Usage: node pull-request.js URL; GIT_USER and GIT_TOKEN may
// push there, and GIT_PROVIDER (github, gitlab, gitea) is needed where the host's name does not tell it.
import { createInterface } from 'node:readline/promises';
import { AgentSessions, PullRequestFailed } from 'agent-sessions';

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const credential = { username: process.env.GIT_USER, token: process.env.GIT_TOKEN };
const turn = await client.run('shell', 'echo World >>README.md', { repository: { url: process.argv[2], credential } });
await turn.wait({ timeout: 120_000 });
process.stdout.write(await turn.patch());

const terminal = createInterface({ input: process.stdin, output: process.stdout });
if ((await terminal.question('Make a pull request of it? [y/n] ')) === 'y') {
  try {
    const session = await turn.session.pullRequest({ title: 'Greet the world', provider: process.env.GIT_PROVIDER, timeout: 120_000 });
    console.log(session.pull_requests.at(-1));
  } catch (error) {
    if (!(error instanceof PullRequestFailed)) throw error;
    console.log(`${error.code}: ${error.message}`);
  }
}
terminal.close();
