"""The same for asyncio: each call of the plain client in a thread, so that nothing waits but who awaits."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

from . import client
from .client import Event, told

T = TypeVar("T")


class _Beside:
    """Hands each function of a plain object on, awaitable; its iterators become asynchronous ones, and its objects those of this module."""

    def __init__(self, plain: Any):
        self.plain = plain

    def __repr__(self) -> str:
        return f"aio.{self.plain!r}"

    async def _call(self, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
        return await asyncio.to_thread(functools.partial(function, *arguments, **named))


class AgentSessions(_Beside):
    """As the plain one."""

    def __init__(self, *arguments: Any, **named: Any):
        super().__init__(client.AgentSessions(*arguments, **named))
        self.requests = Requests(self.plain.requests)

    async def run(self, agent: str, message: str, **named: Any) -> Turn:
        return Turn(await self._call(self.plain.run, agent, message, **named))

    def session(self, id: str) -> Session:
        return Session(self.plain.session(id))

    def sessions(self, **filters: Any) -> AsyncIterator[Any]:
        return beside(self.plain.sessions(**filters))

    async def agents(self) -> list[Any]:
        return await self._call(self.plain.agents)

    async def request(self, method: str, path: str, **named: Any) -> Any:
        return await self._call(self.plain.request, method, path, **named)


class Requests(_Beside):
    """As the plain one."""

    def list(self, **filters: Any) -> AsyncIterator[Any]:
        return beside(self.plain.list(**filters))

    async def decide(self, request: Any, decision: str, note: str | None = None, answers: Any = None) -> Any:
        return await self._call(self.plain.decide, request, decision, note, answers)


class Session(_Beside):
    """As the plain one."""

    @property
    def id(self) -> str:
        return self.plain.id

    async def load(self) -> Any:
        return await self._call(self.plain.load)

    async def send(self, message: str, **named: Any) -> Turn:
        return Turn(await self._call(self.plain.send, message, **named))

    async def turn(self, id: str | None = None) -> Turn:
        return Turn(await self._call(self.plain.turn, id))

    async def pull_request(self, path: str | None = None, *, timeout: float | None = None, **named: Any) -> Any:
        """Can be cancelled at any time; the pull request is made nevertheless."""
        return await asyncio.wait_for(self._pull_request(path, **named), timeout)

    async def _pull_request(self, path: str | None, **named: Any) -> Any:
        asked = await self._call(self.plain.ask_pull_request, path, **named)
        while (made := await self._call(self.plain.pulled, asked)) is None:
            await asyncio.sleep(client.PAUSE)
        return made

    async def interrupt(self) -> Turn:
        return Turn(await self._call(self.plain.interrupt))

    def messages(self, **filters: Any) -> AsyncIterator[Any]:
        return beside(self.plain.messages(**filters))

    def requests(self, **filters: Any) -> AsyncIterator[Any]:
        return beside(self.plain.requests(**filters))

    def artifacts(self, **filters: Any) -> AsyncIterator[Any]:
        return beside(self.plain.artifacts(**filters))

    async def download(self, artifact: Any, to: Any = None) -> bytes:
        return await self._call(self.plain.download, artifact, to)

    def events(self, after: str | None = None, types: list[str] | None = None) -> AsyncIterator[Event]:
        return happening(self.plain, after, types)

    async def delete(self) -> None:
        await self._call(self.plain.delete)


class Turn(_Beside):
    """As the plain one."""

    @property
    def id(self) -> str:
        return self.plain.id

    @property
    def session(self) -> Session:
        return Session(self.plain.session)

    @property
    def status(self) -> str:
        return self.plain.status

    @property
    def reply(self) -> str:
        return self.plain.reply

    async def wait(self, timeout: float | None = None, *, follow: bool = False, on_request: Callable[[Any], Any] | None = None) -> Turn:
        """As the plain one; can be cancelled at any time, and the turn goes on. `on_request` may be a coroutine function; another is called in a
        thread."""
        return await asyncio.wait_for(self._wait(follow, on_request), timeout)

    async def _wait(self, follow: bool, on_request: Callable[[Any], Any] | None) -> Turn:
        turn, asked = self.plain, set[str]()
        while True:
            pause, requests = await self._call(turn.look, asked) if on_request else (await self._call(turn.poll), [])
            for request in requests:
                await self._decide(turn, request, on_request)
            if pause is not None:
                await asyncio.sleep(pause)
            elif (on_request and (following := await self._call(turn.following))) or (follow and (following := turn.successor())):
                turn = following
            else:
                return self if turn is self.plain else Turn(turn)

    async def _decide(self, turn: client.Turn, request: Any, on_request: Any) -> None:
        decided = await self._call(on_request, request)
        await self._call(turn.answer, request, await decided if inspect.isawaitable(decided) else decided)

    async def cancel(self) -> Turn:
        return Turn(await self._call(self.plain.cancel))

    async def patch(self, path: str | None = None) -> bytes:
        return await self._call(self.plain.patch, path)

    def events(self, after: str | None = None, types: list[str] | None = None) -> AsyncIterator[Event]:
        plain = self.plain
        return happening(plain, after, types)


async def beside(items: Iterator[T]) -> AsyncIterator[T]:
    end: Any = object()
    while (item := await asyncio.to_thread(next, items, end)) is not end:
        yield item


async def happening(plain: Any, after: str | None, types: list[str] | None) -> AsyncIterator[Event]:
    """A thread never waits longer than until the next heartbeat, so that a program can end."""
    transport = plain.transport if isinstance(plain, client.Session) else plain.session.transport
    async for event in beside(transport.events(f"{plain.path}/events", after, types)):
        for each in told(iter([event])):
            yield each
