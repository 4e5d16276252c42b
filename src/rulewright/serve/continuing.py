"""A finished match, gone on with from any of its choices at a table of its own.

In:  a finished table and a number of choices.
Out: a new table with the same book, seed and people, where so much has been chosen already.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import replace

from rulewright.serve.errors import EdgeError
from rulewright.serve.invites import seats_of
from rulewright.serve.moves import standing
from rulewright.serve.table import Table
from rulewright.serve.tables import Tables


async def go_on(tables: Tables, id_: str, at: int, opener: str = "") -> tuple[Table, list[str | None]]:
    """The new table and its seats' tokens. Whoever asks plays every seat that people had."""
    old = await tables.get(id_)
    if old.match.result is None:
        raise EdgeError("replay/hidden")
    chosen = standing(await tables.store.choices(id_))[:at]
    wanted = [
        {"kind": "bot", "bot": seat.bot} if seat.kind == "bot" else {"kind": "you", "name": seat.name}
        for seat in old.row.seats
    ]
    people, tokens = seats_of(old.volume, wanted)
    new = secrets.token_urlsafe(9)
    # The seed of a finished match is known to all, and so are the dice of whoever goes on with it.
    row = replace(old.row, id=new, created=time.time(), finished=None, ending=None, seats=people, chosen=True)
    await tables.store.add_table(row)
    # Stored before anybody can see the table, so that no bot chooses in between.
    appended = (tables.store.append(new, n, row.choice, row.seat) for n, row in enumerate(chosen))
    await asyncio.gather(*appended)  # all in a few transactions
    table = await tables.get(new)
    table.opener = opener
    return table, tokens
