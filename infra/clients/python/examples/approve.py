"""Approve from the terminal: the agent asks before it runs a tool, and whoever sits there decides. Needs a key with the scope `decide`."""

from agent_sessions import AgentSessions, TurnFailed


def ask(request):
    print(request["tool"]["name"], request["tool"]["input"])
    if input("Allow it? [y/n] ") == "y":
        return "allow"
    return {"decision": "deny", "note": input("Why not? ")}


turn = AgentSessions().run("shell", "echo Hello", permissions={"default": "ask"}).wait(timeout=120, on_request=ask)
try:
    print(turn.reply)
except TurnFailed as failed:
    print(failed)
