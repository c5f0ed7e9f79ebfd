"""What the client does when the service is slow, busy, cut off or wrong, against a stub. Usage: python -m unittest discover tests"""

import asyncio
import hashlib
import os
import tempfile
import unittest

import agent_sessions
from agent_sessions import AgentSessions, aio, transport
from stub import Stub

KEY = "ask_very-secret"
SESSION, FIRST, SECOND = (f"00000000-0000-4000-8000-00000000000{digit}" for digit in "123")
CREATED = {"id": SESSION, "thread_id": FIRST}
BUSY = {"code": "UNAVAILABLE", "message": "busy", "request_id": "r"}


ASKED = {"id": SECOND, "session_id": SESSION, "thread_id": FIRST, "status": "pending", "fingerprint": "f", "tool": {"name": "Bash"}}


def page(status, reply=None, **thread):
    items = [{"message": reply}] if reply is not None else []
    return {"items": items, "poll_after_seconds": 1, "thread": {"status": status, "error": None, "superseded_by": None, "repositories": []} | thread}


def restore(name, value):
    os.environ.pop(name, None)
    if value is not None:
        os.environ[name] = value


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.stub, self.pauses = Stub(), []
        self.addCleanup(self.stub.close)
        kept = transport.sleep
        self.addCleanup(setattr, transport, "sleep", kept)
        transport.sleep = self.pauses.append
        self.client = AgentSessions(self.stub.url, KEY, timeout=5)
        self.turn = self.client.session(SESSION).turn(FIRST)

    def test_what_is_not_given_is_read_of_the_environment(self):
        names = ("AGENT_SESSIONS_URL", "AGENT_SESSIONS_KEY")
        for name in names:
            self.addCleanup(restore, name, os.environ.pop(name, None))
        self.assertRaisesRegex(ValueError, "AGENT_SESSIONS_URL is not set", AgentSessions)
        os.environ["AGENT_SESSIONS_URL"] = self.stub.url
        self.assertRaisesRegex(ValueError, "AGENT_SESSIONS_KEY is not set", AgentSessions)
        os.environ["AGENT_SESSIONS_KEY"] = KEY
        self.stub.answer(200, {"items": []})
        self.assertEqual([], AgentSessions().agents())

    def test_a_message_is_sent_again_with_its_key_until_it_is_accepted(self):
        self.stub.answer(503, BUSY, Retry_After="7")
        self.stub.answer(429, BUSY | {"code": "RATE_LIMITED"})
        self.stub.answer(0)
        self.stub.answer(201, CREATED)
        turn = self.client.run("shell", "echo", repository="https://git.example.org/a", title="T")
        self.assertEqual((SESSION, FIRST), (turn.session.id, turn.id))
        self.assertEqual(1, len({headers["Idempotency-Key"] for _, _, headers, _ in self.stub.asked}))
        self.assertEqual(4, len(self.stub.asked))
        self.assertEqual({"agent_name": "shell", "message": "echo", "title": "T", "repositories": [{"url": "https://git.example.org/a"}]}, self.stub.asked[3][3])
        self.assertGreaterEqual(self.pauses[0], 7)

    def test_retries_end_and_long_waits_are_left_to_the_caller(self):
        for _ in range(6):
            self.stub.answer(503, BUSY)
        with self.assertRaises(agent_sessions.Unavailable):
            self.turn.poll()
        self.stub.answer(429, BUSY, Retry_After="3600")
        with self.assertRaises(agent_sessions.RateLimited) as refused:
            self.turn.poll()
        self.assertEqual((3600, 7), (refused.exception.retry_after, len(self.stub.asked)))

    def test_what_has_no_idempotency_key_is_sent_once(self):
        self.stub.answer(503, BUSY)
        with self.assertRaises(agent_sessions.Unavailable):
            self.client.session(SESSION).delete()
        self.assertEqual(1, len(self.stub.asked))

    def test_refusals_have_types_and_say_what_is_wrong(self):
        kinds = {401: "Unauthorized", 403: "Forbidden", 404: "NotFound", 409: "Conflict", 422: "Invalid", 500: "ApiError"}
        for status, name in kinds.items():
            self.stub.answer(status, {"code": "C", "message": "m", "request_id": "r", "details": [{"field": "f", "message": "m"}]})
            with self.assertRaises(agent_sessions.ApiError) as refused:
                self.turn.poll()
            self.assertEqual((name, "C", "f"), (type(refused.exception).__name__, refused.exception.code, refused.exception.details[0]["field"]))
        self.stub.answer(502, b"<html>")
        with self.assertRaises(agent_sessions.ApiError):
            self.turn.poll()

    def test_waiting_ends_with_the_turn_whatever_its_status_is(self):
        self.stub.answer(200, page("queued"))
        self.stub.answer(200, page("completed", "Hi"))
        self.assertEqual("Hi", self.turn.poll() and self.turn.wait().reply)
        for status in ("requires_action", "something_new"):
            self.stub.answer(200, page(status))
            self.assertEqual(status, self.turn.wait().status)
            with self.assertRaises(agent_sessions.TurnLive):
                self.turn.reply
        self.stub.answer(200, page("failed", "Closing.", error={"code": "AGENT_FAILED", "message": "why", "retryable": True}))
        with self.assertRaises(agent_sessions.TurnFailed) as failed:
            self.turn.wait().reply
        self.assertEqual(("AGENT_FAILED", "why", True), (failed.exception.code, failed.exception.message, failed.exception.retryable))

    def test_waiting_follows_what_superseded_only_if_asked(self):
        interrupted = page("interrupted", superseded_by=SECOND)
        self.stub.answer(200, interrupted)
        self.assertEqual((FIRST, "interrupted"), (self.turn.wait().id, self.turn.status))
        self.stub.answer(200, interrupted)
        self.stub.answer(200, page("completed", "second"))
        after = self.turn.wait(follow=True)
        self.assertEqual((SECOND, "second"), (after.id, after.reply))

    def asks(self, *requests):
        self.stub.answer(200, page("requires_action") | {"poll_after_seconds": 5})
        self.stub.answer(200, {"items": requests, "_links": {}})

    def ends(self, reply="Hi", waiting=(), job=None, newest=FIRST):
        """A turn that is over, whose session is looked at then."""
        self.stub.answer(200, page("completed", reply) | {"poll_after_seconds": None})
        self.stub.answer(200, {"items": waiting, "_links": {}})
        if not waiting:
            self.stub.answer(200, {"job": job, "thread_id": newest})

    def decided(self):
        return [(path, body) for method, path, _, body in self.stub.asked if method == "POST"]

    def test_what_is_asked_is_decided_once_and_waiting_goes_on(self):
        self.asks(ASKED | {"thread_id": SECOND}, ASKED)
        self.stub.answer(503, BUSY)
        self.stub.answer(200, ASKED)
        self.asks(ASKED)
        self.ends()
        asked = []
        self.assertEqual("Hi", self.turn.wait(on_request=lambda request: asked.append(request) or {"decision": "deny", "note": "no"}).reply)
        self.assertEqual([ASKED], asked)
        path = f"/rest/v1/sessions/{SESSION}/requests/{SECOND}/decision"
        self.assertEqual([(path, {"decision": "deny", "note": "no", "fingerprint": "f"})] * 2, self.decided())
        self.assertEqual([0, 5], self.pauses[1:])

    def test_a_question_is_answered_by_one_text_or_several(self):
        self.stub.answer(200, ASKED)
        self.client.requests.decide(ASKED, "allow", answers={"1": "Blue", "2": ["so", "and so"]})
        self.assertEqual({"decision": "allow", "answers": {"1": ["Blue"], "2": ["so", "and so"]}, "fingerprint": "f"}, self.decided()[0][1])

    def test_who_leaves_a_request_or_comes_too_late_waits_on(self):
        other = ASKED | {"id": FIRST}
        self.asks(ASKED)
        self.asks(ASKED, other)
        self.stub.answer(409, {"code": "ALREADY_DECIDED", "message": "m", "request_id": "r"})
        self.ends()
        self.turn.wait(on_request=lambda request: "allow" if request["id"] == FIRST else None)
        self.assertEqual(1, len(self.decided()))
        self.stub.answer(409, {"code": "ALREADY_DECIDED", "message": "m", "request_id": "r"})
        with self.assertRaises(agent_sessions.Conflict) as late:
            self.client.requests.decide(ASKED, "allow_session")
        self.assertEqual("ALREADY_DECIDED", late.exception.code)

    def test_what_waits_when_the_turn_is_over_is_decided_and_done_before_waiting_ends(self):
        self.ends(waiting=[ASKED])
        self.stub.answer(200, ASKED)
        self.ends(job="push")
        self.ends()
        self.assertEqual("Hi", self.turn.wait(on_request=lambda request: "allow").reply)
        self.assertEqual(([0, 1.0], 1, []), (self.pauses, len(self.decided()), self.stub.answers))
        self.ends(waiting=[ASKED])
        self.assertEqual("Hi", self.turn.wait().reply)  # nobody is there who decides
        self.stub.answers.clear()
        self.ends(waiting=[ASKED])
        self.ends(waiting=[ASKED])
        self.ends()
        self.turn.wait(on_request=lambda request: None)
        self.assertEqual([0, 5.0], self.pauses[2:])

    def plan(self, decision, note=None, threads=(SECOND, FIRST)):
        self.ends(newest=threads[0])
        plan = ASKED | {"kind": "plan", "decision": {"decision": decision, "note": note}}
        self.stub.answer(200, {"items": [ASKED | {"kind": "permission", "decision": None}, plan], "_links": {}})
        self.stub.answer(200, {"items": [{"id": id} for id in threads], "_links": {}})

    def test_a_plan_that_is_decided_on_gives_way_to_the_turn_that_this_began(self):
        third = "00000000-0000-4000-8000-000000000004"
        for decision, note in (("allow", None), ("deny", "smaller")):
            self.plan(decision, note, threads=(third, SECOND, FIRST))
            self.ends("done", newest=SECOND)
            after = self.turn.wait(on_request=lambda request: None)
            self.assertEqual((SECOND, "done"), (after.id, after.reply))
            self.plan(decision, note)
            self.ends("done", newest=SECOND)
            after = asyncio.run(aio.Turn(self.client.session(SESSION).turn(FIRST)).wait(on_request=lambda request: None))
            self.assertEqual((SECOND, "done"), (after.id, after.reply))
        self.plan("deny")
        self.assertEqual(FIRST, self.turn.wait(on_request=lambda request: None).id)

    def test_a_connection_is_asked_about_while_the_turn_runs(self):
        self.stub.answer(200, page("running"))
        self.stub.answer(200, {"items": [ASKED], "_links": {}})
        self.stub.answer(200, ASKED)
        self.stub.answer(200, page("failed", "no"))
        self.turn.wait(on_request=lambda request: "allow")
        self.assertEqual(1, len(self.decided()))

    def test_a_turn_that_waits_is_taken_out_once_however_often_it_is_asked(self):
        self.stub.answer(503, BUSY)
        self.stub.answer(200, page("cancelled")["thread"])
        self.assertEqual("cancelled", self.turn.cancel().status)
        self.assertEqual(["POST"] * 2, [each[0] for each in self.stub.asked])
        self.assertTrue(self.stub.asked[1][1].endswith(f"/sessions/{SESSION}/threads/{FIRST}/cancel"))
        with self.assertRaises(agent_sessions.TurnFailed):
            self.turn.reply

    def test_waiting_has_an_end(self):
        self.stub.answer(200, page("running"))
        with self.assertRaises(TimeoutError):
            self.turn.wait(timeout=0)

    def test_events_go_on_where_they_were_cut(self):
        self.stub.stream('retry: 1000\n\nevent: message.created\nid: a\ndata: {"n":1}\n\nevent: thread.running\ndata: {}\n\nevent: message.cre')
        self.stub.answer(503, BUSY)
        self.stub.stream('event: heartbeat\ndata: {}\n\nevent: message.created\nid: b\ndata: {"n":\ndata: 2}\n\nevent: end\nid: c\ndata: {"reason":"wait"}\n\n')
        self.stub.stream('event: thread.completed\nid: d\ndata: {}\n\nevent: end\ndata: {"reason":"final"}\n\n')
        events = list(self.turn.events())
        self.assertEqual([("message.created", "a"), ("thread.running", None), ("message.created", "b"), ("thread.completed", "d")], [(event.type, event.id) for event in events])
        self.assertEqual({"n": 2}, events[2].data)
        self.assertEqual([None, "a", "a", "c"], [{name.lower(): value for name, value in asked[2].items()}.get("last-event-id") for asked in self.stub.asked])

    def test_a_stream_that_never_gets_further_ends(self):
        for _ in range(6):
            self.stub.stream("event: thread.running\ndata: {}\n\n")
        with self.assertRaises(agent_sessions.ConnectionFailed):
            list(self.turn.events())

    def test_downloads_are_held_to_their_hash_and_never_have_the_key(self):
        artifact = {"file_name": "a.md", "url": f"{self.stub.url}/signed?signature=secret", "sha256": hashlib.sha256(b"plan").hexdigest()}
        session = self.client.session(SESSION)
        self.stub.answer(302, Location="/elsewhere")
        self.stub.answer(200, b"plan")
        self.assertEqual(b"plan", session.download(artifact))
        with tempfile.TemporaryDirectory() as folder:
            for content in (b"other", b"plan"):
                self.stub.answer(200, content)
                try:
                    session.download(artifact, os.path.join(folder, "a.md"))
                except agent_sessions.DownloadFailed as error:
                    self.assertEqual([], os.listdir(folder))
                    self.assertNotIn("secret", str(error))
            self.assertEqual(["a.md"], os.listdir(folder))
        self.assertFalse(any("Authorization" in headers for _, _, headers, _ in self.stub.asked))

    def test_a_redirect_does_not_take_the_key_along(self):
        self.stub.answer(302, Location=f"http://localhost:{self.stub.server.server_port}/other")
        self.stub.answer(200, page("completed", "Hi"))
        self.turn.poll()
        self.assertEqual([True, False], ["Authorization" in headers for _, _, headers, _ in self.stub.asked])
        self.stub.answer(302, Location="/other")
        with self.assertRaises(agent_sessions.ApiError):
            self.client.run("shell", "echo")

    def pulls(self, job, status="idle", **repository):
        self.stub.answer(200, {"job": job, "status": status, "pull_requests": ["https://git.example.org/a/pulls/1"], "repositories": [{"path": "a", "error": None} | repository]})

    def test_a_pull_request_is_asked_for_once_and_waited_for(self):
        self.pulls(None)
        self.stub.answer(503, BUSY)
        self.stub.answer(202, {"path": "a"})
        self.pulls("pull_request")
        self.pulls(None, status="requires_action")
        self.pulls("push")
        self.pulls(None)
        made = self.client.session(SESSION).pull_request(title="T", draft=True)
        self.assertEqual(["https://git.example.org/a/pulls/1"], made["pull_requests"])
        path = f"/rest/v1/sessions/{SESSION}/pull-requests"
        self.assertEqual([(path, {"path": "a", "title": "T", "draft": True})] * 2, self.decided())
        self.assertEqual(1, len({headers["Idempotency-Key"] for method, _, headers, _ in self.stub.asked if method == "POST"}))
        self.assertEqual([1.0] * 3, self.pauses[1:])

    def test_a_pull_request_that_cannot_be_made_says_why_and_waiting_for_one_has_an_end(self):
        session = self.client.session(SESSION)
        self.stub.answer(202, {"path": "a"})
        self.pulls(None, error={"code": "PUSH_REFUSED", "message": "not yours"})
        with self.assertRaises(agent_sessions.PullRequestFailed) as failed:
            session.pull_request("a")
        self.assertEqual(("PUSH_REFUSED", "not yours"), (failed.exception.code, failed.exception.message))
        self.stub.answer(202, {"path": "a"})
        self.pulls("pull_request")
        with self.assertRaises(TimeoutError):
            session.pull_request("a", timeout=0, idempotency_key="mine")
        self.assertEqual("mine", self.stub.asked[2][2]["Idempotency-Key"])
        self.stub.answer(200, {"repositories": [{"path": "a"}, {"path": "b"}]})
        with self.assertRaisesRegex(agent_sessions.AgentSessionsError, "a, b"):
            session.pull_request()

    def test_patches_come_from_the_repository_that_is_meant(self):
        repositories = [{"path": "a", "patch_artifact_id": None}, {"path": "b", "patch_artifact_id": SECOND}]
        self.stub.answer(200, page("completed", "", repositories=repositories))
        self.turn.wait()
        self.assertEqual(b"", self.turn.patch("a"))
        with self.assertRaisesRegex(agent_sessions.AgentSessionsError, "a, b"):
            self.turn.patch()

    def test_lists_go_over_all_pages(self):
        self.stub.answer(200, {"items": [1], "_links": {"next": {"href": "http://ignored.example/rest/v1/sessions?limit=1&cursor=x%3D"}}})
        self.stub.answer(200, {"items": [2], "_links": {}})
        self.assertEqual([1, 2], list(self.client.sessions(limit=1)))
        self.assertEqual("/rest/v1/sessions?limit=1&cursor=x%3D", self.stub.asked[1][1])

    def test_nothing_shows_the_key(self):
        self.stub.answer(401, {"code": "UNAUTHORIZED", "message": "m", "request_id": "r"})
        with self.assertRaises(agent_sessions.Unauthorized) as refused:
            self.turn.poll()
        for shown in (self.client, self.client.transport, self.turn, self.turn.session, refused.exception):
            self.assertNotIn("secret", repr(shown) + str(shown))
        for url, key in [(self.stub.url, KEY + "\n"), (self.stub.url, ""), ("ftp://a", KEY), ("http://user:secret@a", KEY)]:
            with self.assertRaises(ValueError) as wrong:
                AgentSessions(url, key)
            self.assertNotIn("secret", str(wrong.exception))

    def test_the_same_for_asyncio(self):
        async def program():
            self.stub.answer(201, CREATED)
            self.stub.answer(200, page("interrupted", superseded_by=SECOND))
            self.stub.answer(200, page("completed", "Hi"))
            self.stub.stream('event: heartbeat\ndata: {}\n\nevent: thread.completed\nid: d\ndata: {}\n\nevent: end\ndata: {"reason":"final"}\n\n')
            turn = await (await aio.AgentSessions(self.stub.url, KEY).run("shell", "echo")).wait(follow=True)
            return turn.id, turn.reply, [event.type async for event in turn.events()]

        self.assertEqual((SECOND, "Hi", ["thread.completed"]), asyncio.run(program()))

    def test_asyncio_waits_for_a_pull_request_too(self):
        self.addCleanup(setattr, agent_sessions.client, "PAUSE", agent_sessions.client.PAUSE)
        agent_sessions.client.PAUSE = 0
        self.stub.answer(202, {"path": "a"})
        self.pulls("pull_request")
        self.pulls(None)
        made = asyncio.run(aio.Session(self.client.session(SESSION)).pull_request("a", title="T", timeout=60))
        self.assertEqual((1, [{"path": "a", "title": "T"}]), (len(made["pull_requests"]), [body for _, body in self.decided()]))

    def test_asyncio_asks_who_waits_and_who_blocks_alike(self):
        async def allow(request):
            return "allow"

        for on_request in (allow, lambda request: "allow"):
            self.asks(ASKED)
            self.stub.answer(200, ASKED)
            self.ends()
            turn = aio.Turn(self.client.session(SESSION).turn(FIRST))
            self.assertEqual("Hi", asyncio.run(turn.wait(on_request=on_request)).reply)
        self.assertEqual(["allow"] * 2, [body["decision"] for _, body in self.decided()])


if __name__ == "__main__":
    unittest.main()
