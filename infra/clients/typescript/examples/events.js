// What happens in a turn, as it happens, over as many connections as it takes.
import { AgentSessions } from 'agent-sessions';

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const turn = await client.run('shell', 'mkdir -p outputs; echo 1,2 >outputs/table.csv; echo made');
for await (const event of turn.events({ types: ['message.created', 'artifact.created', 'thread.completed', 'thread.failed'] }))
  console.log(event.type, event.data.file_name ?? event.data.message ?? '');
