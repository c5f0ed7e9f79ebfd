# A program like any that uses the client which openapi-generator makes from infra/openapi.yaml: creates a session, polls its
# reply, follows up, reads history and plan, decides a request, meets errors. Usage: BASE=… KEY=… python check.py
import os
import time
import urllib.request

import openapi_client
from openapi_client.exceptions import ConflictException, NotFoundException, UnauthorizedException, UnprocessableEntityException

MESSAGE = "mkdir -p plans; echo '# Plän' > plans/one.md; echo Grüße"


def connect(key):
    configuration = openapi_client.Configuration(host=os.environ["BASE"])
    configuration.api_key["ApiKey"] = key
    configuration.api_key_prefix["ApiKey"] = "ApiKey"
    return openapi_client.ApiClient(configuration)


def reply(messages, session, thread):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        page = messages.list_thread_messages(session, thread, type=["final_message"], role=["assistant"])
        if page.items:
            return page.items[0]
        time.sleep(page.poll_after_seconds or 1)
    raise AssertionError("no reply")


def asked(requests, session):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        page = requests.list_requests(session_id=session)
        if page.items:
            return page.items[0]
        time.sleep(1)
    raise AssertionError("no request")


def refused(error, call, *arguments):
    try:
        call(*arguments)
    except error as refusal:
        return openapi_client.Problem.from_json(refusal.body)
    raise AssertionError("not refused")


with connect(os.environ["KEY"]) as client:
    sessions, messages = openapi_client.SessionsApi(client), openapi_client.MessagesApi(client)
    artifacts = openapi_client.ArtifactsApi(client)
    created = sessions.create_session(openapi_client.CreateSession(agent_name="shell", message=MESSAGE, metadata={"a": "b"}))
    assert created.created_at.tzinfo and created.status == "working", created
    answer = reply(messages, created.id, created.thread_id)
    assert (answer.message.strip(), answer.outcome) == ("Grüße", "completed"), answer
    sent = messages.send_message(created.id, openapi_client.SendMessage(message="echo again"))
    assert reply(messages, created.id, sent.thread_id).message.strip() == "again"
    history = messages.list_messages(created.id, type=["message", "final_message"]).items
    assert [item.role for item in history] == ["user", "assistant", "user", "assistant"], history
    plan = artifacts.get_artifact(created.id, sessions.get_session(created.id).plan_artifact_ids[-1])
    with urllib.request.urlopen(plan.url, timeout=10) as download:
        assert download.read().decode() == "# Plän\n"
    assert any(item.id == created.id for item in sessions.list_sessions().items)
    requests, held = openapi_client.RequestsApi(client), openapi_client.NewPermissions(default="ask")
    careful = sessions.create_session(openapi_client.CreateSession(agent_name="shell", message="echo allowed", permissions=held))
    request = asked(requests, careful.id)
    assert request.tool.name == "bash" and sessions.get_session(careful.id).pending_requests == 1, request
    allow, deny = (openapi_client.NewDecision(decision=word, fingerprint=request.fingerprint) for word in ("allow", "deny"))
    assert requests.decide_request(careful.id, request.id, allow).decision.decision == "allow"
    assert refused(ConflictException, requests.decide_request, careful.id, request.id, deny).code == "ALREADY_DECIDED"
    assert reply(messages, careful.id, careful.thread_id).message.strip() == "allowed"
    unknown = refused(UnprocessableEntityException, sessions.create_session, openapi_client.CreateSession(agent_name="x", message="y"))
    assert unknown.code == "VALIDATION" and "shell" in unknown.details[0].message, unknown
    sessions.delete_session(created.id)
    assert refused(NotFoundException, sessions.get_session, created.id).code == "NOT_FOUND"
with connect("ask_wrong") as client:
    assert refused(UnauthorizedException, openapi_client.ServiceApi(client).get_me).code == "UNAUTHORIZED"
print("python: created, polled, followed up, downloaded, decided, refused: as the contract says")
