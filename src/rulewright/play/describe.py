"""Events in plain words, with the rule they cite.

In:  events as a reader may know them (see `knowledge`), a Program.
Out: sentences.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.ir import events as kinds
from rulewright.ir.events import EVERYBODY, Event
from rulewright.ir.program import Program
from rulewright.ir.sheet import Field
from rulewright.play.words import (
    NOTHING,
    NUMBER,
    Thing,
    fill,
    fixed_names,
    name_of,
    text_things,
    verb_text,
    verb_things,
)

PASSING = frozenset(("Card", "Space"))
"""Kinds of things that may be called otherwise later."""


def describe(program: Program, event: Event, slots: Sequence[int] = ()) -> str:
    """One line: what happened, then the rule in brackets when it is known.

    Cards that get their faces during play are named as in the state whose slots are given.
    """
    text, cited = _Writer(program, slots).words(event), citation(program, event.site)
    return f"{text} [{cited}]" if cited else text


def words(program: Program, event: Event, slots: Sequence[int] = ()) -> str:
    """What happened, without the rule."""
    return _Writer(program, slots).words(event)


def said(program: Program, event: Event, slots: Sequence[int] = ()) -> tuple[str, ...]:
    """What an event is about, as it was called then, for whoever puts it into other words: what was chosen;
    the step; the card, the space; of a change on cards or spaces whose it is, what it was and is now."""
    return _Writer(program, slots).said(event)


def citation(program: Program, site: int) -> str:
    """The rule numbers of a site, or else its title, or else its line."""
    if not 0 < site < len(program.sheet.sites):
        return ""
    place = program.sheet.sites[site]
    return ", ".join(place.cites) or place.title or f"{place.file}:{place.line}"


class _Writer:
    def __init__(self, program: Program, slots: Sequence[int]) -> None:
        self.program = program
        self.slots = slots

    def name(self, kind: str, number: int) -> str:
        return name_of(self.program, kind, number, self.slots)

    def actor(self, number: int) -> str:
        return self.name("Actor", number)

    def said(self, event: Event) -> tuple[str, ...]:
        """The names in what happened that cannot be looked up later."""
        sheet, (_, _, a, b, c, d, *_) = self.program.sheet, event
        match event.kind:
            case kinds.FORCED | kinds.CHOSEN if a >= 0:
                return (self.option(event), *self.unknown(event))
            case kinds.CHANGE if 0 <= a < len(sheet.fields):
                field = sheet.fields[a]
                passing = not PASSING.isdisjoint((*field.of, field.holds))
                return self.changed(field, b, c, d) if passing else ()
            case kinds.CARD | kinds.REVEAL:
                return (self.name("Card", a),)
            case kinds.PLACE if c >= 0:
                return (self.name("Space", c),)
            case kinds.PICK:
                return (self.things(event)[0].name,)
            case kinds.STEP:
                return (_entry(sheet.texts, b, "step"),)
            case kinds.LAY if a >= 0:
                return (self.name("Space", a),)
            case _:
                return ()

    def words(self, event: Event) -> str:
        """What happened, without the citation."""
        sheet = self.program.sheet
        _, site, a, b, c, d, *_ = event
        match event.kind:
            case kinds.FORCED | kinds.CHOSEN:
                if a < 0:
                    return "chosen in secret"
                text = self.option(event)
                return f"only option: {text}" if event.kind == kinds.FORCED else f"chosen: {text}"
            case kinds.CHANGE:
                return self.change(a, b, c, d)
            case kinds.ROLL if 0 < c <= len(sheet.dice):
                die = sheet.dice[c - 1]
                return f"rolled {self.name(die, b)} on a {die}"
            case kinds.ROLL:
                return f"rolled {b + 1} on a d{a}"
            case kinds.CARD:
                left = f" from {self.zone(b - 1)}" if b > 0 else ""
                reached = f" to {self.zone(c - 1)}" if c > 0 else ""
                return f"{self.name('Card', a)} moves{left}{reached}"
            case kinds.PLACE if c < 0:
                return f"{self.actor(a)} leaves {self.name('Space', b)}"
            case kinds.PLACE:
                return f"{self.actor(a)} moves to {self.name('Space', c)}"
            case kinds.STATUS:
                return f"{self.actor(b)}: {self.status(a, c, d)}"
            case kinds.STEP:
                by = f"{self.actor(a)}: " if a >= 0 else ""
                title = sheet.sites[site].title if 0 < site < len(sheet.sites) else ""
                return f"{by}{title}, {_entry(sheet.texts, b, 'step')}"
            case kinds.RULE:
                title = sheet.sites[site].title if 0 < site < len(sheet.sites) else ""
                by = f"{self.actor(a)}: " if a >= 0 else ""
                at = f" at {self.actor(b)}" if b >= 0 else ""
                return f"{by}{title or 'a rule applies'}{at}"
            case kinds.SAY | kinds.PICK:
                return self.spoken(event)
            case kinds.SHUFFLE:
                return f"{self.zone(a)} is shuffled"
            case kinds.PLAY:
                return f"{self.actor(a)} {'enters' if b else 'leaves'} play"
            case kinds.ORDER:
                return f"{_entry([order.name for order in sheet.orders], a, 'order')} changes"
            case kinds.END:
                wins = f", seat {b + 1} wins" if b >= 0 else ""
                return f"the match ends: {_entry(sheet.endings, a, 'ending')}{wins}"
            case kinds.REVEAL:
                return f"{self.name('Card', a)} is shown to {'everybody' if b < 0 else f'seat {b + 1}'}"
            case kinds.LAY:
                return f"{self.name('Space', a)} is laid" if a >= 0 else "all spaces are taken up"
            case kinds.READY:
                return f"seat {a + 1} has chosen"
            case kinds.FACE:
                return f"{self.actor(a)} turns {self.name('Direction', b)}"
            case _:
                return f"event {event.kind}"

    def spoken(self, event: Event) -> str:
        return fill(_entry(self.program.sheet.texts, event.a, "text"), self.things(event))

    def things(self, event: Event) -> tuple[Thing, ...]:
        """What is named in words of the book."""
        text, whole = _entry(self.program.sheet.texts, event.a, "text"), event.knows == EVERYBODY
        return text_things(self.program, text, event[3:6], self.slots, whole=whole)

    def chosen(self, event: Event) -> tuple[Thing, ...]:
        """What something was chosen with, as the reader may know it."""
        return verb_things(self.program, event[2:6], self.slots, whole=event.knows == EVERYBODY)

    def option(self, event: Event) -> str:
        return verb_text(self.program, event.a, self.chosen(event))

    def unknown(self, event: Event) -> tuple[str, ...]:
        """What stands in the words of a choice for cards that the reader does not know."""
        hidden = [t.name for t in self.chosen(event) if t.kind == "Card" and t.id < 0 and t.name != NOTHING]
        return tuple(hidden[:1])

    def zone(self, index: int) -> str:
        """The name of a zone by its number among the zones of all owners."""
        left = index
        for zone in self.program.sheet.zones:
            owners = len(self.program.sheet.things.get(zone.of, ())) if zone.of else 1
            if left < owners:
                return zone.name if zone.of is None else f"{self.name(zone.of, left)}'s {zone.name}"
            left -= owners
        return f"zone {index}"

    def status(self, status: int, stacks: int, turns: int) -> str:
        name = _entry([status.name for status in self.program.sheet.statuses], status, "status")
        if stacks <= 0:
            return f"{name} ends"
        return f"{name} {stacks} for {turns} turns" if turns > 0 else f"{name} {stacks}"

    def change(self, number: int, owner: int, old: int, new: int) -> str:
        fields = self.program.sheet.fields
        if not 0 <= number < len(fields):
            return f"field {number}: {old} -> {new}"
        field = fields[number]
        who, before, after = self.changed(field, owner, old, new)
        change = f"{field.name} {before} -> {after}"
        return f"{who}: {change}" if who else change

    def changed(self, field: Field, owner: int, old: int, new: int) -> tuple[str, str, str]:
        """Whose number it is, what it was and what it is now."""
        owners = divmod(owner, field.counts[1]) if len(field.of) == 2 else (owner,)
        who = ", ".join(self.name(kind, index) for kind, index in zip(field.of, owners, strict=False))
        holds = field.holds or NUMBER
        return who, self.name(holds, old), self.name(holds, new)


def _entry(names: Sequence[str], index: int, kind: str) -> str:
    return names[index] if 0 <= index < len(names) else f"{kind} {index}"


def timeless(program: Program, event: Event) -> bool:
    """Whether the event reads the same in every state: what cards and laid spaces are called depends."""
    kind = kinds.KINDS.get(event.kind)
    if kind is None or event.kind == kinds.SHUFFLE or not fixed_names(program):
        return False
    sheet, index = program.sheet, event.a
    match event.kind:
        case kinds.CHANGE if 0 <= index < len(sheet.fields):
            return sheet.fields[index].holds != "Card" and "Card" not in sheet.fields[index].of
        case kinds.CHOSEN | kinds.FORCED if 0 <= index < len(sheet.verbs):
            return "Card" not in sheet.verbs[index].args
        case kinds.SAY | kinds.PICK if 0 <= index < len(sheet.texts):
            return ":Card" not in sheet.texts[index]
        case _:
            return not kind.cards
