"""An agent works on a repository; what it changed comes home as a patch. Usage: repository.py URL"""

import sys

from agent_sessions import AgentSessions

turn = AgentSessions().run("shell", "echo World >>README.md", repository=sys.argv[1]).wait(timeout=120)
print(turn.patch().decode(), end="")
