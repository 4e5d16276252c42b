"""Dice -> rolls: sums, tallies of faces, and the face that a test came up with.

In:  Dice, LetTally, TallyNum, the natural face.
Out: calls of the kernels for dice; roll_noted, which notes the first face where a book may ask for it.
"""

from __future__ import annotations

from contextlib import nullcontext

from rulewright.book import tree as t
from rulewright.book.hidden import rolls
from rulewright.book.symbols import norm
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.lower.builder import Builder, var
from rulewright.lower.dispatch import NUMBERS, STATEMENTS, lowers, number
from rulewright.lower.secrets import audience, goes, hide, told_to
from rulewright.lower.writer import Writer, call, const, equal, local, param, state


@lowers(NUMBERS, t.Dice)
def dice(b: Builder, w: Writer, e: t.Dice) -> n.Expr:
    """Dice note their first face where a book may ask for it."""
    site = const(w.site)
    if not b.facts.natural and b.often is None and isinstance(e.count, t.Num) and e.count.value == 1:
        return call("roll", number(b, w, e.sides), site)
    count = number(b, w, e.count)
    if b.often is not None:
        count = count * call(b.name_of(b.often), local("self"))
    return call("roll_noted" if b.facts.natural else "roll_sum", count, number(b, w, e.sides), site)


def harm(b: Builder, w: Writer, s: t.SetNumber) -> n.Expr:
    """A loss of the target: dice as often as the role `dice` says."""
    owner = s.target.owners[0] if s.target.owners else None
    if isinstance(owner, t.TLocal) and owner.name == "target":
        b.often = b.symbols.roles.dice
    try:
        return number(b, w, s.value)
    finally:
        b.often = None


def draws(b: Builder, w: Writer, value: t.Num_) -> tuple[n.Expr, n.Expr, n.Expr] | None:
    """How many dice, and the lowest and highest face of each; None where there is more to it than dice."""
    if not isinstance(value, t.Dice) or rolls(value.count) or rolls(value.sides):
        return None
    return number(b, w, value.count), const(1), number(b, w, value.sides)


@lowers(NUMBERS, t.NaturalFace)
def natural(b: Builder, w: Writer, e: t.NaturalFace) -> n.Expr:
    assert b.facts.natural
    return state(b.facts.natural + (1 if e.what == "die" else 0))


def roll_function(b: Builder) -> None:
    """roll_noted(count, sides, site): as roll_sum, noting the first face since the last reset."""
    if not b.facts.natural:
        return
    with b.function("roll_noted", ("count", "sides", "site")) as w:
        w.assign("total", 0)
        with w.while_(local("count") > 0):
            w.assign("face", call("roll", local("sides"), local("site")))
            with w.if_(equal(state(b.facts.natural + 1), 0)):
                w.store(b.facts.natural, local("face"))
                w.store(b.facts.natural + 1, local("sides"))
            w.assign("total", local("total") + local("face"))
            w.assign("count", local("count") - 1)
        w.give(local("total"))


@lowers(STATEMENTS, t.ForgetNatural)
def forget_natural(b: Builder, w: Writer, s: t.ForgetNatural) -> None:
    if b.facts.natural:
        w.store(b.facts.natural, 0)
        w.store(b.facts.natural + 1, 0)


@lowers(NUMBERS, t.TallyNum)
def tally(b: Builder, w: Writer, e: t.TallyNum) -> n.Expr:
    """A number read from a tally of dice."""
    names = tally_names(b, e.local, e.die)
    if e.highest is not None:
        args = tuple(local(x) for x in names)
        values = face_values(b, e.die)
        return call(highest(b, len(names), values), number(b, w, e.highest), *args)
    if e.column:
        die = b.symbols.dice[e.die]
        at = b.layout.columns[(die.name, norm(e.column))]
        made: n.Expr = const(0)
        for i, name in enumerate(names):
            made = made + local(name) * param(at + i)
        return made
    made = const(0)
    for i in e.faces:
        made = made + local(names[i])
    return made


def face_values(b: Builder, die: str) -> list[int]:
    """What the faces are worth, for `highest`."""
    if die.startswith("d"):
        return list(range(1, int(die[1:]) + 1))
    column = next((c for c in b.symbols.dice[die].columns.values() if c.type == t.NUMBER), None)
    return list(column.values) if column else [0] * len(b.symbols.dice[die].words)


def highest(b: Builder, faces: int, values: list[int]) -> str:
    """A function that sums the best dice of a tally."""
    name = f"highest_{faces}_" + "_".join(str(v).replace("-", "m") for v in values)
    if name not in b.functions:
        with b.function(name, ("count", *(f"n{i}" for i in range(faces)))) as w:
            w.assign("total", 0)
            for i in sorted(range(faces), key=lambda k: -values[k]):
                w.assign("took", call("minimum", local("count"), local(f"n{i}")))
                w.assign("total", local("total") + local("took") * values[i])
                w.assign("count", local("count") - local("took"))
            w.give(local("total"))
    return name


def tally_names(b: Builder, name: str, die: str) -> list[str]:
    """One local a face."""
    faces = int(die[1:]) if die.startswith("d") else len(b.symbols.dice[die].words)
    return [f"{var(name)}_f{i}" for i in range(faces)]


@lowers(STATEMENTS, t.LetTally)
def let_tally(b: Builder, w: Writer, s: t.LetTally) -> None:
    """Roll so many dice and count the faces."""
    into = goes(w, s)
    with told_to(w, audience(b, w, into)) if into is not None else nullcontext():
        _let_tally(b, w, s)
    if into is not None:
        seats = w.temp(audience(b, w, into), "seats")
        for name in tally_names(b, s.local, s.die):
            hide(w, name, local(seats))


def _let_tally(b: Builder, w: Writer, s: t.LetTally) -> None:
    names = tally_names(b, s.local, s.die)
    sides = len(names)
    die = 0 if s.die.startswith("d") else list(b.symbols.dice).index(s.die) + 1
    for name in names:
        w.assign(name, 0)
    left = w.temp(number(b, w, s.count), "dice")
    with w.while_(local(left) > 0):
        face = w.temp(call("rnd", sides), "face")
        w.event(ev.ROLL, sides, local(face), die)
        for i, name in enumerate(names):
            with w.if_(equal(local(face), i)):
                w.assign(name, local(name) + 1)
        w.assign(left, local(left) - 1)
