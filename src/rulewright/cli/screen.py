"""One screen of a match: turn order, map, sheets, log, options.

In:  a match, the seat that looks, the size of the terminal.
Out: lines of rich Text, no more than fit; without a terminal everything, one part below the other.

Options and log have the first claim on the height, then the sheets; the map stands beside the sheets
when both fit, and otherwise waits for the command `map`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from rulewright.cli.map_text import MapDrawing
from rulewright.cli.sheets import Sheets
from rulewright.ir import events as kinds
from rulewright.ir.events import Event
from rulewright.play.match import Match, Option

QUIET = (kinds.STEP, kinds.FORCED)
"""Events that the log leaves out unless it is asked for."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event as a seat reads it."""

    text: str
    site: int
    kind: int
    times: int = 1
    number: int = -1
    """Which line of the seat's log it is."""

    def shown(self) -> Text:
        """The sentence, and the first of the rules it cites."""
        words, bracket, cites = self.text.rpartition(" [")
        again = f" ({self.times} times)" if self.times > 1 else ""
        if not bracket:
            return Text(self.text + again)
        numbers = cites.rstrip("]").split(", ")
        line = Text(words + again)
        line.append(
            f" [{', '.join(numbers[:2])}{f' +{len(numbers) - 2}' if len(numbers) > 2 else ''}]",
            style="cyan dim",
        )
        return line


def slots_of(match: Match) -> tuple[int, ...]:
    """The state's numbers."""
    state = match.engine.state()
    return struct.unpack(f"<{len(state) // 4}i", state)


class Log:
    """The log of a seat. A long match is put into words as it goes on, not anew for every screen."""

    def __init__(self, seat: int | None, everything: bool = False) -> None:
        self.seat = seat
        self.everything = everything
        self.lines: list[LogLine] = []
        self._read = 0

    def follow(self, match: Match) -> list[LogLine]:
        """All lines, with what is new since the last time."""
        for event in match.log(self.seat, self._read):
            self._read += 1
            text = match.describe(event)
            who = match.players[event.by] if 0 <= event.by < len(match.players) else "somebody"
            if event.kind == kinds.CHOSEN:
                text = f"{who}: {text.removeprefix('chosen: ')}"
            elif event.kind == kinds.READY:
                text = f"{who} has chosen"
            elif not self.everything and (event.kind in QUIET or self._repeats(event)):
                continue
            number = self._read - 1
            line = LogLine(text, event.site, event.kind, number=number)
            if self.lines and not self.everything and self.lines[-1].text == text:
                line = LogLine(text, event.site, event.kind, self.lines.pop().times + 1, number)
            self.lines.append(line)
        return self.lines

    def _repeats(self, event: Event) -> bool:
        """An action that says no more than the choice just above it."""
        return event.kind == kinds.RULE and bool(self.lines) and self.lines[-1].kind == kinds.CHOSEN


def log_lines(match: Match, seat: int | None, everything: bool = False) -> list[LogLine]:
    """The whole log of a seat."""
    return Log(seat, everything).follow(match)


def option_lines(options: Sequence[Option], width: int, most: int) -> list[Text]:
    """Numbered options in as many columns as are needed and fit."""
    texts = [f"{option.index + 1:>3} {option.text}" for option in options]
    longest = max((Text(text).cell_len for text in texts), default=0)
    if len(texts) > most and longest > width // 2 - 2 >= 30:
        # Better two columns with a few long ones cut than half of them out of sight.
        longest = width // 2 - 2
        texts = [text if len(text) <= longest else f"{text[: longest - 3]}..." for text in texts]
    columns = max(1, min(-(-len(texts) // max(1, min(most, 6))), (width + 2) // (longest + 2)))
    rows = -(-len(texts) // columns)
    if rows > most:
        rows = most
        left = len(texts) - rows * columns + 1
        texts = [*texts[: rows * columns - 1], f"    ... {left} more: type `options`"]
    lines: list[Text] = []
    for row in range(rows):
        line = Text()
        for column in range(columns):
            index = column * rows + row
            if index < len(texts):
                line.append(texts[index][:4], style="bold green")
                line.append(
                    texts[index][4:].ljust(longest - 4 + 2) if column < columns - 1 else texts[index][4:]
                )
        lines.append(line)
    return lines


def side_by_side(left: Sequence[Text], right: Sequence[Text], gap: int = 3) -> list[Text]:
    """Two blocks of lines next to each other."""
    wide = max((line.cell_len for line in left), default=0)
    lines: list[Text] = []
    for i in range(max(len(left), len(right))):
        line = left[i].copy() if i < len(left) else Text()
        line.append(" " * (wide - line.cell_len + gap))
        if i < len(right):
            line.append_text(right[i])
        lines.append(line)
    return lines


def draw(
    out: Console, match: Match, seat: int | None, log: Sequence[LogLine], height: int | None, title: str
) -> list[Text]:
    """The whole screen. `height` None: as long as it takes."""
    width = out.width
    seen, slots = match.view(seat), slots_of(match)
    sheets, drawing = Sheets(match, seen, slots), MapDrawing(match.program, slots, seen)
    small = height is not None and height < 20
    head = [Text(title, style="bold"), *sheets.match_line(width)[: 1 if small else 2]]
    decision = None if seat is None else match.decision_of(seat)
    most = 200 if height is None else 3 if small else 7 if height < 30 else 10
    options = option_lines(decision.options, width, most) if decision else []
    least = min(len(log), 12 if height is None else 1 if small else 4 if height < 30 else 6)
    room = 1000 if height is None else max(2, height - len(head) - len(options) - least - 5)
    body = _body(sheets, drawing, width, room)
    spare = max(0, room - len(body)) if height else 0
    shown = [line.shown() for line in log[max(0, len(log) - least - spare) :]]
    lines = [*head, Text("─" * width, style="dim"), *body]
    lines += [Text("─" * width, style="dim"), *shown, Text("─" * width, style="dim"), *options]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines


def _body(sheets: Sheets, drawing: MapDrawing, width: int, room: int) -> list[Text]:
    common = sheets.common(width)[: max(0, min(room - 4, 4))]
    room -= len(common)
    board = drawing.lines(width // 2)
    wide = max((line.cell_len for line in board), default=0)
    if board and len(board) <= room and width - wide - 3 >= 36:
        return [*side_by_side(board, sheets.lines(width - wide - 3, room)), *common]
    if board and room >= 1000:
        return [*board, *sheets.lines(width, room), *common]
    if not board:
        return [*sheets.lines(width, room), *common]
    return [*sheets.lines(width, room - 1), *common, Text("type `map` to see the map", style="dim")]
