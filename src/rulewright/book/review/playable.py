"""Whether a match can begin and somebody can play it.

In:  Symbols with their bodies, and the Source.
Out: more diagnostics: no sequence called Match, seats that lead nobody, too few cards.
"""

from __future__ import annotations

import re

from rulewright.book.box import built_decks, created, room_of
from rulewright.book.forest import Forest, where
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.source import Source
from rulewright.diagnostics import Diagnostic, Span, has_errors, is_slip, warning

SEATS_BY_RULE = re.compile(r"\bcontrols\b|\bseat (?:\[|\d)")
"""Rules that name seats themselves."""


def review_match(symbols: Symbols, source: Source, forest: Forest, problems: list[Diagnostic]) -> None:
    """A book that has anything to play says how a match goes."""
    sequences = [c for c in symbols.components.values() if c.kind == "Sequence"]
    meant = next((c for c in sequences if is_slip(c.name, "Match")), None)
    # Pages of rules that only their worked examples run need no match.
    if "Match" not in symbols.components and sequences and (meant is not None or not source.examples):
        span = meant.definition.heading if meant is not None else Span(source.main, 1, 1)
        help_ = f"is it '{meant.name}'?" if meant is not None else "write `Match (Sequence)` with its steps"
        words = "no sequence is called 'Match', and with that one every match begins"
        problems.append(Diagnostic("missing-part", span, words, help_))
    if "Match" in symbols.components and not has_errors(problems):
        _seats(symbols, source, problems)
        _box(symbols, source, forest, problems)


def _box(symbols: Symbols, source: Source, forest: Forest, problems: list[Diagnostic]) -> None:
    """There are as many cards as decks are built of, room for them, and a number where rules create cards."""
    said, titles = symbols.front.get("cards"), {norm(d.title): d.title for d in source.definitions}
    front = Span(source.main, _front_line(source, "cards"), 1, 5)
    decks = built_decks(symbols, forest)
    for deck in decks:
        name, zone = titles.get(deck.deck, deck.deck), symbols.zones[deck.zone]
        if isinstance(said, int) and deck.size * deck.takers > said:
            each = f" for each of {deck.takers}" if deck.takers > 1 else ""
            words = f"`cards: {said}` is too few: '{name}' has {deck.size}{each}, and piles stay empty"
            problems.append(warning("missing-part", front, words, "without it, it is worked out"))
            return
        if room_of(zone, decks) < deck.size:
            words = f"'{zone.name}' holds {zone.capacity} cards, and '{name}' has {deck.size}"
            problems.append(Diagnostic("too-large", zone.definition.heading, words, "say a larger `holds:`"))
    if not isinstance(said, int):
        for d, found in created(forest):
            words = "how many cards there are cannot be worked out where rules create them"
            help_ = "say it in the front matter: `cards: NUMBER`"
            problems.append(warning("missing-part", where(d, found), words, help_))
            return


def _seats(symbols: Symbols, source: Source, problems: list[Diagnostic]) -> None:
    """Every seat leads somebody, unless the rules themselves say which seat does what."""
    texts = (line.text for d in source.definitions for field in d.fields for line in field.lines)
    said = {key: _seat_of(symbols, key) for key in symbols.templates}
    if "any" in said.values() or any(SEATS_BY_RULE.search(text) for text in texts):
        return
    _, most = symbols.seats
    each = max((symbols.templates[key].box for key, seat in said.items() if seat == "each"), default=0)
    led = {*range(1, min(each, most) + 1), *(int(seat) for seat in said.values() if seat.isdecimal())}
    empty = next((seat for seat in range(1, most + 1) if seat not in led), None)
    if empty is None or not symbols.templates:
        return
    words = f"seat {empty} leads nobody: `seats:` allows {most}, but there are actors for {len(led)}"
    help_ = "give an actor `seat: NUMBER`, or a template `seat: each` and a `box:` for all of them"
    if not led:
        words = "no actor has a `seat:`, so nobody decides anything"
    span = Span(source.main, _front_line(source, "seats"), 1, 5)
    problems.append(warning("missing-part", span, words, help_))


def _seat_of(symbols: Symbols, key: str) -> str:
    """What a template says of seats, or the one that it is made from."""
    said = (found.seat for found in symbols.lineage(key))
    return next((seat for seat in said if seat and seat != "none"), "none")


def _front_line(source: Source, key: str) -> int:
    """Where a setting stands in the front matter; the first line, if nowhere."""
    text = source.texts.get(source.main, "")
    return next((n for n, x in enumerate(text.split("\n"), 1) if re.match(rf"{key}\s*:", x)), 1)
