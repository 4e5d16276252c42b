"""Limits and headers around every request.

In:  ASGI traffic.
Out: the same, with security headers; too large or too many requests get one clear error.
"""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.serve.errors import EdgeError
from rulewright.serve.metrics import Metrics
from rulewright.serve.settings import Settings

CLIENTS = 10_000
BURST = 10
"""Seconds' worth of requests that may come at once."""

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


class Bucket:
    """Tokens that come back with time; each request takes one."""

    __slots__ = ("level", "rate", "then")

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.level = rate * BURST
        self.then = time.monotonic()

    def take(self) -> bool:
        """Whether there was one left."""
        if self.rate <= 0:
            return True
        now = time.monotonic()
        self.level = min(self.rate * BURST, self.level + (now - self.then) * self.rate)
        self.then = now
        if self.level < 1:
            return False
        self.level -= 1
        return True


class Guard:
    """Middleware: size, rate, origin, headers."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def allowed(self, client: str) -> bool:
        """Every address has a bucket; the one that was quiet for longest is forgotten first."""
        bucket = self.buckets.pop(client, None) or Bucket(self.settings.rate)
        self.buckets[client] = bucket
        if len(self.buckets) > CLIENTS:
            self.buckets.popitem(last=False)
        return bucket.take()

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
            return
        await self._http(scope, receive, send)

    def _refusal(self, scope: Scope) -> EdgeError | None:
        client = scope.get("client") or ("?", 0)
        if not self.allowed(str(client[0])):
            return EdgeError("request/too-many")
        headers: dict[bytes, bytes] = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or len(length) > 12 or int(length) > self.settings.largest:
            return EdgeError("request/too-large")
        # Browsers let any page open a socket to us; only our own page has business here.
        if scope["type"] == "websocket" and b"origin" in headers:
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
        start: dict[str, Any] = {"type": "http.response.start", "status": error.status, "headers": headers}
        await send(start)
        await send({"type": "http.response.body", "body": body})
