"""What happens in a turn, as it happens, over as many connections as it takes."""

from agent_sessions import AgentSessions

turn = AgentSessions().run("shell", "mkdir -p outputs; echo 1,2 >outputs/table.csv; echo made")
for event in turn.events(types=["message.created", "artifact.created", "thread.completed", "thread.failed"]):
    print(event.type, event.data.get("file_name") or event.data.get("message") or "")
