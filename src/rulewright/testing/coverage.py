"""Which rules of a list a book cites, and which its examples cover.

In:  the text of a rules file (each rule's line opens with its number), a book's texts, its examples.
Out: Coverage, counted by series of numbers.

Numbers whose middle part is EX or LV are worked examples themselves: they count as covered when an
example of the book names them in its title or after `covers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rulewright.testing.examples import ID, WorkedExample

DEFINED = re.compile(rf"^\s*(?:[-*]\s+\*{{0,2}}|\|\s*\*{{0,2}}|#+\s*\*{{0,2}}|\*\*)({ID})\b", re.M)
TOKEN = re.compile(rf"\b{ID}\b|\bto\b|-\d{{1,3}}[a-z]?\b")


@dataclass(frozen=True, slots=True)
class Series:
    """The rules whose numbers differ only in the last part."""

    name: str
    rules: tuple[str, ...]
    cited: frozenset[str]
    covered: frozenset[str]


@dataclass(frozen=True, slots=True)
class Coverage:
    """A rules file against a book."""

    rules: tuple[str, ...]
    cited: frozenset[str]
    covered: frozenset[str]
    unknown: tuple[str, ...]
    """Numbers that examples say they cover and the rules file does not define."""

    @property
    def series(self) -> list[Series]:
        """The rules by series, in the order of the file."""
        groups: dict[str, list[str]] = {}
        for rule in self.rules:
            groups.setdefault(rule.rsplit("-", 1)[0], []).append(rule)
        return [
            Series(name, tuple(rules), self.cited & set(rules), self.covered & set(rules))
            for name, rules in groups.items()
        ]


def is_vector(rule: str) -> bool:
    """Whether a number is that of a worked example and not of a rule."""
    return rule.split("-")[1] in ("EX", "LV")


def coverage(rules: str, texts: Iterable[str], examples: Iterable[WorkedExample]) -> Coverage:
    """Compare."""
    defined = tuple(dict.fromkeys(DEFINED.findall(rules)))
    cited = {rule for text in texts for line in text.splitlines() for rule in cited_in(line)}
    covered: dict[str, None] = {}
    for example in examples:
        covered.update(dict.fromkeys((*example.ids, *example.covers)))
    known = set(defined)
    families = {rule.split("-")[0] for rule in defined}
    unknown = tuple(rule for rule in covered if rule not in rules and rule.split("-")[0] in families)
    return Coverage(defined, frozenset(cited & known), frozenset(set(covered) & known), unknown)


def cited_in(line: str) -> list[str]:
    """The rules a line names: `AB-CD-01, -03 to -05`."""
    found: list[str] = []
    series, number, upto = "", 0, False
    for token in TOKEN.findall(line):
        if token == "to":
            upto = bool(series)
            continue
        full = token if re.fullmatch(ID, token) else series + token
        if not re.fullmatch(ID, full):
            continue
        head, tail = full.rsplit("-", 1)
        digits = re.match(r"\d+", tail)
        this = int(digits.group()) if digits else 0
        if upto and head == series:
            width = len(tail.rstrip("abcdefghijklmnopqrstuvwxyz"))
            found += [f"{head}-{n:0{width}}" for n in range(number + 1, this)]
        found.append(full)
        series, number, upto = head, this, False
    return found
