"""Several sessions at once, by asyncio; and an error that says which field is wrong."""

import asyncio

from agent_sessions import Invalid
from agent_sessions.aio import AgentSessions


async def main() -> None:
    client = AgentSessions()
    turns = await asyncio.gather(*(client.run("shell", f"echo {number}") for number in range(3)))
    print([(await turn.wait(timeout=120)).reply.strip() for turn in turns])
    try:
        await client.run("nobody", "Hello")
    except Invalid as refused:
        print(refused.details[0]["field"])


asyncio.run(main())
