"""Limits and headers around every request.

In:  ASGI traffic.
Out: the same, with security headers; too large or too many requests get one clear error.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.serve.errors import EdgeError
from rulewright.serve.hosts import Hosts
from rulewright.serve.metrics import Metrics
from rulewright.serve.rates import Rates, Turns, household
from rulewright.serve.settings import Settings

ADDRESS, BUCKET = "rulewright.address", "rulewright.bucket"
"""Where the application finds who asks, and what they have left."""

COSTS = {
    "books": 3,
    "log": 3,
    "why": 20,
    "whynot": 10,
    "hint": 40,
    "estimate": 3,
    "estimates": 20,
    "odds": 5,
    "continue": 40,
    "book": 5,
    "replay": 10,
    "at": 10,
    "healthz": 3,
}
"""Tokens that a request costs, by the last word of its address that is a name; others cost one."""
OPENING = 40
"""Tokens that a new table costs."""

POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self' "
    "ws: wss:; object-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cache-control", b"no-cache"),
)


class Guard:
    """Middleware: size, rate, host, origin, headers."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics, rates: Rates) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics
        self.rates = rates
        self.hosts = Hosts(settings.hosts)
        self.turns = Turns()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, pass on, add headers."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        error = self._refusal(scope)
        if scope["type"] == "websocket":
            if error is not None:
                await receive()
                await send({"type": "websocket.close", "code": 4000 + error.status, "reason": error.code})
                return
            await self.app(scope, receive, send)
            return
        if error is not None:
            await self._refuse(send, error)
        elif self.settings.rate > 0:
            async with self.turns.turn(scope[ADDRESS]):
                await self._http(scope, receive, send)
        else:
            await self._http(scope, receive, send)

    def _refusal(self, scope: Scope) -> EdgeError | None:
        scope[ADDRESS] = address = household(scope.get("client"))
        scope[BUCKET] = bucket = self.rates.bucket(address)
        if not bucket.take(_cost(scope)):
            return EdgeError("request/too-many")
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if not self.hosts.allows(headers.get(b"host", b"").decode("latin-1")):
            return EdgeError("request/host")
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 12 or int(length) > self.settings.largest:
            return EdgeError("request/too-large")
        # Browsers let any page open a socket to us, or send us a form; only our own page has business here.
        acts = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if acts and b"origin" in headers:
            origin = headers[b"origin"].decode("latin-1")
            if origin.partition("://")[2] != headers.get(b"host", b"").decode("latin-1"):
                return EdgeError("request/invalid", "The page comes from another address than this server.")
        return None

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        taken, refused, began = 0, False, False

        async def counted() -> Message:
            nonlocal taken, refused
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self.settings.largest and not refused and not began:
                refused = True
                await self._refuse(send, EdgeError("request/too-large"))
            return {"type": "http.disconnect"} if refused else message

        async def headed(message: Message) -> None:
            nonlocal began
            if refused:
                return
            if message["type"] == "http.response.start":
                began = True
                given = list(message.get("headers", []))
                names = {name for name, _ in given}
                message = {
                    **message,
                    "headers": [*given, *(pair for pair in HEADERS if pair[0] not in names)],
                }
            await send(message)

        await self.app(scope, counted, headed)

    async def _refuse(self, send: Send, error: EdgeError) -> None:
        self.metrics.errors[error.code] += 1
        body = json.dumps(error.body).encode()
        length = (b"content-length", str(len(body)).encode())
        headers: list[tuple[bytes, bytes]] = [(b"content-type", b"application/json"), length, *HEADERS]
        if error.status in (413, 429):  # who sends too much had better not go on
            headers.append((b"connection", b"close"))
        start: dict[str, Any] = {"type": "http.response.start", "status": error.status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body})


def _cost(scope: Scope) -> int:
    if scope["type"] == "http" and scope["method"] == "POST" and scope["path"].rstrip("/") == "/api/tables":
        return OPENING
    words = [word for word in scope["path"].split("/") if word in COSTS]
    return COSTS[words[-1]] if words else 1
