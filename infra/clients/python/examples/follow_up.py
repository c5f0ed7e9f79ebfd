"""A conversation: the second message interrupts the first turn; whoever waits for that follows to what superseded it."""

from agent_sessions import AgentSessions, TurnFailed

first = AgentSessions().run("shell", "sleep 60; echo too late", title="A change of mind")
second = first.session.send("mkdir -p plans; echo '# Plan B' >plans/b.md; echo done")
print(first.wait(timeout=120, follow=True).id == second.id)
try:
    print(first.wait().reply)
except TurnFailed as interrupted:
    print(interrupted.status)
plan = first.session.load()["plan_artifact_ids"][-1]
print(first.session.download(plan).decode(), end="")
