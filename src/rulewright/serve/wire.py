"""A WebSocket that can be spoken to without a task in between.

In:  a connection of uvicorn's.
Out: the same connection for the application, and texts in and out of it by plain calls.

By the ASGI rules every message passes a queue, a task that wakes up and a few layers, both ways. On a busy
server that took as long as playing the move. So the application opens and closes a socket as always, and
once it listens, what is heard goes straight to the listener and what it says straight to the network.

What comes in is read in slices, with everybody else's turn between two of them: all the smallest frames that
a network brings at once would otherwise be gone through in one go. Every frame, of whatever kind, costs the
sender a token; who has none left is a flood, and the listener closes. Frames are cut here, so that a short
plain text, which is what a choice comes as, is heard at once: the library takes as long for it as the rules
for the choice. All others it gets, whole.
"""

from __future__ import annotations

import math
import struct
from typing import Literal, Protocol, cast

import uvicorn
from fastapi import FastAPI
from starlette.types import Scope
from uvicorn._types import ASGIReceiveEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from rulewright.serve.door import Keeper, door
from rulewright.serve.rates import Bucket
from rulewright.serve.settings import Settings
from rulewright.serve.squeeze import LEAST, OFFER, agreed, squeezed

try:
    from websockets.speedups import apply_mask
except ImportError:  # built without its C part
    from websockets.utils import apply_mask

NO_TEXT = 1007
"""Close code for bytes that should be text and are not."""
PARTING = 1.0
"""Seconds from the last word to the end."""

NAME = "rulewright.wire"
LARGEST = 64 * 1024
SLICE = 2048
"""Bytes that are gone through before others have their turn: some hundred frames of the smallest kind."""
# A text in one frame, as RFC 6455 has it: written out, because a library's frame costs as much as a view.
TEXT, DEFLATED, MASKED = 0x81, 0x40, 0x80
OPEN = State.OPEN
SHORT, LONG = struct.Struct("!BBH"), struct.Struct("!BBQ")


class Listener(Protocol):
    """Who listens to a wire."""

    def hear(self, text: str) -> None:
        """A message; an empty one for bytes, which nobody has business to send."""
        ...

    def tell(self) -> None:
        """The other side has caught up with what it was sent."""
        ...

    def flooded(self) -> None:
        """The other side sends more than it may."""
        ...


