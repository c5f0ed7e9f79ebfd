"""Agent Sessions: sessions with coding agents, and their turns."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from . import transport, types
from .errors import AgentSessionsError, Conflict, PullRequestFailed, TurnFailed, TurnLive
from .transport import Transport

if TYPE_CHECKING:
    from typing_extensions import Unpack

    # A decision, or one with its note: {"decision": "deny", "note": "Not on a Friday"}
    Decided = str | dict[str, Any] | None

LIVE = ("queued", "running")
ASKING = ("running", "requires_action", "completed")  # what a turn may be while it waits for a decision
PAUSE = 1.0  # seconds between two looks at a pull request
DECIDING = 5.0  # and at what people decide on when the turn is over


class Event(NamedTuple):
    """Something that happened. Durable events have an `id`; the others tell how it is now."""

    type: str
    data: dict[str, Any]
    id: str | None


def given(value: str | None, what: str, variable: str) -> str:
    """What is given, else what the variable says."""
    found = os.environ.get(variable) if value is None else value
    if not found:
        raise ValueError(f"no {what} is given, and {variable} is not set")
    return found


class AgentSessions:
    """A service, and a key of one of its workspaces; by default those of AGENT_SESSIONS_URL and AGENT_SESSIONS_KEY."""

    def __init__(self, url: str | None = None, key: str | None = None, *, timeout: float = 60.0, attempts: int = 6):
        found = given(url, "url", "AGENT_SESSIONS_URL"), given(key, "key", "AGENT_SESSIONS_KEY")
        self.transport = Transport(*found, timeout, attempts)
        self.requests = Requests(self.transport)

    def __repr__(self) -> str:
        return f"AgentSessions({self.transport.url!r})"

    def run(
        self,
        agent: str,
        message: str,
        *,
        repository: str | types.NewRepository | None = None,
        idempotency_key: str | None = None,
        **fields: Unpack[types.SessionFields],
    ) -> Turn:
        """Starts a session with its first message."""
        body: dict[str, Any] = {"agent_name": agent, "message": message, **fields}
        if repository is not None:
            body["repositories"] = [{"url": repository} if isinstance(repository, str) else repository, *(fields.get("repositories") or [])]
        created = self.transport.call("POST", "/sessions", body, key=idempotency_key or str(uuid.uuid4()))
        return Turn(Session(self.transport, created["id"]), created["thread_id"])

    def session(self, id: str) -> Session:
        """A session that there is already."""
        return Session(self.transport, id)

    def sessions(self, **filters: Any) -> Iterator[types.SessionSummary]:
        """The sessions of the workspace, newest first; filters as in the contract, such as `status="working"`."""
        return self.transport.pages("/sessions", filters)

    def agents(self) -> list[types.Agent]:
        return self.transport.call("GET", "/agents")["items"]

    def request(self, method: str, path: str, body: Any = None, query: Any = None, idempotency_key: str | None = None) -> Any:
        """Any other operation of the contract; `path` is what follows `/rest/v1`."""
        return self.transport.call(method, path, body, query, idempotency_key)


class Requests:
    """What agents have asked the people of a workspace."""

    def __init__(self, transport: Transport):
        self.transport = transport

    def list(self, **filters: Any) -> Iterator[types.SessionRequest]:
        """Those that wait for a decision, oldest first; filters as in the contract, such as `status="decided"`."""
        return self.transport.pages("/requests", filters)

    def decide(
        self, request: types.SessionRequest, decision: str, note: str | None = None, answers: Mapping[str, str | Sequence[str]] | None = None
    ) -> types.SessionRequest:
        """Allows or denies just what `request` shows: `allow`, `allow_session` or `deny`; the agent reads the note of a denial. Questions
        are allowed with `answers`: to each by its id, one text or several; or denied, where nobody answers. Needs the scope `decide`.
        Conflict if it was decided otherwise (`ALREADY_DECIDED`) or waits no more (`REQUEST_CLOSED`)."""
        path = f"/sessions/{uuid.UUID(request['session_id'])}/requests/{uuid.UUID(request['id'])}/decision"
        values = answers and {id: [each] if isinstance(each, str) else [*each] for id, each in answers.items()}
        body = {"decision": decision, "note": note, "answers": values, "fingerprint": request["fingerprint"]}
        return self.transport.call("POST", path, {name: value for name, value in body.items() if value is not None}, again=True)


class Session:
    """A conversation with an agent."""

    def __init__(self, transport: Transport, id: str):
        self.transport, self.id, self.path = transport, str(uuid.UUID(id)), f"/sessions/{uuid.UUID(id)}"

    def __repr__(self) -> str:
        return f"Session({self.id!r})"

    def load(self) -> types.Session:
        return self.transport.call("GET", self.path)

    def send(self, message: str, *, idempotency_key: str | None = None, **fields: Unpack[types.MessageFields]) -> Turn:
        """Sends a follow-up. It interrupts the turn that runs; with `on_running="queue"` it waits for it."""
        key = idempotency_key or str(uuid.uuid4())
        sent = self.transport.call("POST", f"{self.path}/messages", {"message": message, **fields}, key=key)
        return Turn(self, sent["thread_id"])

    def turn(self, id: str | None = None) -> Turn:
        """The turn with this id; without one, the current."""
        return Turn(self, id or self.load()["thread_id"])

    def interrupt(self) -> Turn:
        """Cancels the turn that runs, if one does."""
        return Turn(self, self.transport.call("POST", f"{self.path}/interrupt", again=True)["id"])

    def pull_request(
        self,
        path: str | None = None,
        *,
        timeout: float | None = None,
        idempotency_key: str | None = None,
        **fields: Unpack[types.PullRequestFields],
    ) -> types.Session:
        """Has a pull request made of what is changed in the repository (the one at `path`, if there are several), and waits for it: the
        session that is returned has its URL in `pull_requests`, and its commit in `pushed` of the repository. PullRequestFailed if it could
        not be made or was denied, Conflict if there is nothing to push or the session is at work; TurnLive after `timeout` seconds, while it
        goes on."""
        asked, until = self.ask_pull_request(path, idempotency_key, **fields), None if timeout is None else time.monotonic() + timeout
        while (made := self.pulled(asked)) is None:
            if until is not None and time.monotonic() >= until:
                raise TurnLive(f"the pull request is still being made after {timeout} s")
            transport.sleep(PAUSE if until is None else min(PAUSE, max(0.0, until - time.monotonic())))
        return made

    def ask_pull_request(self, path: str | None, idempotency_key: str | None = None, **fields: Any) -> str:
        """Asks for the pull request, and returns the path of its repository."""
        path = path or only(self.load()["repositories"], path)["path"]
        self.transport.call("POST", f"{self.path}/pull-requests", {"path": path, **fields}, key=idempotency_key or str(uuid.uuid4()))
        return path

    def pulled(self, path: str) -> types.Session | None:
        """Looks once: the session with its pull request; None while that is being made, or waits for a person."""
        session = self.load()
        if session["job"] or session["status"] == "requires_action":
            return None
        error = only(session["repositories"], path).get("error")
        if error:
            raise PullRequestFailed(error["code"], error["message"])
        return session

    def messages(self, **filters: Any) -> Iterator[types.Message]:
        """The history, oldest first."""
        return self.transport.pages(f"{self.path}/messages", filters)

    def requests(self, **filters: Any) -> Iterator[types.SessionRequest]:
        """What its agent has asked, newest first."""
        return self.transport.pages(f"{self.path}/requests", filters)

    def artifacts(self, **filters: Any) -> Iterator[types.Artifact]:
        """Plans and files, oldest first."""
        return self.transport.pages(f"{self.path}/artifacts", filters)

    def artifact(self, id: str) -> types.Artifact:
        return self.transport.call("GET", f"{self.path}/artifacts/{uuid.UUID(id)}")

    def download(self, artifact: types.Artifact | str, to: str | os.PathLike[str] | None = None) -> bytes:
        """The content of an artifact, held to its sha256; or, with `to`, written to that file."""
        return self.transport.download(self.artifact(artifact) if isinstance(artifact, str) else artifact, to)  # type: ignore[arg-type]

    def events(self, after: str | None = None, types: list[str] | None = None) -> Iterator[Event]:
        """What happens in the session, for as long as it is there; lost connections are taken up where they were cut."""
        return told(self.transport.events(f"{self.path}/events", after, types))

    def delete(self) -> None:
        self.transport.call("DELETE", self.path)


class Turn:
    """One message and what became of it."""

    def __init__(self, session: Session, id: str):
        self.session, self.id, self.path = session, str(uuid.UUID(id)), f"{session.path}/threads/{uuid.UUID(id)}"
        self.thread: types.SessionThread | None = None
        self._reply: str | None = None
        self._newest = self.id  # of the session's turns, as last looked for
        self.pause = PAUSE

    def __repr__(self) -> str:
        return f"Turn({self.id!r}, {self.thread['status'] if self.thread else 'not seen yet'})"

    @property
    def status(self) -> str:
        """As last seen: `queued` before `wait()`."""
        return self.thread["status"] if self.thread else "queued"

    @property
    def reply(self) -> str:
        """The agent's reply. TurnFailed if it ended otherwise, TurnLive if it has not ended."""
        if self.status == "completed" and self._reply is not None:
            return self._reply
        if self.thread is None or self.status not in ("completed", "failed", "timed_out", "interrupted", "cancelled"):
            raise TurnLive(f"the turn is {self.status}; wait() for it")
        error = self.thread.get("error") or {"code": self.status.upper(), "message": self._reply or f"the turn was {self.status}", "retryable": False}
        raise TurnFailed(self.status, error["code"], error["message"], error["retryable"])

    def wait(self, timeout: float | None = None, *, follow: bool = False, on_request: Callable[[types.SessionRequest], Decided] | None = None) -> Turn:
        """Waits until the turn no longer runs by itself: it has ended, or somebody has to do something. With `follow`, a turn that was
        interrupted gives way to the one that superseded it. With `on_request`, what the agent asks is given to it, each request once, and
        what it returns is decided; None leaves it to others, and the waiting goes on: also for a push, until it is done, and for a plan, which
        gives way to the turn that carries it out or plans again. TurnLive after `timeout` seconds; the turn goes on."""
        turn, asked, until = self, set[str](), None if timeout is None else time.monotonic() + timeout
        while True:
            pause, requests = turn.look(asked) if on_request else (turn.poll(), [])
            for request in requests:
                turn.answer(request, on_request(request) if on_request else None)
            if pause is None:
                following = turn.following() if on_request else None
                following = following or (turn.successor() if follow else None)
                if following is None:
                    return turn
                turn, pause = following, 0.0
            if until is not None:
                if time.monotonic() >= until:
                    raise TurnLive(f"the turn is {turn.status}, and is still waited for after {timeout} s")
                pause = min(pause, max(0.0, until - time.monotonic()))
            transport.sleep(pause)

    def poll(self) -> float | None:
        """Looks once, and says after how many seconds to look again; None if there is nothing to wait for."""
        page = self.session.transport.call("GET", f"{self.path}/messages", query={"type": "final_message", "role": "assistant"})
        self.thread = page["thread"]
        self._reply = page["items"][0]["message"] if page["items"] else None
        self.pause = float(page.get("poll_after_seconds") or DECIDING)
        return self.pause if self.status in LIVE else None

    def look(self, asked: set[str]) -> tuple[float | None, list[types.SessionRequest]]:
        """Polls, and returns what waits for a decision and is not among those `asked`, which it joins. What is asked about when the turn is
        over, such as a push, is waited for too, and so is what is done for the session then."""
        pause = self.poll()
        if self.status not in ASKING:
            return pause, []
        waiting = [each for each in self.session.transport.pages("/requests", {"session_id": self.session.id}) if each["thread_id"] == self.id]
        found = [each for each in waiting if each["id"] not in asked]
        asked.update(each["id"] for each in found)
        if found:
            return 0.0, found
        if waiting or self.status == "requires_action":
            return self.pause, []
        if pause is None:
            session = self.session.load()
            self._newest = session["thread_id"]
            pause = PAUSE if session["job"] else None
        return pause, []

    def answer(self, request: types.SessionRequest, decided: Decided) -> None:
        """Decides as `on_request` says. Whoever was faster has decided, and the turn tells how it goes on."""
        if decided is not None:
            with contextlib.suppress(Conflict):
                Requests(self.session.transport).decide(request, **({"decision": decided} if isinstance(decided, str) else decided))

    def following(self) -> Turn | None:
        """The turn that the decision on the plan of this one began."""
        if self._newest == self.id or self.status != "completed":
            return None
        plans = (each["decision"] for each in self.session.requests() if each["kind"] == "plan" and each["thread_id"] == self.id)
        if not any(each and (each["decision"] == "allow" or each["note"]) for each in plans):
            return None
        threads = self.session.transport.pages(f"{self.session.path}/threads", {"direction": "desc"})
        newer = list(itertools.takewhile(lambda id: id != self.id, (each["id"] for each in threads)))
        return Turn(self.session, newer[-1])

    def successor(self) -> Turn | None:
        """The turn that superseded this one, as last seen."""
        id = self.thread["superseded_by"] if self.thread else None
        return Turn(self.session, id) if id else None

    def cancel(self) -> Turn:
        """Takes a turn that waits (`on_running="queue"`) out of the queue; Conflict if it has begun: then `session.interrupt()` ends it."""
        self.thread = self.session.transport.call("POST", f"{self.path}/cancel", again=True)
        return self

    def patch(self, path: str | None = None) -> bytes:
        """What is changed in the session's repository (the one at `path`, if there are several), for `git apply --index`; empty if nothing is."""
        if self.thread is None or self.status in LIVE:
            raise TurnLive(f"the turn is {self.status}; wait() for it")
        id = only(self.thread["repositories"], path)["patch_artifact_id"]
        return self.session.download(id) if id else b""

    def events(self, after: str | None = None, types: list[str] | None = None) -> Iterator[Event]:
        """What happens in the turn until it has ended; lost connections are taken up where they were cut."""
        return told(self.session.transport.events(f"{self.path}/events", after, types))


def only(repositories: list[types.Repository], path: str | None) -> types.Repository:
    """The repository at `path`; without one, the only one."""
    chosen = [each for each in repositories if path in (None, each["path"])]
    if len(chosen) != 1:
        raise AgentSessionsError(f"name one of the repositories: {', '.join(each['path'] for each in repositories) or 'there is none'}")
    return chosen[0]


def told(events: Iterator[dict[str, Any] | None]) -> Iterator[Event]:
    return (Event(event["type"], event["data"], event.get("id")) for event in events if event)
