"""What an agent changed becomes a pull request, once somebody has looked at it. Usage: pull_request.py URL; GIT_USER and GIT_TOKEN may push
there, and GIT_PROVIDER (github, gitlab, gitea) is needed where the host's name does not tell it."""

import os
import sys

from agent_sessions import AgentSessions, PullRequestFailed

credential = {"username": os.environ.get("GIT_USER"), "token": os.environ["GIT_TOKEN"]}
turn = AgentSessions().run("shell", "echo World >>README.md", repository={"url": sys.argv[1], "credential": credential}).wait(timeout=120)
print(turn.patch().decode(), end="")
if input("Make a pull request of it? [y/n] ") == "y":
    try:
        session = turn.session.pull_request(title="Greet the world", provider=os.environ.get("GIT_PROVIDER"), timeout=120)
        print(session["pull_requests"][-1])
    except PullRequestFailed as failed:
        print(failed)
