// Several sessions at once; and an error that says which field is wrong.
import { AgentSessions, Invalid } from 'agent-sessions';

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const turns = await Promise.all([0, 1, 2].map((number) => client.run('shell', `echo ${number}`)));
await Promise.all(turns.map((turn) => turn.wait({ timeout: 120_000 })));
console.log(turns.map((turn) => turn.reply.trim()));
try {
  await client.run('nobody', 'Hello');
} catch (error) {
  if (!(error instanceof Invalid)) throw error;
  console.log(error.details[0].field);
}
