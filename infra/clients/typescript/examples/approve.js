// Approve from the terminal: the agent asks before it runs a tool, and whoever sits there decides. Needs a key with the scope `decide`.
import { createInterface } from 'node:readline/promises';
import { AgentSessions } from 'agent-sessions';

const terminal = createInterface({ input: process.stdin, output: process.stdout });
const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const turn = await client.run('shell', 'echo Hello', { permissions: { default: 'ask' } });
await turn.wait({
  timeout: 120_000,
  onRequest: async ({ tool }) => {
    console.log(tool.name, tool.input);
    if ((await terminal.question('Allow it? [y/n] ')) === 'y') return 'allow';
    return { decision: 'deny', note: await terminal.question('Why not? ') };
  },
});
terminal.close();
console.log(turn.reply);