class Wire(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with a listener."""

    listener: Listener | None = None
    keeper: Keeper | None = None
    bucket: Bucket | None = None
    """What a frame takes a token from."""
    due = math.inf
    left = b""
    """What has come and was not looked at yet."""
    turning = False
    held = False
    deaf = False
    full = False
    """Whether the other side is behind with reading."""
    squeezes: bool | None = None
    """Whether the other side takes deflated messages, once somebody wanted to know."""

    def handle_connect(self, event: Request) -> None:
        """Let the application find this wire."""
        self.conn.available_extensions = [OFFER]
        super().handle_connect(event)
        if not self.close_sent:
            cast("Scope", self.scope)["extensions"][NAME] = self

    def connection_lost(self, exc: Exception | None) -> None:
        """It has gone."""
        self.left = b""
        if self.keeper is not None:
            self.keeper.leave(self)
        super().connection_lost(exc)

    # ------------------------------------------------------------ in
    def data_received(self, data: bytes) -> None:
        """Bytes, to be gone through slice by slice."""
        if self.deaf:
            return
        self.left = self.left + data if self.left else data
        if not self.turning:
            self._turn()

    def _turn(self) -> None:
        self.turning = False
        data = self.left
        if self.disconnected or not data or self.held:
            return
        at = frames = 0
        much = min(SLICE, len(data))
        while at < much and not (self.held or self.deaf or self.disconnected):
            end = whole_frame(data, at) if self.handshake_initiated else len(data)
            if not end:
                break
            frames += 1
            if not self._frame(data, at, end):
                self.left = b""
                return
            at = end
        if self.left is data:
            self.left = data[at:]
        if frames and self.listener is not None and self.bucket is not None and not self.bucket.take(frames):
            self.listener.flooded()
        elif self.left and whole_frame(self.left, 0):
            self._pause()
            if not self.held:
                self.turning = True
                self.loop.call_soon(self._turn)
        elif self.read_paused and not self.held:
            self._resume()

    def _frame(self, data: bytes, at: int, end: int) -> bool:
        """One frame, or a head; False when it is none."""
        plain = data[at] == TEXT and MASKED <= data[at + 1] < MASKED + 126
        if plain and not self.frames and self.handshake_initiated and self.conn.state is OPEN:
            self._message(apply_mask(data[at + 6 : end], data[at + 2 : at + 6]), "text")
            return True
        self.conn.receive_data(data[at:end])
        if self.conn.parser_exc is not None:
            self.handle_parser_exception()
            return False
        self.handle_events()
        return True

    def _pause(self) -> None:
        if not self.read_paused and not self.transport.is_closing():
            self.read_paused = True
            self.transport.pause_reading()

    def _resume(self) -> None:
        if self.read_paused and self.queue.empty() and not self.transport.is_closing():
            self.read_paused = False
            self.transport.resume_reading()

    async def receive(self) -> ASGIReceiveEvent:
        """For the application, before it listens."""
        message = await super().receive()
        if self.left and not self.turning:
            self._turn()
        return message

    def send_receive_event_to_app(self) -> None:
        """A whole message is here."""
        data, self.frames = b"".join(self.frames), []
        self._message(data, self.curr_msg_data_type)

    def _message(self, data: bytes, kind: Literal["text", "bytes"]) -> None:
        if self.close_sent:
            return
        try:
            text = data.decode() if kind == "text" else ""
        except UnicodeDecodeError:
            self.shut(NO_TEXT)
            return
        if self.listener is not None:
            self.listener.hear(text)
            return
        self.frames, self.curr_msg_data_type = [data], kind
        super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        """There is no room for more."""
        super().pause_writing()
        self.full = True

    def resume_writing(self) -> None:
        """There is room again."""
        super().resume_writing()
        self.full = False
        if self.listener is not None:
            self.listener.tell()

    def hold(self) -> None:
        """Read no more for now."""
        self.held = True
        self._pause()

    def release(self) -> None:
        """Read again."""
        if self.held:
            self.held = False
            if self.turning:
                return
            if whole_frame(self.left, 0):
                self.turning = True
                self.loop.call_soon(self._turn)
            else:
                self._resume()

    def shut(self, code: int) -> None:
        """Say that it is over, and close without waiting for an answer."""
        if self.disconnected or self.close_sent:
            return
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = self.deaf = True
        self.left, self.held = b"", False
        self._resume()
        # What still comes is thrown away for a moment: closing on it would take back what was just said.
        self.close_timer = self.loop.call_later(PARTING, self.transport.close)
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code})

    # ------------------------------------------------------------ out
    def say(self, text: str) -> None:
        """Send a text; nothing happens when nobody is there any more."""
        if self.disconnected or self.conn.state is not OPEN:
            return
        data, kind = text.encode(), TEXT
        if self.squeezes is None:
            self.squeezes = agreed(self.conn.extensions)
        if self.squeezes and len(data) >= LEAST:
            data, kind = squeezed(data), TEXT | DEFLATED
        size = len(data)
        if size < 126:
            head = bytes((kind, size))
        elif size < 2**16:
            head = SHORT.pack(kind, 126, size)
        else:
            head = LONG.pack(kind, 127, size)
        self.transport.write(head + data)


def whole_frame(data: bytes, at: int) -> int:
    """Where the frame ends that begins here; 0 when not all of it has come. One that is too large ends with
    what there is: whoever reads its head refuses it."""
    if len(data) < at + 2:
        return 0
    size, head = data[at + 1] & 127, 6 if data[at + 1] & MASKED else 2
    if size >= 126:
        wide = 2 if size == 126 else 8
        if len(data) < at + 2 + wide:
            return 0
        size, head = int.from_bytes(data[at + 2 : at + 2 + wide], "big"), head + wide
        if size > LARGEST:
            return len(data)
    end = at + head + size
    return end if end <= len(data) else 0


def wire_of(scope: Scope) -> Wire:
    """The wire behind a connection."""
    return scope["extensions"][NAME]


def configured(app: FastAPI) -> uvicorn.Config:
    """How the application wants to be served."""
    settings: Settings = app.state.settings
    return uvicorn.Config(
        app,
        http=door(app.state.keeper),
        ws=Wire,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=list(settings.proxies),
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=3,
    )
