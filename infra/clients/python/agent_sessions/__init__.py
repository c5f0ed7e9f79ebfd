"""A client of Agent Sessions: start an agent, wait for its reply, take home its patch. `agent_sessions.aio` is the same for asyncio."""

from .client import AgentSessions, Event, Session, Turn
from .errors import (
    AgentSessionsError,
    ApiError,
    Conflict,
    ConnectionFailed,
    DownloadFailed,
    Forbidden,
    Invalid,
    NotFound,
    PullRequestFailed,
    RateLimited,
    TurnFailed,
    TurnLive,
    Unauthorized,
    Unavailable,
)

__all__ = [
    "AgentSessions",
    "AgentSessionsError",
    "ApiError",
    "Conflict",
    "ConnectionFailed",
    "DownloadFailed",
    "Event",
    "Forbidden",
    "Invalid",
    "NotFound",
    "PullRequestFailed",
    "RateLimited",
    "Session",
    "Turn",
    "TurnFailed",
    "TurnLive",
    "Unauthorized",
    "Unavailable",
]
