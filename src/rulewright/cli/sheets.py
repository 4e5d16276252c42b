"""Actor sheets, piles and the turn order as lines of text.

In:  a match and what a seat sees.
Out: rich Text, one line each, never wider than asked for.

Numbers with a highest value get a bar. Of the others only what is not 0 is shown: a sheet lists what
matters now, the book lists everything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from rich.console import Console
from rich.text import Text

from rulewright.cli.map_text import POINTERS, colour
from rulewright.ir.program import Program
from rulewright.ir.sheet import Field
from rulewright.play.match import Match
from rulewright.play.words import name_of

BAR = 10
ENDLESS = 99
"""A range up to here or more is no highest value."""
_CONSOLE = Console(width=200)
"""Text.wrap wants one; nothing is printed on it."""


class Sheets:
    """What one seat sees of the actors and their cards."""

    def __init__(self, match: Match, seen: Mapping[str, Any], slots: Sequence[int]) -> None:
        self.match = match
        self.program: Program = match.program
        self.seen = seen
        self.slots = slots

    # ------------------------------------------------------------ numbers
    def read(self, field: Field, owner: int, stored: int) -> int:
        """A number as the rules read it, as far as the viewer can know."""
        return self.seen["actors"][owner].get("read", {}).get(field.name, stored)

    def highest(self, field: Field, owner: int) -> int | None:
        """The most a number can be, if the book says so."""
        found: int | None = self.seen["actors"][owner].get("most", {}).get(field.name)
        if found is not None:
            return found
        return field.high if 1 < field.high < ENDLESS else None

    def bar(self, value: int, most: int) -> Text:
        """`█████░░░░░ 5/10`"""
        filled = 0 if most <= 0 else max(0, min(BAR, -(-value * BAR // most)))
        style = (
            "red"
            if most > 0 and value * 4 <= most
            else "yellow"
            if most > 0 and value * 2 <= most
            else "green"
        )
        text = Text("█" * filled, style=style)
        text.append("░" * (BAR - filled), style="dim")
        text.append(f" {value}/{most}")
        return text

    def fields(self, owner: int) -> tuple[list[Text], list[str]]:
        """The bars of an actor, and what else it has."""
        bars: list[Text] = []
        others: list[str] = []
        shown: dict[str, Any] = self.seen["actors"][owner]["fields"]
        for field in self.program.sheet.fields:
            if field.of[:1] != ("Actor",) or field.name not in shown:
                continue
            value = shown[field.name]
            if isinstance(value, dict) and len(field.of) == 2:
                inner = cast("dict[str, Any]", value)
                rows = [f"{name} {_plain(held)}" for name, held in inner.items() if _plain(held)]
                others += [f"{field.name}: {', '.join(rows)}"] if rows else []
            elif isinstance(value, int):
                value = self.read(field, owner, value)
                most = self.highest(field, owner)
                if most is not None and most > 1 and (value or not bars):
                    line = Text(f"{field.name} ")
                    line.append_text(self.bar(value, most))
                    bars.append(line)
                elif value:
                    others.append(f"{field.name} {value}")
            elif _plain(value):
                others.append(f"{field.name} {_plain(value)}")
        return bars, others

    # ------------------------------------------------------------ actors
    def own(self, actor: Mapping[str, Any]) -> bool:
        """Whether it is the viewer's."""
        return actor["seat"] == self.seen["seat"]

    def heading(self, actor: Mapping[str, Any]) -> Text:
        """Name, where it stands, who leads it, what afflicts it."""
        line = Text(
            actor["name"],
            style=f"bold {colour(actor.get('side', 0))}" + (" reverse" if self.own(actor) else ""),
        )
        if actor["template"] and not str(actor["name"]).startswith(str(actor["template"])):
            line.append(f" {actor['template']}", style="dim")
        players = self.seen.get("players", ())
        if 0 <= actor["seat"] < len(players):
            line.append(f" ({players[actor['seat']]})", style="dim")
        place = actor.get("place", -1)
        if place >= 0:
            line.append(f" at {name_of(self.program, 'Space', place, self.slots)}")
            directions = self.program.sheet.things.get("Direction", ())
            facing: int = actor.get("facing", -1)
            if 0 <= facing < len(directions):
                line.append(f" {POINTERS.get(directions[facing], directions[facing])}")
        for status in actor["statuses"]:
            more = f" {status['stacks']}" if status["stacks"] > 1 else ""
            more += f" ({status['turns']})" if status["turns"] > 0 else ""
            line.append(f" {status['name']}{more}", style="magenta")
        return line

    def sheet(self, actor: Mapping[str, Any], width: int, full: bool = True) -> list[Text]:
        """The lines of one actor; short: one line with its first bar."""
        bars, others = self.fields(actor["id"])
        line = self.heading(actor)
        if not full:
            if bars:
                line.append("  ")
                line.append_text(bars[0])
            return [line]
        return [line, *packed([*bars, *(Text(text) for text in others)], width), *self.piles(actor, width)]

    def actors(self) -> list[Mapping[str, Any]]:
        """Those in play, the viewer's own first."""
        playing = [actor for actor in self.seen["actors"] if actor.get("in_play", 1)]
        return sorted(playing, key=lambda actor: (not self.own(actor), actor["seat"] < 0))

    def acting(self) -> set[int]:
        """Whose turn it is, as far as the orders tell."""
        return {order["now"] for order in self.seen["orders"] if order["now"] is not None}

    def lines(self, width: int, height: int) -> list[Text]:
        """Every actor in play: in full whoever acts, then the viewer's own, as long as there is room."""
        actors, acting = self.actors(), self.acting()
        short = {actor["id"]: self.sheet(actor, width, full=False) for actor in actors}
        full: dict[int, list[Text]] = {}
        for actor in sorted(actors, key=lambda actor: (actor["id"] not in acting, not self.own(actor))):
            whole = self.sheet(actor, width)
            rest = [line for k, rows in short.items() if k != actor["id"] and k not in full for line in rows]
            if sum(len(rows) for rows in full.values()) + len(whole) + len(packed(rest, width)) <= height:
                full[actor["id"]] = whole
        found: list[Text] = []
        waiting: list[Text] = []
        for actor in actors:
            if actor["id"] in full:
                found += [*packed(waiting, width), *full[actor["id"]]]
                waiting = []
            else:
                waiting += short[actor["id"]]
        found += packed(waiting, width)
        if len(found) > height:
            hidden = len(found) - height + 1
            found = [*found[: height - 1], Text(f"... {hidden} more lines: `sheets` shows all", style="dim")]
        return found

    # ------------------------------------------------------------ piles
    def piles(self, actor: Mapping[str, Any], width: int) -> list[Text]:
        """The cards of an actor that the viewer may see, and how many there are of the others."""
        mine = [
            pile for pile in self.seen["zones"] if pile["kind"] == "Actor" and pile["owner"] == actor["id"]
        ]
        return self.pile_lines(mine, width, self.own(actor))

    def common(self, width: int) -> list[Text]:
        """The piles that belong to nobody."""
        return self.pile_lines([pile for pile in self.seen["zones"] if pile["owner"] < 0], width, True)

    def pile_lines(self, piles: Sequence[Mapping[str, Any]], width: int, listed: bool) -> list[Text]:
        counted: list[Text] = []
        lists: list[Text] = []
        for pile in piles:
            if not pile["count"]:
                continue
            names = [card["name"] for card in pile["cards"]]
            if listed and names and not pile["unknown"] and len(names) <= 12:
                text = Text(f"{pile['name']}: ", style="bold")
                text.append(", ".join(_grouped(names)), style="not bold")
                lists += list(text.wrap(_CONSOLE, max(20, width)))
            else:
                top = f" (top {names[-1]})" if names and pile["ordered"] else ""
                counted.append(Text(f"{pile['name']} {pile['count']}{top}", style="dim"))
        return [*lists, *packed(counted, width)]

    # ------------------------------------------------------------ the match
    def match_line(self, width: int) -> list[Text]:
        """Numbers of the match itself, sides, and the turn order."""
        texts: list[Text] = []
        for order in self.seen["orders"]:
            if order["members"]:
                texts.append(self.strip(order))
        for name, value in self.seen["fields"].items():
            if _plain(value):
                texts.append(Text(f"{name} {_plain(value)}"))
        for kind, rows in self.seen["things"].items():
            for row in rows:
                held = [f"{key} {_plain(value)}" for key, value in row["fields"].items() if _plain(value)]
                if held:
                    texts.append(Text(f"{row['name']}: {', '.join(held)}" if kind else ", ".join(held)))
        return packed(texts, width)

    def strip(self, order: Mapping[str, Any]) -> Text:
        """The turn order, whoever acts now marked."""
        text = Text(f"{order['name']}: ", style="bold")
        for i, actor in enumerate(order["members"]):
            row = self.seen["actors"][actor]
            now = order["cursor"] == i
            text.append(" > " if i else "", style="dim")
            text.append(
                f"[{row['name']}]" if now else row["name"],
                style=f"{'bold ' if now else 'not bold '}{colour(row.get('side', 0))}",
            )
        return text


def packed(texts: Sequence[Text], width: int) -> list[Text]:
    """As many on a line as fit, two spaces apart."""
    lines: list[Text] = []
    for text in texts:
        if lines and lines[-1].cell_len + 2 + text.cell_len <= width:
            lines[-1].append("  ")
            lines[-1].append_text(text)
        else:
            lines.append(text.copy())
    return lines


def _plain(value: Any) -> str:
    """A value of a view in words; empty for nothing and 0."""
    if isinstance(value, dict):
        return str(cast("dict[str, Any]", value).get("name", ""))
    return str(value) if value else ""


def _grouped(names: Sequence[str]) -> list[str]:
    """Equal names once, with their number."""
    counts = {name: names.count(name) for name in dict.fromkeys(names)}
    return [f"{count} {name}" if count > 1 else name for name, count in counts.items()]
