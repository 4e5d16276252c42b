"""Messages made smaller on their way to a page (permessage-deflate, RFC 7692).

In:  texts; what a connection has agreed to.
Out: their bytes, deflated.

Nothing is kept between two messages, neither for sending nor for receiving (`no_context_takeover`): a
dictionary for each of many thousand open lines would cost more memory than the lines themselves. States are
told as differences, so a message of its own is small already and deflates to about a third. What is told to
several readers alike is deflated once.
"""

from __future__ import annotations

import functools
import zlib

from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory

LEAST = 400
"""Bytes below which it is not worth it: a packet is a packet."""
LEVEL, WINDOW, MEMORY = 5, -13, 7
TAIL = b"\x00\x00\xff\xff"
"""What ends a flushed block; left out on the wire, as the RFC has it."""

OFFER = ServerPerMessageDeflateFactory(server_no_context_takeover=True, client_no_context_takeover=True)


def agreed(extensions: list[Extension]) -> bool:
    """Whether a connection takes deflated messages."""
    return any(isinstance(one, PerMessageDeflate) for one in extensions)


@functools.lru_cache(maxsize=8)
def squeezed(data: bytes) -> bytes:
    """The payload of a deflated message."""
    made = zlib.compressobj(LEVEL, zlib.DEFLATED, WINDOW, MEMORY)
    return (made.compress(data) + made.flush(zlib.Z_SYNC_FLUSH)).removesuffix(TAIL)
