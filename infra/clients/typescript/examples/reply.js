// The shortest program: a message, and the agent's reply.
import { AgentSessions } from 'agent-sessions';

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const turn = await (await client.run('shell', 'echo Hello from $PWD')).wait({ timeout: 120_000 });
console.log(turn.reply);
