"""Live tables: a match in memory for each table somebody is at, kept equal to the store.

In:  requests to open, look, choose, undo; word from other processes that a table moved on.
Out: states for each seat, and a wake-up for everybody who watches.

The store decides: a choice counts when its row is written. The match in memory is only ahead of what
is stored while the row is being written, and goes back if that fails.
"""

from __future__ import annotations

import asyncio
import secrets
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rulewright.ir.program import Program
from rulewright.ir.text import read
from rulewright.play.describe import describe
from rulewright.play.faults import ChoiceError, MatchError, MatchFault
from rulewright.play.match import Match
from rulewright.serve.errors import EdgeError
from rulewright.serve.library import Library, Volume
from rulewright.serve.store import UNDO, Conflict, SeatRow, Store, TableRow, token_hash

LOG_LINES = 100
KINDS = ("you", "invite", "bot")


@dataclass(slots=True)
class Live:
    """One table in memory."""

    row: TableRow
    match: Match
    volume: Volume
    version: int = 0
    """Rows of the store that the match has seen, undos included."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    bot: asyncio.Task[None] | None = None
    last_choice: dict[int, int] = field(default_factory=dict[int, int])
    touched: float = 0.0

    def wake(self) -> None:
        """Tell everybody who waits that there is something new."""
        self.changed.set()
        self.changed = asyncio.Event()


class Tables:
    """Every live table of this process."""

    def __init__(self, store: Store, library: Library, bots: Callable[[Match, str], int], engine: Any = "reference") -> None:
        self.store = store
        self.library = library
        self.think = bots
        self.engine = engine
        self.live: dict[str, Live] = {}
        self.pinned: dict[str, Volume] = {}
        self.opening: dict[str, asyncio.Lock] = {}
        self.moves = 0

    # ------------------------------------------------------------ opening
    async def create(self, book: str, wanted: list[dict[str, str]], options: dict[str, str], seed: int | None) -> tuple[Live, list[str | None]]:
        """A new table; gives it and the seats' tokens."""
        volume = self.library.get(book)
        if volume is None:
            raise EdgeError("book/unknown")
        program = volume.program
        people: list[SeatRow] = []
        tokens: list[str | None] = []
        for number, one in enumerate(wanted):
            kind = one.get("kind", "you")
            bot = one.get("bot") or "random"
            if kind not in KINDS:
                raise EdgeError("seats/wrong", "A seat is 'you', 'invite' or 'bot'.")
            if kind == "bot" and bot not in ("random", *program.sheet.strategies):
                raise EdgeError("seats/wrong", f"The book has no player called '{bot}'.")
            token = secrets.token_urlsafe(16) if kind != "bot" else None
            name = (one.get("name") or (bot if kind == "bot" else f"Seat {number + 1}"))[:60]
            people.append(SeatRow(number, kind, bot if kind == "bot" else "", name, token_hash(token) if token else None))
            tokens.append(token)
        row = TableRow(
            secrets.token_urlsafe(9), program.digest, book, seed if seed is not None else secrets.randbits(48),
            options, time.time(), None, None, tuple(people),
        )  # fmt: skip
        match = self._begin(program, row)
        from rulewright.ir.text import show

        await self.store.keep_book(program.digest, book, show(program), volume.html)
        await self.store.add_table(row)
        live = Live(row, match, volume, touched=time.time())
        self.live[row.id] = live
        self.start_bot(live)
        return live, tokens

    def _begin(self, program: Program, row: TableRow) -> Match:
        names = [s.name for s in row.seats]
        try:
            return Match(program, seats=names, seed=row.seed, options=row.options, engine=self.engine)
        except MatchFault as error:
            raise EdgeError("match/fault", str(error)) from None
        except MatchError as error:
            code = "seats/wrong" if "seat" in str(error) else "setting/unknown"
            raise EdgeError(code, str(error)) from None

    async def get(self, id_: str) -> Live:
        """The table, from memory or from the store."""
        if id_ in self.live:
            self.live[id_].touched = time.time()
            return self.live[id_]
        async with self.opening.setdefault(id_, asyncio.Lock()):
            if id_ in self.live:
                return self.live[id_]
            row = await self.store.table(id_)
            if row is None:
                self.opening.pop(id_, None)
                raise EdgeError("table/unknown")
            volume = await self._pinned(row)
            live = Live(row, self._begin(volume.program, row), volume, touched=time.time())
            await self._catch_up(live)
            self.live[id_] = live
        self.opening.pop(id_, None)
        self.start_bot(live)
        return live

    async def _pinned(self, row: TableRow) -> Volume:
        """The exact book a match began with, even if the shelf has a newer one."""
        on_shelf = self.library.get(row.book)
        if on_shelf is not None and on_shelf.program.digest == row.digest:
            return on_shelf
        if row.digest not in self.pinned:
            kept = await self.store.book(row.digest)
            if kept is None:
                raise EdgeError("table/broken", "The book of this match is not in the store.")
            try:
                self.pinned[row.digest] = Volume(row.book, read(kept[1]), kept[2])
            except ValueError as error:
                raise EdgeError("table/broken", f"The stored book cannot be read: {error}") from None
        return self.pinned[row.digest]

    async def _catch_up(self, live: Live) -> bool:
        """Play what others stored meanwhile. True if there was anything."""
        fresh = await self.store.choices(live.row.id, live.version)
        for choice in fresh:
            try:
                if choice == UNDO:
                    live.match.undo()
                else:
                    live.match.choose(choice)
            except MatchError as error:
                raise EdgeError("table/broken", f"Choice {live.version} of the stored match does not fit: {error}") from None
            live.version += 1
        return bool(fresh)

    async def moved(self, id_: str) -> None:
        """Another process says that a table has moved on."""
        live = self.live.get(id_)
        if live is None:
            return
        async with live.lock:
            news = await self._catch_up(live)
        if news:
            live.wake()
            self.start_bot(live)

    # ------------------------------------------------------------ seats
    def seat(self, live: Live, token: str | None) -> int | None:
        """The seat a token opens; None without a token (a spectator)."""
        if not token:
            return None
        wanted = token_hash(token)
        for row in live.row.seats:
            if row.token_hash is not None and secrets.compare_digest(row.token_hash, wanted):
                return row.seat
        raise EdgeError("token/unknown")

    # ------------------------------------------------------------ playing
    async def choose(self, live: Live, seat: int, version: int, option: int) -> int:
        """Make a choice: stored first, then told."""
        async with live.lock:
            if version != live.version:
                raise EdgeError("choice/stale")
            decision = live.match.decision
            if decision is None:
                raise EdgeError("choice/over")
            if decision.seat != seat:
                raise EdgeError("choice/foreign")
            if not 0 <= option < len(decision.options):
                raise EdgeError("choice/unknown", f"There are {len(decision.options)} options, counted from 0.")
            try:
                live.match.choose(option)
            except ChoiceError as error:
                raise EdgeError("choice/unknown", str(error)) from None
            except MatchFault as error:
                raise EdgeError("match/fault", str(error)) from None
            await self._store(live, option, seat)
            live.last_choice[seat] = len(live.match.log(seat))
        self._told(live)
        return live.version

    async def undo(self, live: Live, seat: int, version: int) -> int:
        """Take the seat's last choice back where nothing was revealed."""
        async with live.lock:
            if version != live.version:
                raise EdgeError("choice/stale")
            decision = live.match.decision
            if decision is None or decision.seat != seat or not live.match.can_undo:
                raise EdgeError("undo/refused")
            live.match.undo()
            await self._store(live, UNDO, seat)
        self._told(live)
        return live.version

    async def _store(self, live: Live, choice: int, seat: int) -> None:
        result = live.match.result
        try:
            await self.store.append(live.row.id, live.version, choice, seat, result.ending if result else None)
        except Conflict:
            await self._reload(live)
            live.wake()
            raise EdgeError("choice/stale") from None
        except BaseException:
            # Not stored, so it did not happen.
            await asyncio.shield(self._reload(live))
            raise
        live.version += 1
        self.moves += 1

    async def _reload(self, live: Live) -> None:
        """Back to exactly what the store has."""
        live.match = self._begin(live.volume.program, live.row)
        live.version = 0
        await self._catch_up(live)

    def _told(self, live: Live) -> None:
        live.wake()
        self.start_bot(live)

    # ------------------------------------------------------------ bots
    def start_bot(self, live: Live) -> None:
        """If a bot is to decide, let it, in the background."""
        if live.bot is not None and not live.bot.done():
            return
        if self._bot_to_move(live) is not None:
            live.bot = asyncio.create_task(self._run_bots(live))

    def _bot_to_move(self, live: Live) -> SeatRow | None:
        decision = live.match.decision
        if decision is None or decision.seat >= len(live.row.seats):
            return None
        row = live.row.seats[decision.seat]
        return row if row.kind == "bot" else None

    async def _run_bots(self, live: Live) -> None:
        quick = 0
        while (row := self._bot_to_move(live)) is not None:
            version = live.version
            option = await asyncio.to_thread(self.think, live.match, row.bot)
            try:
                await self.choose(live, row.seat, version, option)
            except EdgeError as error:
                if error.code != "choice/stale":
                    return
            quick += 1
            if quick % 50 == 0:
                await asyncio.sleep(0)
        live.bot = None
        if self._bot_to_move(live) is not None:
            self.start_bot(live)

    # ------------------------------------------------------------ what a seat sees
    async def look(self, live: Live, seat: int | None) -> dict[str, Any]:
        """The state, never of a choice that is not stored yet."""
        async with live.lock:
            return self.state(live, seat)

    def state(self, live: Live, seat: int | None) -> dict[str, Any]:
        """Everything the page needs, for one seat."""
        match = live.match
        decision = match.decision
        mine = decision is not None and seat is not None and decision.seat == seat
        view = match.view(seat)
        options = view.pop("options", [])
        result = match.result
        return {
            "table": live.row.id,
            "book": live.row.book,
            "digest": live.row.digest,
            "seat": seat,
            "players": [{"seat": s.seat, "kind": s.kind, "name": s.name, "bot": s.bot} for s in live.row.seats],
            "version": live.version,
            "view": view,
            "decision": None
            if decision is None
            else {"seat": decision.seat, "prompt": decision.prompt, "mine": mine, "options": options if mine else []},
            "board": board(live),
            "log": self.log(live, seat),
            "since": live.last_choice.get(seat, 0) if seat is not None else 0,
            "result": None if result is None else {"ending": result.ending, "scores": list(result.scores)},
            "can_undo": mine and match.can_undo,
        }

    def log(self, live: Live, seat: int | None, after: int | None = None) -> list[dict[str, Any]]:
        """The last lines of a seat's log, each with the rule it cites."""
        events = live.match.log(seat)
        start = max(0, len(events) - LOG_LINES) if after is None else max(0, after)
        slots = slots_of(live)
        sites = live.volume.program.sheet.sites
        lines: list[dict[str, Any]] = []
        for number, event in enumerate(events[start : start + 1000], start):
            site = sites[event.site] if 0 <= event.site < len(sites) else sites[0]
            text = describe(live.volume.program, event, slots)
            cites = list(site.cites)
            lines.append(
                {"n": number, "text": text.rsplit(" [", 1)[0], "kind": event.kind, "args": list(event[2:]), "cites": cites, "title": site.title, "file": site.file, "line": site.line}
            )
        return lines


def slots_of(live: Live) -> tuple[int, ...]:
    """The state's numbers."""
    data = live.match.engine.state()
    return struct.unpack(f"<{len(data) // 4}i", data)


def board(live: Live) -> dict[str, Any]:
    """What the map looks like now: terrain that may have changed, spaces that were laid."""
    slots = slots_of(live)
    fields = {(f.name, f.of): f for f in live.volume.program.sheet.fields}
    found: dict[str, Any] = {}
    terrain = fields.get(("terrain", ("Space",)))
    if terrain is not None:
        found["terrain"] = list(slots[terrain.base : terrain.base + terrain.counts[0]])
    laid, x, y = (fields.get(key) for key in (("laid", ()), ("x", ("Space",)), ("y", ("Space",))))
    if laid is not None and x is not None and y is not None:
        found["spots"] = [[slots[x.base + i], slots[y.base + i]] for i in range(slots[laid.base])]
    return found
