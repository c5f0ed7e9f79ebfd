# A program like any that uses the client which openapi-python-client makes from infra/openapi.yaml: creates a session with something to
# work on, polls its reply, follows up, meets errors. Usage: BASE=… KEY=… python check_typed.py
import os
import time

from typed_client import AuthenticatedClient
from typed_client.api.messages import list_messages, list_thread_messages, send_message
from typed_client.api.service import get_me
from typed_client.api.sessions import create_session, delete_session, get_session, update_session
from typed_client.models import CreateSession, MessageRole, MessageType, Problem, SendMessage, Session, SessionChange


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
    unknown = create_session.sync(client=client, body=CreateSession(agent_name="x", message="y"))
    assert isinstance(unknown, Problem) and unknown.code == "VALIDATION" and "shell" in unknown.details[0].message, unknown
    delete_session.sync_detailed(created.id, client=client)
    assert get_session.sync(created.id, client=client).code == "NOT_FOUND"
with connect("ask_wrong") as client:
    assert get_me.sync(client=client).code == "UNAUTHORIZED"
print("python, typed: created, polled, followed up, changed, refused: as the contract says")
