"""Sends the requests of all methods."""

from __future__ import annotations

import email.utils
import http.client
import json
import random
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Generic, Iterator, Mapping, TypeVar

PASSING = frozenset({408, 429, 500, 502, 503, 504})
MAX_RETRY_AFTER = 60.0
LONGEST_BACKOFF = 8.0

T = TypeVar("T")


class PosthornError(Exception):
    """
    A request that the service refused, or that did not reach it. `code` is one of the codes of the API, or
    `MISSING_KEY`, `INVALID_ARGUMENT`, `NETWORK_ERROR`, `TIMEOUT` or `UNEXPECTED_RESPONSE`.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        suggestion: str | None = None,
        details: Mapping[str, Any] | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.status = status
        self.suggestion = suggestion
        self.details: Mapping[str, Any] = details or {}
        self.request_id = request_id


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API redirects nowhere, and a key must not follow a redirect to another host."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


OPENER = urllib.request.build_opener(NoRedirect)


def path(template: str, *parameters: str) -> str:
    """Puts encoded parameters into a path. One that would change the path is refused."""
    for parameter in parameters:
        if re.fullmatch(r"\.{0,2}", str(parameter)):
            raise PosthornError("INVALID_ARGUMENT", "A parameter of the path is empty.")
    return template.format(*(urllib.parse.quote(str(parameter), safe="") for parameter in parameters))


def query_text(query: Mapping[str, Any]) -> str:
    given = {
        name: ("true" if value else "false") if isinstance(value, bool) else str(value)
        for name, value in query.items()
        if value is not None
    }
    return "?" + urllib.parse.urlencode(given) if given else ""


def form(fields: Mapping[str, Any]) -> tuple[bytes, str]:
    """
    multipart/form-data (RFC 7578). A file is bytes, or a tuple of its name, its bytes and its media type.
    """
    boundary = secrets.token_hex(16)
    parts = []
    for name, value in fields.items():
        if value is None:
            continue
        filename, content, kind = "", value, ""
        if isinstance(value, tuple):
            filename, content, kind = value
        elif isinstance(value, bytes):
            filename, kind = name, "application/octet-stream"
        head = f'Content-Disposition: form-data; name="{escaped(name)}"'
        if kind:
            if re.search(r"[\r\n]", kind):
                raise PosthornError("INVALID_ARGUMENT", "A media type has no line breaks.")
            head += f'; filename="{escaped(filename)}"\r\nContent-Type: {kind}'
        if not isinstance(content, bytes):
            content = ("true" if content is True else "false" if content is False else str(content)).encode()
        parts.append(f"--{boundary}\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
    return b"".join(parts) + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def escaped(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def seconds_of(retry_after: str | None) -> float | None:
    """`Retry-After` is whole seconds or a date (RFC 9110 10.2.3)."""
    if retry_after is None:
        return None
    if re.fullmatch(r"\d{1,9}", retry_after):
        return float(retry_after)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def delay_of(tries: int, retry_after: str | None) -> float | None:
    """The asked time; otherwise half a second, doubled up to eight, minus a random part. None: too long to wait."""
    seconds = seconds_of(retry_after)
    if seconds is None:
        return min(0.5 * 2 ** (tries - 1), LONGEST_BACKOFF) * (1 - random.random() / 2)
    return None if seconds > MAX_RETRY_AFTER else seconds


def error_of(status: int, headers: Mapping[str, str], content: bytes) -> PosthornError:
    request_id = headers.get("x-request-id")
    try:
        error = json.loads(content)["error"]
    except (ValueError, TypeError, KeyError):
        error = None
    if isinstance(error, str) and status == 400:
        return PosthornError("BAD_REQUEST", error, status=status, request_id=request_id)
    if not isinstance(error, dict) or not isinstance(error.get("code"), str):
        message = f"The response does not come from the service: status {status}."
        return PosthornError("UNEXPECTED_RESPONSE", message, status=status, request_id=request_id)
    details = error.get("details") or {}
    unverified = isinstance(details, dict) and details.get("reason") == "sender_domain_unverified"
    return PosthornError(
        "SENDER_DOMAIN_UNVERIFIED" if unverified else error["code"],
        error.get("message", ""),
        status=status,
        suggestion=error.get("suggestion"),
        details=details,
        request_id=error.get("requestId", request_id),
    )


def may_pass(error: PosthornError, is_retry: bool) -> bool:
    """A key counts as in use while our own earlier attempt still runs."""
    own = error.code == "IDEMPOTENCY_KEY_REUSED" and "originalStatusCode" not in error.details
    return error.code in ("NETWORK_ERROR", "TIMEOUT") or error.status in PASSING or (is_retry and own)


class Requests:
    def __init__(
        self,
        secret_key: str | None,
        public_key: str | None,
        base_url: str,
        timeout: float,
        retries: int,
        user_agent: str,
    ) -> None:
        self.secret_key = secret_key
        self.public_key = public_key
        self.base_url = base_url
        self.timeout = timeout
        self.retries = retries
        self.user_agent = user_agent

    def call(
        self,
        method: str,
        route: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        public: bool = False,
        keyed: bool = False,
        idempotency_key: str | None = None,
        as_form: bool = False,
        stream: bool = False,
    ) -> Any:
        headers = self._headers(f"{method} {route}", public)
        data: bytes | None = None
        if as_form:
            data, headers["Content-Type"] = form(body or {})
        elif body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
            headers["Prefer"] = "handling=strict"
        if keyed:
            headers["Idempotency-Key"] = idempotency_key or secrets.token_hex(16)
        repeatable = keyed or method not in ("POST", "PATCH")
        url = self.base_url + route + query_text(query or {})
        tries = 0
        while True:
            tries += 1
            try:
                return self._attempt(urllib.request.Request(url, data, headers, method=method), stream)
            except PosthornError as error:
                if not repeatable or tries > self.retries or not may_pass(error, tries > 1):
                    raise
                delay = delay_of(tries, getattr(error, "retry_after", None))
                if delay is None:
                    raise
            time.sleep(delay)
            if keyed:
                # The stored answer of the first attempt, if there is one.
                headers["Idempotency-Mode"] = "replay"

    def _headers(self, call: str, public: bool) -> dict[str, str]:
        name, begins, key = (
            ("public_key", ("pk_",), self.public_key) if public else ("secret_key", ("sk_", "ph_"), self.secret_key)
        )
        if key is None or not key.startswith(begins):
            begin = " or ".join(begins)
            raise PosthornError("MISSING_KEY", f"{call} needs a key that begins with {begin}: Posthorn({name}=...).")
        return {"Authorization": f"Bearer {key}", "User-Agent": self.user_agent}

    def _attempt(self, request: urllib.request.Request, stream: bool) -> Any:
        try:
            response = OPENER.open(request, timeout=self.timeout)
            if stream:
                return response
            with response:
                content = response.read()
        except urllib.error.HTTPError as refused:
            with refused:
                error = error_of(refused.code, refused.headers, refused.read())
            error.retry_after = refused.headers.get("retry-after")  # type: ignore[attr-defined]
            raise error from None
        except TimeoutError:
            raise PosthornError("TIMEOUT", f"No complete response within {self.timeout} s.") from None
        except (OSError, http.client.HTTPException) as broken:
            reason = getattr(broken, "reason", broken)
            if isinstance(reason, TimeoutError):
                raise PosthornError("TIMEOUT", f"No complete response within {self.timeout} s.") from None
            message = f"The server was not reached, or the connection broke: {reason}."
            raise PosthornError("NETWORK_ERROR", message) from broken
        if response.status == 204:
            return None
        if "json" not in (response.headers.get("content-type") or ""):
            return content
        try:
            parsed = json.loads(content)
        except ValueError:
            raise error_of(response.status, response.headers, b"") from None
        is_envelope = isinstance(parsed, dict) and parsed.get("success") is True and "data" in parsed
        return parsed["data"] if is_envelope else parsed


class Items(Generic[T]):
    """A list. Iterating requests pages as they are needed; `page` requests only the one that the arguments name."""

    def __init__(self, requests: Requests, method: str, route: str, given: Mapping[str, Any]) -> None:
        self._requests = requests
        self._method = method
        self._route = route
        self._given = given

    def _page_at(self, position: Mapping[str, Any]) -> dict[str, Any]:
        given = {**self._given, **position}
        if self._method == "GET":
            return self._requests.call("GET", self._route, query=given)
        return self._requests.call(self._method, self._route, body=given)

    def page(self) -> dict[str, Any]:
        return self._page_at({})

    def __iter__(self) -> Iterator[T]:
        position: Mapping[str, Any] | None = {}
        while position is not None:
            page = self._page_at(position)
            yield from page["data"]
            number = page.get("page", 0)
            if page.get("cursor") is not None:
                position = {"cursor": page["cursor"]}
            elif number < page.get("totalPages", 0):
                position = {"page": number + 1}
            else:
                position = None
