"""What `given` and `expect` lines say, item by item.

In:  the text of a line and the names of a Program.
Out: Items, a closed union: `position` sets them up and tests them.

A line is `SUBJECT: item; item`. Items that are a name and a number may also be separated by commas; what
lists things (a zone, an order) takes the commas up to the next semicolon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from rulewright.ir.sheet import Field, OrderSheet, StatusSheet, Zone
from rulewright.testing.names import NameProblem, Names, after, norm, pieces

COMPARISONS = {"at least": ">=", "at most": "<=", "more than": ">", "less than": "<"}
VALUE = re.compile(r"^(!=|>=|<=|=|>|<|at least|at most|more than|less than)?\s*(.*)$")
MARKS = {"yes": 1, "no": 0, "on": 1, "off": 0}


@dataclass(frozen=True, slots=True)
class Subject:
    """Whose items follow: a kind and a number; kind None is the match."""

    kind: str | None
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class InPlay:
    """`in play`, `out of play`"""

    actor: int
    yes: bool


@dataclass(frozen=True, slots=True)
class Value:
    """`Health 3`, `Armor of Legs >= 3`, `Class Heavy`, `at B6`, `not at B6`, `facing N`, `stored Health 3`"""

    field: Field
    index: int
    op: str
    value: int
    stored: bool = False
    """Compare the store, and not what the rules read with all that modifies it."""


@dataclass(frozen=True, slots=True)
class HasStatus:
    """`Poisoned 2 for 3 turns with power 4 by Ash`, `not Poisoned`. What is not said is not compared."""

    status: StatusSheet
    actor: int
    yes: bool
    stacks: int | None = None
    turns: int | None = None
    power: int | None = None
    source: int | None = None


@dataclass(frozen=True, slots=True)
class Pile:
    """`Hand A, B`, `Deck top A, 10 B`, `Hand 5`, `Hand empty`, `Discard has A`, `Discard without A`"""

    zone: Zone
    owner: int
    how: str
    """is, top, bottom, has, without or count"""
    faces: tuple[int, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class Members:
    """`order Initiative Ash, Brand`"""

    order: OrderSheet
    actors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """`ended`, `ended Victory`, `not ended`"""

    ending: str
    yes: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """`result 1 0`, `ranks 1 2 2`, `scores 30 12 12`"""

    word: str
    numbers: tuple[int, ...]


Item: TypeAlias = InPlay | Value | HasStatus | Pile | Members | Ended | Scores


def subjects(names: Names, text: str) -> list[Subject]:
    """Who the line is about: `match`, or with commas between them actors, spaces, sides, words of a list."""
    low = norm(text)
    if low == "match":
        return [Subject(None, 0, "match")]
    listed = pieces(text.replace(" and ", ","), ",")
    try:
        whole = _subject(names, text)
    except NameProblem:
        whole = None
        if len(listed) < 2:
            raise
    if whole is not None:
        return [whole]
    found: list[Subject] = []
    for piece in listed:
        one = _subject(names, piece)
        if one is None:
            raise names.unknown("actor", piece, names.words("Actor"))
        found.append(one)
    return found


def _subject(names: Names, text: str) -> Subject | None:
    actor = names.find("Actor", text)
    if actor is not None:
        return Subject("Actor", actor, names.words("Actor")[actor])
    for word, kind in (("space", "Space"), ("side", "Side")):
        rest = after(text, word)
        if rest:
            return Subject(kind, names.thing(kind, rest), rest)
    rest = after(text, "card")
    if rest:
        return Subject("Card", names.card(rest), rest)
    owners = dict.fromkeys(field.of[0] for field in names.sheet.fields if field.of)
    for kind in ("Side", "Space", *owners):
        found = names.find(kind, text) if kind != "Card" else None
        if found is not None:
            return Subject(kind, found, names.words(kind)[found])
    return None


def read_items(names: Names, subject: Subject, text: str) -> list[Item]:
    """The items of one subject. Raises NameProblem for the first that says nothing."""
    found: list[Item] = []
    for chunk in pieces(text, ";"):
        left = chunk
        while left:
            item, left = _item(names, subject, left)
            found += item
    return found


def _item(names: Names, subject: Subject, text: str) -> tuple[list[Item], str]:
    """The first item of a chunk, and what is left of the chunk."""
    special = _special(names, text)
    if special is not None:
        return [special], ""
    listing = _listing(names, subject, text)
    if listing is not None:
        return [listing], ""
    parts = pieces(text, ",")
    if not parts:
        raise NameProblem(f"'{text}' says nothing", text)
    return _plain(names, subject, parts[0]), ", ".join(parts[1:])


def _special(names: Names, text: str) -> Item | None:
    """Items that mean the same whatever the subject is."""
    for word, yes in (("not ended", False), ("ended", True)):
        rest = after(text, word)
        if rest is not None:
            if rest and not any(norm(rest) == norm(name) for name in names.sheet.endings):
                raise names.unknown("ending", rest, names.sheet.endings)
            return Ended(rest, yes)
    for word in ("result", "ranks", "scores"):
        rest = after(text, word)
        if rest is not None and re.fullmatch(r"[-\d\s,]+", rest):
            return Scores(word, tuple(int(number) for number in re.findall(r"-?\d+", rest)))
    rest = after(text, "order")
    if rest is not None:
        found = names.leading(rest, names.orders())
        if found is None:
            raise names.unknown("order", rest, [name for name, _ in names.orders()])
        order, members = found
        listed = [] if norm(members) in ("empty", "none") else pieces(members, ",")
        return Members(order, tuple(names.thing("Actor", name) for name in listed))
    return None


def _listing(names: Names, subject: Subject, text: str) -> Pile | None:
    """A zone and its cards, if the longest name at the start is a zone's."""
    found = names.leading(text, names.zones(subject.kind))
    if found is None:
        return None
    zone, rest = found
    longer = names.leading(text, [*names.statuses(), *names.fields(subject.kind)])
    if longer is not None and len(longer[1]) < len(rest):
        return None
    owner = subject.id if zone.of is not None else -1
    if not rest:
        raise NameProblem(f"say what is in {zone.name}: cards, a number, or empty", text)
    if norm(rest) in ("empty", "none", "nothing"):
        return Pile(zone, owner, "is")
    number = re.fullmatch(r"(\d+)(?: cards?)?", rest)
    if number is not None and names.find("Card", rest) is None:
        return Pile(zone, owner, "count", (), int(number[1]))
    how = "is"
    for word in ("top", "bottom", "has", "without"):
        more = after(rest, word)
        if more:
            how, rest = word, more
            break
    return Pile(zone, owner, how, read_cards(names, rest))


