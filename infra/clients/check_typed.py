# A program like any that uses the client which openapi-python-client makes from infra/openapi.yaml: creates a session with something to
# work on, polls its reply, follows up, decides a request, meets errors. Usage: BASE=… KEY=… python check_typed.py
import os
import time

from typed_client import AuthenticatedClient
from typed_client.api.messages import list_messages, list_thread_messages, send_message
from typed_client.api.requests import decide_request, list_requests
from typed_client.api.service import get_me
from typed_client.api.sessions import create_session, delete_session, get_session, update_session
from typed_client.models import CreateSession, DecisionWord, MessageRole, MessageType, NewDecision, Problem, SendMessage, Session, SessionChange


def connect(key):
    return AuthenticatedClient(base_url=os.environ["BASE"], token=key, prefix="ApiKey")


def reply(client, session, thread):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        page = list_thread_messages.sync(
            session, thread, client=client, type_=[MessageType.FINAL_MESSAGE], role=[MessageRole.ASSISTANT]
        )
        if page.items:
            return page.items[0]
        time.sleep(page.poll_after_seconds or 1)
    raise AssertionError("no reply")


def asked(client, session):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        page = list_requests.sync(client=client, session_id=session)
        if page.items:
            return page.items[0]
        time.sleep(1)
    raise AssertionError("no request")


with connect(os.environ["KEY"]) as client:
    work = {"files": [{"path": "note", "content": "Grüße"}], "environment": {"variables": {"A": "b"}}, "limits": {"turn": {"max_seconds": 60}}}
    created = create_session.sync(client=client, body=CreateSession.from_dict({"agent_name": "shell", "message": "cat note; echo $A"} | work))
    assert isinstance(created, Session) and created.environment.variables == ["A"] and created.warnings == [], created
    answer = reply(client, created.id, created.thread_id)
    assert (answer.message.split(), answer.outcome) == (["Grüßeb"], "completed"), answer
    sent = send_message.sync(created.id, client=client, body=SendMessage(message="echo again"))
    assert reply(client, created.id, sent.thread_id).message.strip() == "again"
    assert len(list_messages.sync(created.id, client=client, type_=[MessageType.MESSAGE]).items) == 2
    changed = update_session.sync(created.id, client=client, body=SessionChange(title="A title"))
    assert changed.title == "A title" and changed.limits.turn.max_seconds == 60, changed
    careful = {"agent_name": "shell", "message": "echo allowed", "permissions": {"default": "ask"}}
    held = create_session.sync(client=client, body=CreateSession.from_dict(careful))
    request = asked(client, held.id)
    assert request.tool.name == "bash" and request.decision is None, request
    allow, deny = (NewDecision(decision=word, fingerprint=request.fingerprint) for word in (DecisionWord.ALLOW, DecisionWord.DENY))
    assert decide_request.sync(held.id, request.id, client=client, body=allow).decision.decision == "allow"
    assert decide_request.sync(held.id, request.id, client=client, body=deny).code == "ALREADY_DECIDED"
    assert reply(client, held.id, held.thread_id).message.strip() == "allowed"
    unknown = create_session.sync(client=client, body=CreateSession(agent_name="x", message="y"))
    assert isinstance(unknown, Problem) and unknown.code == "VALIDATION" and "shell" in unknown.details[0].message, unknown
    delete_session.sync_detailed(created.id, client=client)
    assert get_session.sync(created.id, client=client).code == "NOT_FOUND"
with connect("ask_wrong") as client:
    assert get_me.sync(client=client).code == "UNAUTHORIZED"
print("python, typed: created, polled, followed up, changed, decided, refused: as the contract says")
