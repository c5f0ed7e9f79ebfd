"""What the action does in its step. Nothing that an agent says is read as a command of the runner's, nor as markdown of the summary's."""

import json
import os
import re
import secrets
import signal
import sys

from agent_sessions import AgentSessions, AgentSessionsError, Turn, TurnFailed, TurnLive

SUMMARY = 900_000  # bytes; GitHub takes 1 MiB


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    given = {name: os.environ.get(name, "") for name in ("AGENT", "MESSAGE", "REPOSITORY")}
    client = AgentSessions(os.environ["URL"], os.environ["KEY"])
    turn = client.run(given["AGENT"], given["MESSAGE"], repository=repository(given["REPOSITORY"]), **permissions())
    output("session", turn.session.id)
    print(f"Session {turn.session.id}", flush=True)
    undecided = ""
    try:
        turn = turn.wait(timeout=60 * float(os.environ["TIMEOUT_MINUTES"]), on_request=lambda request: asked(turn, request))
    except (TurnLive, KeyboardInterrupt):
        turn = turn.session.turn()  # another, where a plan was carried out
        # Looked for before the interrupt closes them. A plan or a push can be decided on when this is over.
        undecided = "".join(f" Nobody has decided {address(turn, request)}" for request in pending(turn))
        if turn.poll() is not None or turn.status == "requires_action":
            turn.session.interrupt().wait(timeout=60)
            turn.poll()
    return tell(turn, undecided)


def asked(turn: Turn, request) -> None:
    """Leaves the decision to a person elsewhere: what a workflow starts must not approve itself."""
    print(f"The agent waits for a decision until {request['expires_at']}: {address(turn, request)}", flush=True)
    quoted(request["title"])


def pending(turn: Turn):
    return turn.session.requests(status="pending")


def address(turn: Turn, request) -> str:
    """Where people decide, in the console."""
    return f"{turn.session.load()['session_html_url']}/requests/{request['id']}"


def permissions():
    text = os.environ.get("PERMISSIONS")
    try:
        return {"permissions": json.loads(text)} if text else {}
    except ValueError as wrong:
        raise AgentSessionsError(f"the input permissions is no JSON: {wrong}") from None


def repository(url: str):
    if not url:
        return None
    chosen = {"url": url} | ({"ref": os.environ["REF"]} if os.environ.get("REF") else {})
    for name, field in {"TOKEN": "token", "CREDENTIAL": "secret"}.items():
        if os.environ.get(name):
            chosen["credential"] = {field: os.environ[name]}
    if os.environ.get("PULL_REQUEST") == "true":
        chosen["push"] = {"pull_request": {}}
    return chosen


def tell(turn: Turn, undecided: str) -> int:
    try:
        reply, why = turn.reply, undecided.strip()
    except (TurnFailed, TurnLive) as failed:
        reply, why = "", f"{failed}{undecided}"
    requests = turn.session.load()["pull_requests"]
    for name, value in {"reply": reply, "status": turn.status, "pull-request": requests[-1] if requests else "", "patch": patch(turn)}.items():
        output(name, value)
    quoted("\n".join(filter(None, (reply, why))))
    summarize(f"Agent session {turn.session.id}: {turn.status}", [f"{each['role']}: {each['message']}" for each in turn.session.messages()] + [why] * bool(why))
    return 0 if turn.status == "completed" and not undecided else 1


def patch(turn: Turn) -> str:
    content = turn.patch() if turn.thread and turn.thread["repositories"] else b""
    if not content:
        return ""
    path = os.path.join(os.environ["RUNNER_TEMP"], f"{turn.session.id}.patch")
    with open(path, "wb") as file:
        file.write(content)
    return path


def output(name: str, value: str) -> None:
    end = secrets.token_hex(16)
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8", newline="\n") as file:
        file.write(f"{name}<<{end}\n{value}\n{end}\n")


def quoted(text: str) -> None:
    end = secrets.token_hex(16)
    print(f"::stop-commands::{end}\n{text}\n::{end}::", flush=True)


def summarize(title: str, parts: list[str]) -> None:
    text = "\n\n".join(parts).encode()[-SUMMARY:].decode(errors="ignore")
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    with open(os.environ["GITHUB_STEP_SUMMARY"], "a", encoding="utf-8") as file:
        file.write(f"### {title}\n\n{fence}text\n{text}\n{fence}\n")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except AgentSessionsError as error:
        quoted(f"Error: {error}")
        sys.exit(1)
