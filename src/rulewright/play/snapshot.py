"""A match in bytes, to be stored and gone on with later.

In:  the replay so far and the state.
Out: bytes with a magic number, a version and a checksum; anything else is refused in one sentence.

Layout: magic, version (u16), header length (u32), header (the replay, JSON), state, sha256 of all before.
"""

from __future__ import annotations

import hashlib
import struct

from rulewright.play.arguments import told
from rulewright.play.faults import MatchError
from rulewright.play.replay import Replay

MAGIC = b"RWMATCH\n"
VERSION = 1
PREFIX = struct.Struct("<8sHI")
CHECK = hashlib.sha256().digest_size


def pack(replay: Replay, state: bytes) -> bytes:
    """The snapshot of a match."""
    header = replay.to_json().encode()
    body = PREFIX.pack(MAGIC, VERSION, len(header)) + header + state
    return body + hashlib.sha256(body).digest()


def unpack(data: bytes) -> tuple[Replay, bytes]:
    """The replay and the state of a snapshot."""
    if not isinstance(data, bytes | bytearray | memoryview):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise MatchError(f"a snapshot is bytes, not {told(data)}")
    data = bytes(data)
    if len(data) < PREFIX.size + CHECK or not data.startswith(MAGIC):
        raise MatchError("this is not a snapshot of a match")
    _, version, length = PREFIX.unpack_from(data)
    if version != VERSION:
        raise MatchError(f"the snapshot has version {version}; this program reads version {VERSION}")
    body, check = data[:-CHECK], data[-CHECK:]
    if hashlib.sha256(body).digest() != check or PREFIX.size + length > len(body):
        raise MatchError("the snapshot is damaged")
    header = body[PREFIX.size : PREFIX.size + length]
    return Replay.from_json(header), body[PREFIX.size + length :]
