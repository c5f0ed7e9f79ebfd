"""What can go wrong. None of these ever shows a key or a signed link."""

from __future__ import annotations

from typing import Any


class AgentSessionsError(Exception):
    """The base of all errors here."""


class ConnectionFailed(AgentSessionsError):
    """The service could not be reached, or did not answer in time."""


class DownloadFailed(AgentSessionsError):
    """A file could not be fetched, or is not what was recorded of it."""


class TurnLive(AgentSessionsError, TimeoutError):
    """The turn, or a pull request, has not ended yet."""


class TurnFailed(AgentSessionsError):
    """The turn ended without a reply. `code` is the turn's error, or its status where it has none."""

    def __init__(self, status: str, code: str, message: str, retryable: bool):
        super().__init__(f"{code}: {message}")
        self.status, self.code, self.message, self.retryable = status, code, message, retryable


class PullRequestFailed(AgentSessionsError):
    """The pull request could not be made: `code` is `PUSH_REFUSED` or `PULL_REQUEST_FAILED`, and more may come."""

    def __init__(self, code: str, message: str):
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


class ApiError(AgentSessionsError):
    """The service refused a request: its code, and what is wrong with which field."""

    def __init__(self, status: int, problem: dict[str, Any], retry_after: float | None = None):
        self.status, self.retry_after = status, retry_after
        self.code = str(problem.get("code", "UNKNOWN"))
        self.message = str(problem.get("message", ""))
        self.request_id = str(problem.get("request_id", ""))
        self.details: list[dict[str, str]] = problem.get("details") or []
        super().__init__(f"{status} {self.code}: {self.message} (request {self.request_id})")


class Unauthorized(ApiError):
    """401: the key is missing, unknown, expired or revoked."""


class Forbidden(ApiError):
    """403: the key lacks a scope."""


class NotFound(ApiError):
    """404: there is no such thing in this workspace."""


class Conflict(ApiError):
    """409: `code` says with what."""


class Invalid(ApiError):
    """422: `details` names each field that is wrong."""


class RateLimited(ApiError):
    """429: too much at once, even after waiting."""


class Unavailable(ApiError):
    """503: the service cannot answer now, even after waiting."""


BY_STATUS: dict[int, type[ApiError]] = {
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    422: Invalid,
    429: RateLimited,
    503: Unavailable,
}
