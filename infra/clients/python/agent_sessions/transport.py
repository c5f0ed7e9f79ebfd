"""How requests go: one timeout each, the same again after 429 and 503 where that is safe, the key only ever to its own service."""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import random
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from time import sleep as sleep
from typing import Any

from .errors import BY_STATUS, ApiError, ConnectionFailed, DownloadFailed

RETRIED = (429, 503)
LONGEST_PAUSE = 120.0
QUIET = 30.0  # seconds; a stream has a heartbeat every 10
LOST = (OSError, http.client.HTTPException)


class _OnlyReads(urllib.request.HTTPRedirectHandler):
    """Follows redirects of GET only. The key does not go along, since it is a header that urllib keeps to the first request."""

    def redirect_request(self, request: Any, *arguments: Any) -> Any:
        return super().redirect_request(request, *arguments) if request.get_method() == "GET" else None


class Transport:
    def __init__(self, url: str, key: str, timeout: float, attempts: int):
        if not key or not all("!" <= character <= "~" for character in key):
            raise ValueError("the key is empty, or has a character that no key has")
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
            raise ValueError("url must be like https://agents.example.org, without user name and query")
        self.url = url.rstrip("/").removesuffix("/rest/v1") + "/rest/v1"
        self._authorization, self._timeout, self._attempts = f"ApiKey {key}", timeout, attempts
        self._opener = urllib.request.build_opener(_OnlyReads)

    def __repr__(self) -> str:
        return f"Transport({self.url!r})"

    def call(self, method: str, path: str, body: Any = None, query: Any = None, key: str | None = None, again: bool = False) -> Any:
        """Sends a request, and once more where it can be repeated: reads, what has an Idempotency-Key (`key`), and what says so (`again`)."""
        headers = {"Accept": "application/json"} | ({"Idempotency-Key": key} if key else {})
        attempts = self._attempts if again or key or method == "GET" else 1
        for attempt in range(1, attempts + 1):
            try:
                with self._open(method, path, body, query, headers, self._timeout) as answer:
                    content = answer.read()
                return json.loads(content) if content else None
            except ApiError as error:
                if error.status not in RETRIED or attempt == attempts or (error.retry_after or 0) > LONGEST_PAUSE:
                    raise
                sleep(pause(attempt, error.retry_after))
            except ConnectionFailed:
                if attempt == attempts:
                    raise
                sleep(pause(attempt))
            except LOST as error:
                if attempt == attempts:
                    raise ConnectionFailed(f"{method} {path}: the answer was cut ({type(error).__name__})") from None
                sleep(pause(attempt))

    def pages(self, path: str, query: dict[str, Any]) -> Iterator[Any]:
        """The items of all pages."""
        while True:
            page = self.call("GET", path, query=query)
            yield from page["items"]
            following = page["_links"].get("next")
            if not following:
                return
            query = urllib.parse.parse_qs(urllib.parse.urlsplit(following["href"]).query)

    def events(self, path: str, after: str | None, types: list[str] | None) -> Iterator[dict[str, Any] | None]:
        """What happens, over as many connections as it takes; None where nothing did for a while."""
        failures = 0
        while True:
            cut: Exception = ConnectionFailed("the stream was cut")
            try:
                headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": after} if after else {})
                with self._open("GET", path, None, {"types": types} if types else None, headers, QUIET) as answer:
                    for event in frames(answer):
                        if event.get("id", after) != after or event["type"] == "heartbeat":
                            failures, after = 0, event.get("id", after)
                        if event["type"] != "end":
                            yield None if event["type"] == "heartbeat" else event
                        elif event["data"].get("reason") in ("final", "deleted"):
                            return
                        elif event["data"].get("reason") in ("wait", "size"):
                            failures = 0
            except ApiError as error:
                if error.status not in RETRIED:
                    raise
                cut = error
            except (ConnectionFailed, *LOST) as error:
                cut = error if isinstance(error, ConnectionFailed) else ConnectionFailed(f"{path}: the stream was cut ({type(error).__name__})")
            failures += 1
            if failures >= self._attempts:
                raise cut from None
            sleep(pause(failures, getattr(cut, "retry_after", None)))

    def download(self, artifact: dict[str, Any], to: str | os.PathLike[str] | None) -> bytes:
        """Fetches a signed link without the key; into the file `to`, all of it or nothing."""
        folder = os.path.dirname(os.path.abspath(to)) if to is not None else None
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".", delete=False) if folder else tempfile.TemporaryFile() as file:
            try:
                self._fetch(artifact, file)
                if to is None:
                    file.seek(0)
                    return file.read()
                file.close()
                os.replace(file.name, to)
            except BaseException:
                if to is not None:
                    os.unlink(file.name)
                raise
        return b""

    def _fetch(self, artifact: dict[str, Any], file: Any) -> None:
        sha256, name = hashlib.sha256(), artifact["file_name"]
        try:
            with self._opener.open(artifact["url"], timeout=self._timeout) as answer:
                while chunk := answer.read(65_536):
                    sha256.update(chunk)
                    file.write(chunk)
        except urllib.error.HTTPError as error:
            error.close()
            raise DownloadFailed(f"{name}: the download was refused with {error.code}") from None
        except LOST as error:
            raise DownloadFailed(f"{name}: the download was cut ({type(error).__name__})") from None
        if sha256.hexdigest() != artifact["sha256"]:
            raise DownloadFailed(f"{name}: what came is not what was recorded")

    def _open(self, method: str, path: str, body: Any, query: Any, headers: dict[str, str], timeout: float) -> Any:
        url = self.url + path + ("?" + urllib.parse.urlencode(query, doseq=True) if query else "")
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data, headers | {"User-Agent": "agent-sessions-python"}, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        request.add_unredirected_header("Authorization", self._authorization)
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            raise refusal(error) from None
        except urllib.error.URLError as error:
            raise ConnectionFailed(f"{method} {path}: {error.reason}") from None
        except LOST as error:
            raise ConnectionFailed(f"{method} {path}: {type(error).__name__}") from None


def refusal(error: urllib.error.HTTPError) -> ApiError:
    try:
        with error:
            problem = json.loads(error.read())
    except (ValueError, *LOST):
        problem = {}
    after = error.headers.get("Retry-After", "")
    known = problem if isinstance(problem, dict) else {}
    return BY_STATUS.get(error.code, ApiError)(error.code, known, float(after) if after.isdecimal() else None)


def frames(answer: Any) -> Iterator[dict[str, Any]]:
    """Server-sent events, as the HTML standard reads them, each with its own id only. What is cut in the middle is left out."""
    event: dict[str, str] = {}
    for line in answer:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            event["data"] = event["data"] + "\n" + value if "data" in event else value
        elif name in ("event", "id"):
            event["type" if name == "event" else name] = value
        elif not line.strip():
            if "type" in event:
                yield event | {"data": json.loads(event.get("data") or "{}")}
            event = {}


def pause(attempt: int, retry_after: float | None = None) -> float:
    return max(retry_after or 0.0, min(0.25 * 2**attempt, 8.0) * random.uniform(0.5, 1.0))
