"""A leak planted in each channel is caught by the exchange of hidden things."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import exchange
from exchange import play
from rulewright.cli import screen
from rulewright.compiler import compile_book
from rulewright.ir.events import EVERYBODY
from rulewright.ir.program import Program
from rulewright.play import arithmetic, course, knowledge, match, reasons
from rulewright.play.knowledge import Knowledge
from rulewright.play.match import Match
from rulewright.play.words import Option
from rulewright.players import bots

BLUFF = Path(__file__).parent.parent / "bluff"
Patch = pytest.MonkeyPatch


@cache
def book(name: str) -> Program:
    return compile_book(BLUFF / f"{name}.md")


def secret(found: Match | tuple[int, ...], program: Program) -> int:
    """Everybody's cup, as one number."""
    cup = knowledge.find_field(program, "Actor", "Cup")
    assert cup is not None
    slots = found.slots() if isinstance(found, Match) else found
    return sum(slots[cup.base + actor] * 7**actor for actor in range(4))


def leaky_view(patch: Patch) -> None:
    real = match.view

    def seen(program: Program, slots: Any, seat: int | None) -> dict[str, Any]:
        return {**real(program, slots, seat), "cups": secret(tuple(slots), program)}

    patch.setattr(match, "view", seen)


def leaky_order(patch: Patch) -> None:
    """Options in an order that tells."""
    real = match.Match.decision_of

    def told(self: Match, seat: int) -> Any:
        made = real(self, seat)
        if made is None or secret(self, self.program) % 2:
            return made
        return match.Decision(made.seat, made.prompt, made.options[::-1], made.actor, made.seats)

    patch.setattr(match.Match, "decision_of", told)


def leaky_label(patch: Patch) -> None:
    real = course.option

    def labelled(index: int, payload: Any, reader: Knowledge) -> Option:
        made = real(index, payload, reader)
        mark = secret(tuple(reader.slots), reader.program) % 5
        return replace(made, text=f"{made.text} {mark}")

    patch.setattr(course, "option", labelled)


def leaky_log(patch: Patch) -> None:
    real = match.describe

    def worded(program: Program, event: Any, slots: Any = ()) -> str:
        return f"{real(program, event, slots)} {secret(tuple(slots), program)}"

    patch.setattr(match, "describe", worded)


def leaky_terminal(patch: Patch) -> None:
    real = exchange.draw

    def drawn(out: Any, found: Match, *rest: Any) -> Any:
        return [*real(out, found, *rest), screen.Text(str(secret(found, found.program)))]

    patch.setattr(exchange, "draw", drawn)


def leaky_reason(patch: Patch) -> None:
    def told(found: Match, wanted: str, seat: int | None = None) -> reasons.Reasons:
        return reasons.Reasons((f"{wanted} {secret(found, found.program)}",))

    patch.setattr(exchange, "why_not", told)


def leaky_bot(patch: Patch) -> None:
    """A bot that looks at the real state."""

    def peeks(now: bots.Position, bot: str) -> int:
        return secret(now.slots, now.program) % now.options

    patch.setattr(exchange, "decide", peeks)


def leaky_event(patch: Patch) -> None:
    """Changes of a hidden number are told to everybody when they happen."""
    real = exchange.Match.choose

    def loud(self: Match, choice: Any, seat: int | None = None) -> None:
        real(self, choice, seat)
        told = match.Event(
            3, 0, 6, secret(self, self.program), 0, 0, -1, knowledge.EVERYBODY, knowledge.EVERYBODY
        )
        exchange.happen(self, [told])

    patch.setattr(exchange.Match, "choose", loud)


def leaky_why(patch: Patch) -> None:
    """Sums with numbers in them that the reader may not know."""

    def anything(self: object, *numbers: int) -> bool:
        return True

    patch.setattr(arithmetic._Writer, "open", anything)  # pyright: ignore[reportPrivateUsage]


def leaky_replay(patch: Patch) -> None:
    """Whoever steps back still reads what came later."""
    real = match.Match.back

    def lazy(self: Match, point: match.Checkpoint) -> None:
        later = self.events[point.events :]
        real(self, point)
        exchange.happen(self, [event._replace(who=EVERYBODY, knows=EVERYBODY) for event in later])

    patch.setattr(match.Match, "back", lazy)


PLANTED: dict[str, tuple[Callable[[Patch], None], str]] = {
    "view": (leaky_view, "view"),
    "order of options": (leaky_order, "options"),
    "label of an option": (leaky_label, "options"),
    "log": (leaky_log, "log"),
    "terminal": (leaky_terminal, "terminal"),
    "why not": (leaky_reason, "why-not"),
    "bot": (leaky_bot, "bots"),
    "event": (leaky_event, "events"),
    "why": (leaky_why, "why"),
    "stored replay": (leaky_replay, "replay"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_leak_is_caught(planted: str, monkeypatch: Patch):
    leak, channel = PLANTED[planted]
    program = book("ambush" if planted == "why" else "liars-dice")
    leak(monkeypatch)
    _, differ = play(program, 30, 3, 5)
    assert any(line.startswith(f"{channel}:") for line in differ)


def test_control_without_a_leak_there_is_none():
    found, differ = play(book("liars-dice"), 30, 3, 5)
    assert differ == []
    assert found["exchanges"] > 20


def test_a_rule_that_tells_is_caught(tmp_path: Path):
    """A book whose option is offered by what somebody else hides: a leak of the book, and it is seen."""
    path = tmp_path / "telling.md"
    text = (BLUFF / "liars-dice.md").read_text()
    path.write_text(
        text.replace("requires: [Face] < 6", "requires: [Face] < 6 AND no Player where [Cup] = 2")
    )
    _, differ = play(compile_book(path), 40, 3, 5)
    assert any(line.startswith("options:") for line in differ)
