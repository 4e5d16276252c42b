"""Frames, cut by hand: whole, in pieces, too large; and how long calls of a book take."""

from __future__ import annotations

import json
import socket
import time
from pathlib import Path

import pytest

from attack.floods import _socket, frame
from attack.test_floods import port_of
from rulewright.serve.wire import LARGEST, whole_frame
from serve.tables_kit import Seats, client, make_app, sqlite_url

LINE = b'{"ping": 1}'


def masked(opcode: int, data: bytes, mask: bytes = b"\x01\x02\x03\x04", fin: int = 0x80) -> bytes:
    """A frame as browsers send it."""
    size = bytes((0x80 | len(data),)) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
    hidden = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
    return bytes((fin | opcode,)) + size + mask + hidden


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535])
def test_a_frame_is_whole_with_its_last_byte(size: int) -> None:
    data = masked(1, b"x" * size)
    assert whole_frame(b"ab" + data + b"c", 2) == 2 + len(data)
    for cut in range(len(data) if size < 200 else 20):
        assert whole_frame(data[:cut], 0) == 0
    assert whole_frame(data[:-1], 0) == 0


def test_a_frame_that_is_too_large_ends_with_what_there_is() -> None:
    head = b"\x81\xff" + (LARGEST + 1).to_bytes(8, "big") + b"abc"
    assert whole_frame(head, 0) == len(head)


def heard(sock: socket.socket, count: int) -> list[str]:
    """Pongs, of which each is short."""
    sock.settimeout(20)
    data = b""
    while data.count(b"pong") < count:
        piece = sock.recv(65536)
        assert piece, data[-200:]
        data += piece
    return [part[:1].decode() for part in data.split(b'"pong": ')[1:]]


def test_messages_arrive_however_the_network_cuts_them(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http, _socket(port_of(http.url), Seats(http).id) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        three = masked(1, LINE) + masked(1, b'{"ping":', fin=0) + masked(9, b"?") + masked(0, b" 2}")
        three += masked(1, b'{"ping": 3, "padding": "' + b"x" * 300 + b'"}')
        for byte in range(len(three)):
            sock.sendall(three[byte : byte + 1])
            time.sleep(0.0005)
        assert heard(sock, 3) == ["1", "2", "3"]
        for cut in (1, 5, 7, 30):
            sock.sendall(three[:cut])
            time.sleep(0.02)
            sock.sendall(three[cut:] + masked(1, b'{"ping": 4}') * 40)
            assert heard(sock, 43) == ["1", "2", "3", *"4" * 40]


def test_a_text_between_the_pieces_of_another_is_refused(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http, _socket(port_of(http.url), Seats(http).id) as sock:
        sock.sendall(masked(1, b'{"ping":', fin=0) + masked(1, LINE))
        sock.settimeout(20)
        data = b""
        while piece := sock.recv(65536):
            data += piece
        assert b"pong" not in data
        assert (1002).to_bytes(2, "big") in data


def test_after_a_large_message_the_line_goes_on_or_says_why(tmp_path: Path) -> None:
    with client(make_app(sqlite_url(tmp_path))) as http:
        table = Seats(http)
        with http.live(f"/api/tables/{table.id}/live") as line:
            line.recv(timeout=20)
            line.send("x" * 60_000)
            assert json.loads(line.recv(timeout=20))["error"] == "request/too-large"
            line.send('{"ping": 1}')
            assert line.recv(timeout=20) == '{"pong": 1}'
        with _socket(port_of(http.url), table.id) as sock:
            sock.sendall(b"\x81\xff" + (LARGEST + 1).to_bytes(8, "big") + bytes(4) + frame(1, LINE))
            sock.settimeout(20)
            data = b""
            while piece := sock.recv(65536):
                data += piece
            assert (1009).to_bytes(2, "big") in data
