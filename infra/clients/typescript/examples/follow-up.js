// A conversation: the second message interrupts the first turn; whoever waits for that follows to what superseded it.
import { AgentSessions, TurnFailed } from 'agent-sessions';

const client = new AgentSessions(process.env.AGENT_SESSIONS_URL, process.env.AGENT_SESSIONS_KEY);
const first = await client.run('shell', 'sleep 60; echo too late', { title: 'A change of mind' });
const second = await first.session.send("mkdir -p plans; echo '# Plan B' >plans/b.md; echo done");
console.log((await first.wait({ timeout: 120_000, follow: true })).id === second.id);
try {
  console.log(first.reply);
} catch (error) {
  if (!(error instanceof TurnFailed)) throw error;
  console.log(error.status);
}
const plan = (await first.session.load()).plan_artifact_ids.at(-1);
console.log(new TextDecoder().decode(await first.session.download(plan)).trim());
