// An agent works on a repository; what it changed comes home as a patch. Usage: node repository.js URL
import { AgentSessions } from 'agent-sessions';

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const turn = await client.run('shell', 'echo World >>README.md', { repository: process.argv[2] });
await turn.wait({ timeout: 120_000 });
process.stdout.write(await turn.patch());
