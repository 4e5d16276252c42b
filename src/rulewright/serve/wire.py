"""A WebSocket that can be spoken to without a task in between.

In:  a connection of uvicorn's.
Out: the same connection for the application, and texts in and out of it by plain calls.

By the ASGI rules every message passes a queue, a task that wakes up and a few layers, both ways. On a busy
server that took as long as playing the move. So the application opens and closes a socket as always, and
once it listens, what is heard goes straight to the listener and what it says straight to the network.
"""

from __future__ import annotations

import struct
from typing import Protocol, cast

import uvicorn
from starlette.types import ASGIApp, Scope
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

NAME = "rulewright.wire"
LARGEST = 64 * 1024
# A text in one frame, as RFC 6455 has it: written out, because a library's frame costs as much as a view.
TEXT = 0x81
SHORT, LONG = struct.Struct("!BBH"), struct.Struct("!BBQ")


class Listener(Protocol):
    """Who listens to a wire."""

    def hear(self, text: str) -> None:
        """A message; an empty one for bytes, which nobody has business to send."""
        ...

    def tell(self) -> None:
        """The other side has caught up with what it was sent."""
        ...


class Wire(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with a listener."""

    listener: Listener | None = None

    def handle_connect(self, event: Request) -> None:
        """Let the application find this wire."""
        super().handle_connect(event)
        if not self.close_sent:
            cast("Scope", self.scope)["extensions"][NAME] = self

    def send_receive_event_to_app(self) -> None:
        """A whole message is here."""
        if self.listener is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = b"".join(self.frames)
        try:
            text = data.decode() if self.curr_msg_data_type == "text" else ""
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # which closes the connection, as it must
            return
        self.frames = []
        self.listener.hear(text)

    def resume_writing(self) -> None:
        """There is room again."""
        super().resume_writing()
        if self.listener is not None:
            self.listener.tell()

    @property
    def full(self) -> bool:
        """Whether the other side is behind with reading."""
        return not self.writable.is_set()

    def hold(self) -> None:
        """Read no more for now."""
        if not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def release(self) -> None:
        """Read again."""
        if self.read_paused and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    def say(self, text: str) -> None:
        """Send a text; nothing happens when nobody is there any more."""
        if self.disconnected or self.conn.state is not State.OPEN:
            return
        data = text.encode()
        size = len(data)
        if size < 126:
            head = bytes((TEXT, size))
        elif size < 2**16:
            head = SHORT.pack(TEXT, 126, size)
        else:
            head = LONG.pack(TEXT, 127, size)
        self.transport.write(head + data)


def wire_of(scope: Scope) -> Wire:
    """The wire behind a connection."""
    return scope["extensions"][NAME]


def configured(app: ASGIApp) -> uvicorn.Config:
    """How the application wants to be served."""
    return uvicorn.Config(
        app,
        ws=Wire,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