def read_cards(names: Names, text: str) -> tuple[int, ...]:
    """`Lunge, 10 Rush` as faces. A card's own name may hold commas and numbers."""
    faces: list[int] = []
    parts = pieces(text, ",")
    while parts:
        for size in range(len(parts), 0, -1):
            name = ", ".join(parts[:size])
            face = names.find("Card", name)
            copies = re.match(r"(\d+)(?:\s*x)?\s+(.*)$", name) if face is None else None
            if copies is not None:
                face = names.find("Card", copies[2])
            if face is not None:
                faces += [face] * (int(copies[1]) if copies else 1)
                del parts[:size]
                break
        else:
            raise names.unknown("card", parts[0], names.words("Card"))
    return tuple(faces)


def _plain(names: Names, subject: Subject, text: str) -> list[Item]:
    if subject.kind == "Actor":
        found = _of_actor(names, subject.id, text)
        if found is not None:
            return found
    return [_value(names, subject, text)]


def _of_actor(names: Names, actor: int, text: str) -> list[Item] | None:
    low = " ".join(text.casefold().split())
    if low in ("in play", "out of play", "not in play"):
        return [InPlay(actor, low == "in play")]
    for word, op in (("not at", "!="), ("at", "=")):
        rest = after(text, word)
        if rest:
            where, _, facing = rest.partition(" facing ")
            items: list[Item] = [_builtin(names, actor, "place", op, where)]
            if facing:
                items.append(_builtin(names, actor, "facing", "=", facing))
            return items
    if low == "nowhere":
        return [_builtin(names, actor, "place", "=", "none")]
    rest = after(text, "seat")
    if rest:
        return [_builtin(names, actor, "controller", "=", rest)]
    denied = after(text, "not")
    found = names.leading(denied or text, names.statuses())
    if found is None:
        return None
    status, rest = found
    longer = names.leading(text, names.fields("Actor"))
    if longer is not None and len(longer[1]) < len(rest):
        return None
    return [_status(names, status, actor, denied is None, rest)]


