// Approve from the terminal: the agent asks before it runs a tool, and whoever sits there decides. Needs a key with the scope `decide`.
import { createInterface } from 'node:readline';
import { AgentSessions, TurnFailed } from 'agent-sessions';

const terminal = createInterface({ input: process.stdin });
const lines = terminal[Symbol.asyncIterator]();
const answer = async (question) => {
  process.stdout.write(question);
  return (await lines.next()).value;
};

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const turn = await client.run('shell', 'echo Hello', { permissions: { default: 'ask' } });
await turn.wait({
  timeout: 120_000,
  onRequest: async ({ tool }) => {
    console.log(tool.name, tool.input);
    if ((await answer('Allow it? [y/n] ')) === 'y') return 'allow';
    return { decision: 'deny', note: await answer('Why not? ') };
  },
});
terminal.close();
try {
  console.log(turn.reply);
} catch (error) {
  if (!(error instanceof TurnFailed)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
