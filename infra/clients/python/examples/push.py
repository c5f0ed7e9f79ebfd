"""What an agent changed is pushed, with a pull request, once somebody has allowed it. Usage: push.py URL; GIT_USER and GIT_TOKEN may push
there, and GIT_PROVIDER (github, gitlab, gitea) is needed where the host's name does not tell it. Needs a key with the scope `decide`."""

import os
import sys

from agent_sessions import AgentSessions


def ask(request):
    print(request["title"])
    return "allow" if input("Allow it? [y/n] ") == "y" else "deny"


credential = {"username": os.environ.get("GIT_USER"), "token": os.environ["GIT_TOKEN"]}
push = {"provider": os.environ.get("GIT_PROVIDER"), "pull_request": {"title": "Greet the world"}}
repository = {"url": sys.argv[1], "credential": credential, "push": push}
rules = [{"kind": "push", "policy": "ask"}]
turn = AgentSessions().run("shell", "echo World >>README.md", repository=repository, permissions={"rules": rules}).wait(timeout=120, on_request=ask)
for pushed in turn.session.load()["repositories"]:
    print(pushed["pull_request_url"] or pushed["error"])