def _builtin(names: Names, actor: int, name: str, op: str, text: str) -> Value:
    field = names.field("Actor", name)
    if field is None or field.holds is None:
        raise NameProblem(f"nothing in this book has a {name}")
    return Value(field, actor, op, names.thing(field.holds, text.strip()), True)


def _status(names: Names, status: StatusSheet, actor: int, yes: bool, rest: str) -> HasStatus:
    shape = re.fullmatch(
        r"(?P<stacks>\d+)?(?: ?stacks?)?\s*(?:for (?P<turns>\d+)(?: turns?)?)?"
        r"\s*(?:(?:with )?power (?P<power>-?\d+))?\s*(?:(?:by|from) (?P<source>.+))?",
        rest,
        re.I,
    )
    if shape is None:
        raise NameProblem(
            f"'{rest}' does not fit after {status.name}; write `{status.name} 2 for 3 turns by NAME`", rest
        )
    given = {key: int(value) if (value := shape[key]) else None for key in ("stacks", "turns", "power")}
    source = names.thing("Actor", shape["source"]) if shape["source"] else None
    return HasStatus(status, actor, yes, source=source, **given)


def _value(names: Names, subject: Subject, text: str) -> Value:
    rest = after(text, "stored")
    stored = rest is not None
    wanted = rest if rest is not None else text
    candidates = names.fields(subject.kind)
    found = names.leading(wanted, candidates)
    if found is None:
        known = [
            *candidates,
            *names.zones(subject.kind),
            *(names.statuses() if subject.kind == "Actor" else []),
        ]
        name = re.split(r"\s+(?=[-\d=<>!])", wanted)[0]
        close = names.unknown(f"resource, zone or status of {subject.name}", name, [n for n, _ in known])
        raise close
    field, rest = found
    index = subject.id
    if len(field.of) == 2:
        named = names.leading(
            after(rest, "of") or rest, [(n, i) for i, n in enumerate(names.words(field.of[1]))]
        )
        if named is None:
            raise NameProblem(
                f"{field.name} has two owners: write `{field.name} of {field.of[1].upper()} number`", wanted
            )
        second, rest = named
        index = subject.id * field.counts[1] + second
    elif not field.of:
        index = 0
    shape = VALUE.match(rest.removeprefix(":").strip())
    assert shape is not None
    op, value = COMPARISONS.get(shape[1] or "=", shape[1] or "="), shape[2].strip()
    if not value:
        raise NameProblem(f"say what {field.name} is", wanted)
    return Value(field, index, op, _amount(names, field, value), stored)


def _amount(names: Names, field: Field, text: str) -> int:
    if field.holds is not None:
        return names.thing(field.holds, text)
    plain = text.replace("−", "-")
    if re.fullmatch(r"[+-]?\d+", plain):
        return int(plain)
    if text.casefold() in MARKS:
        return MARKS[text.casefold()]
    raise NameProblem(f"{field.name} is a number, not '{text}'", text)
