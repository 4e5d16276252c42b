"""Numbers of a Program in words.

In:  kinds and ids, options' payloads.
Out: names and sentences for people.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.play.knowledge import Knowledge, face_of, find_field

NUMBER = "number"
KEPT = 20_000
"""Options that are kept for the next time they are offered, in all."""
NOTHING = "nothing"
UNKNOWN = -1
"""The id that stands for a card which the reader may not identify."""

_SLOT = re.compile(r"\{(\d)(?::([^}|]*))?(?:\|([^}]*))?\}")


@dataclass(frozen=True, slots=True)
class Thing:
    """Something an option or a log line is about: an actor, a card, a space, or a plain number."""

    kind: str
    id: int
    name: str


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that may be chosen: a verb of the book and the things it is done with."""

    index: int
    verb: int
    things: tuple[Thing, ...]
    text: str


def name_of(program: Program, kind: str, number: int, slots: Sequence[int] = ()) -> str:
    """The name of a thing; numbers are their own names, and a card is called what its face says.

    Faces may be given out during play, so the name of a card needs the slots of a state.
    """
    if kind == NUMBER:
        return str(number)
    if kind == "Seat":
        return f"seat {number + 1}"
    if kind == "Card":
        if number == UNKNOWN:
            return "a hidden card"
        face = face_of(program, slots, number) if slots or program.sheet.faces else -1
        if face >= 0:
            return name_of(program, "Face", face)
    if kind == "Place":
        return f"({number // 128 - 64},{number % 128 - 64})"
    columns = find_field(program, "Space", "x") if kind == "Space" and slots else None
    if (
        columns is not None and 0 <= number < columns.counts[0]
    ):  # laid during play, so where it lies is its name
        rows = find_field(program, "Space", "y")
        return f"({slots[columns.base + number]},{slots[rows.base + number] if rows else 0})"
    names = program.sheet.things.get(kind, ())
    if 0 <= number < len(names):
        return names[number]
    return NOTHING if number < 0 else f"{kind} {number}"


def fixed_names(program: Program) -> bool:
    """Whether everything but cards has the same name throughout a match: no space is laid during play."""
    return find_field(program, "Space", "x") is None


def thing(
    program: Program,
    kind: str,
    number: int,
    slots: Sequence[int] = (),
    reader: Knowledge | None = None,
    whole: bool = False,
) -> Thing:
    """A thing as a reader may know it: a card it does not know has no id. Where nothing was kept from the
    reader (`whole`), no id means that there is no card."""
    if kind == "Card" and number < 0 and (whole or reader is not None):
        return Thing(kind, number, NOTHING)
    if kind == "Card" and reader is not None and not reader.knows(number):
        number = UNKNOWN
    return Thing(kind, number, name_of(program, kind, number, slots))


def fill(text: str, things: Sequence[Thing]) -> str:
    """Put names into a text: `{0}` to `{2}`, perhaps with a kind as in `{0:Actor}`; `{0|X}` is X for none."""

    if "{" not in text:
        return text

    def word(found: re.Match[str]) -> str:
        index = int(found[1])
        if index >= len(things):
            return found[0]
        named = things[index]
        return found[3] if found[3] and named.kind != NUMBER and named.name == NOTHING else named.name

    return _SLOT.sub(word, text)


def text_things(
    program: Program,
    text: str,
    values: Sequence[int],
    slots: Sequence[int] = (),
    reader: Knowledge | None = None,
    whole: bool = False,
) -> tuple[Thing, ...]:
    """The things of a text to say, whose slots name their kinds: `{0:Actor}`; `{0}` is a number."""
    kinds = {int(found[1]): found[2] or NUMBER for found in _SLOT.finditer(text)}
    return tuple(
        thing(program, kinds.get(i, NUMBER), value, slots, reader, whole) for i, value in enumerate(values)
    )


def verb_things(
    program: Program,
    payload: Sequence[int],
    slots: Sequence[int] = (),
    reader: Knowledge | None = None,
    whole: bool = False,
) -> tuple[Thing, ...]:
    """The things of an option (verb, a, b, c)."""
    verbs = program.sheet.verbs
    kinds = verbs[payload[0]].args if 0 <= payload[0] < len(verbs) else (NUMBER,) * 3
    pairs = zip(kinds, payload[1:], strict=False)
    return tuple(thing(program, kind, value, slots, reader, whole) for kind, value in pairs)


ASKED = {"act": "choose an action", "react": "react, or decline"}
"""What the two questions are that every book asks."""


def question(program: Program, prompt: str, options: Sequence[Option]) -> str:
    """What is asked, as people read it: in the book's own words, or else what there is to choose from. Where
    a rule only has a name for what is chosen, that name is nobody's business."""
    words = prompt.replace("{", "").replace("}", "")
    if words in ASKED:
        return ASKED[words]
    own = len(words) > 1 and (" " in words or words[0].isupper())
    if own and not any(verb.text.startswith(f"{words}: {{") for verb in program.sheet.verbs):
        return words
    kinds = {thing.kind for option in options for thing in option.things[:1]}
    kind = kinds.pop().lower() if len(kinds) == 1 else "one"
    return f"choose {'' if kind == 'one' else 'an ' if kind[0] in 'aeiou' else 'a '}{kind}"


_options: dict[tuple[str, int, Sequence[int]], Option] = {}
"""Options that read the same in every state."""


def option(index: int, payload: tuple[int, ...], reader: Knowledge) -> Option:
    """An option as a reader may know it."""
    program = reader.program
    key = (program.digest, index, payload)
    made = _options.get(key)
    if made is None:
        things = verb_things(program, payload, reader.slots, reader)
        made = Option(index, payload[0], things, verb_text(program, payload[0], things))
        verbs = program.sheet.verbs
        fixed = 0 <= payload[0] < len(verbs) and "Card" not in verbs[payload[0]].args
        if program.digest and fixed and fixed_names(program):
            if len(_options) >= KEPT:
                _options.clear()
            _options[key] = made
    return made


def verb_text(program: Program, verb: int, things: Sequence[Thing]) -> str:
    """What an option says."""
    verbs = program.sheet.verbs
    if not 0 <= verb < len(verbs):
        return " ".join([f"option {verb}", *(thing.name for thing in things)])
    return fill(verbs[verb].text, things)
