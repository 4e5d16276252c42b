"""Limits and headers around every request.

In:  ASGI traffic.
Out: the same, with security headers; too large or too many requests get one clear error.
"""

from __future__ import annotations

import json
import os
import time
from collections import OrderedDict
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulewright.serve.errors import EdgeError

LARGEST = 64 * 1024
RATE = float(os.environ.get("RULEWRIGHT_RATE", "200"))
"""Requests a second that one address may make on average; ten times that in a burst."""
CLIENTS = 10_000

HEADERS = (
    (b"content-security-policy", b"default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)  # fmt: skip


class Guard:
    """Middleware: size, rate, headers."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allowed(self, client: str) -> bool:
        """A bucket of tokens for each address; the oldest addresses are forgotten first."""
        now = time.monotonic()
        level, then = self.buckets.pop(client, (RATE * 10, now))
        level = min(RATE * 10, level + (now - then) * RATE) - 1
        self.buckets[client] = (level, now)
        if len(self.buckets) > CLIENTS:
            self.buckets.popitem(last=False)
        return level >= 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, pass on, add headers."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        client = scope.get("client") or ("?", 0)
        if not self.allowed(str(client[0])):
            await _refuse(send, EdgeError("request/too-many"))
            return
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not length.isdigit() or int(length) > LARGEST:
            await _refuse(send, EdgeError("request/too-large"))
            return
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST:
                raise EdgeError("request/too-large")
            return message

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
            await send(message)

        await self.app(scope, counted, headed)


async def _refuse(send: Send, error: EdgeError) -> None:
    body = json.dumps(error.body).encode()
    headers: list[tuple[bytes, bytes]] = [(b"content-type", b"application/json"), *HEADERS]
    start: dict[str, Any] = {"type": "http.response.start", "status": error.status, "headers": headers}
    await send(start)
    await send({"type": "http.response.body", "body": body})
