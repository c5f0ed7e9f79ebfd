"""The shortest program: a message, and the agent's reply."""

from agent_sessions import AgentSessions

turn = AgentSessions().run("shell", "echo Hello from $PWD").wait(timeout=120)
print(turn.reply)
