"""Who sits at a table, and the secret that opens a seat.

In:  the seats that somebody wants for a new table; a token that somebody shows.
Out: rows for the store, with hashes instead of tokens; the seat that a token opens.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence

from rulewright.serve.errors import EdgeError
from rulewright.serve.library import Volume
from rulewright.serve.lines import Reader
from rulewright.serve.schema import SeatRow, TableRow, token_hash

KINDS = ("you", "invite", "bot", "open")
"""Whoever opens the table, somebody with a link, a bot, whoever comes first."""


def seats_of(
    volume: Volume, wanted: Sequence[Mapping[str, str]]
) -> tuple[tuple[SeatRow, ...], list[str | None]]:
    """The seats of a new table, and the token of each that a person takes."""
    people: list[SeatRow] = []
    tokens: list[str | None] = []
    for number, one in enumerate(wanted):
        row, token = seated(volume, number, one)
        people.append(row)
        tokens.append(token)
    return tuple(people), tokens


def seated(volume: Volume, number: int, wish: Mapping[str, str]) -> tuple[SeatRow, str | None]:
    """One seat, and the token that opens it if a person has it."""
    kind = wish.get("kind", "you")
    bot = wish.get("bot") or "random"
    if kind not in KINDS:
        raise EdgeError("seats/wrong", "A seat is 'you', 'invite', 'open' or 'bot'.")
    if kind == "bot" and bot not in volume.card["bots"]:
        raise EdgeError("seats/wrong", f"The book has no player called '{bot}'.")
    token = secrets.token_urlsafe(16) if kind in ("you", "invite") else None
    name = wish.get("name") or (bot if kind == "bot" else f"Seat {number + 1}")
    hashed = token_hash(token) if token else None
    return SeatRow(number, kind, bot if kind == "bot" else "", name, hashed), token


def seat_of(row: TableRow, token: str | None) -> Reader:
    """The seat a token opens; None without a token (a spectator)."""
    if not token:
        return None
    wanted = token_hash(token)
    for seat in row.seats:
        if seat.token_hash is not None and secrets.compare_digest(seat.token_hash, wanted):
            return seat.seat
    raise EdgeError("token/unknown")
