"""Numbers that remember where they come from.

In:  what a tracer meets while it runs rules: dice, fields, printed numbers, sums of them, tests.
Out: `Term`, an int with a history, and `Test`, a comparison with its two sides.

A Term is an int, so rules compute with it as with any other; only sums, names and tests are remembered,
because they are what people would write down: "14 + 5 >= 11".
"""

from __future__ import annotations

from dataclasses import dataclass

DIE, FIELD, CARD, NAMED, SUM = "die", "field", "card", "named", "sum"
BOUNDED, TRUTH, TALLY, KEPT = "bounded", "truth", "tally", "kept"


class Term(int):
    """A number and its history. What the other attributes hold depends on `kind`."""

    kind: str
    label: str
    """DIE: d20. CARD: the face. NAMED: what the book calls it. SUM: the operator."""
    left: int
    """SUM: its sides. NAMED: what it stands for. BOUNDED: what it would be without its bounds.
    TALLY: the same before its last die, which is `right`."""
    right: int
    site: int
    place: tuple[int, int]
    """FIELD: number of the field and of its owner. CARD: the card. DIE: the number of its event.
    TALLY: number of the handful and of the face. KEPT, a secret that a rule holds: who may know it."""
    test: Test | None
    """TRUTH: what made it so."""
    chance: bool
    """Whether dice or cards had a part in it."""


def term(
    value: int,
    kind: str,
    label: str = "",
    left: int = 0,
    right: int = 0,
    site: int = 0,
    place: tuple[int, int] = (-1, -1),
    chance: bool = False,
    test: Test | None = None,
) -> Term:
    """A number with its history."""
    made = Term(value)
    made.kind, made.label, made.left, made.right = kind, label, left, right
    made.site, made.place, made.chance, made.test = site, place, chance, test
    return made


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison that was made."""

    op: str
    left: int
    right: int
    holds: bool
    site: int
    at: int
    """How many events had happened."""

    @property
    def chance(self) -> bool:
        """Whether dice or cards decided it."""
        return by_chance(self.left) or by_chance(self.right)


def by_chance(value: int) -> bool:
    """Whether dice or cards had a part in a number."""
    return isinstance(value, Term) and value.chance


def truth(value: int, because: int) -> int:
    """A plain 0 or 1 that is so because of something else."""
    if isinstance(value, Term) or not isinstance(because, Term) or because.test is None:
        return value
    return term(value, TRUTH, test=because.test)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One number of a sum, with its sign; the rule that it stands in, for those that are nobody's."""

    sign: int
    value: int
    site: int


def leaves(value: int, site: int = 0, sign: int = 1) -> list[Leaf]:
    """The numbers that were added and taken away, in the order of the rule; nothing that is 0 by itself."""
    if isinstance(value, Term) and value.kind == SUM and value.label in "+-":
        other = -sign if value.label == "-" else sign
        return [*leaves(value.left, value.site, sign), *leaves(value.right, value.site, other)]
    if not isinstance(value, Term) and value < 0:
        return [Leaf(-sign, -value, site)]
    return [Leaf(sign, value, site)] if value or isinstance(value, Term) else []


def parts(value: int) -> list[Term]:
    """Every Term that a number is made of."""
    found: list[Term] = []
    waiting: list[int] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Term):
            found.append(one)
            waiting += [one.left, one.right]
            if one.test is not None:
                waiting += [one.test.left, one.test.right]
    return found
