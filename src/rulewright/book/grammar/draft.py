"""A selector while it is being read: words may come in many orders, and the node is made when all are there.

In:  grammar/selectors.py and preferences.py, word by word.
Out: t.Selector.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from rulewright.book import tree as t


@dataclass(slots=True)
class Draft:
    """What is known of a selector so far; the fields of t.Selector."""

    quantifier: str
    it: str
    amount: t.Num_ | None
    line: int
    noun: str = ""
    type: str = "?"
    domain: str = "all"
    domain_args: list[Any] = field(default_factory=list[Any])
    tests: list[t.Cond_] = field(default_factory=list[t.Cond_])
    prefs: list[t.Pref] = field(default_factory=list[t.Pref])
    out_of_play: bool = False
    anywhere: bool = False
    lots: bool = False
    lots_for: t.Cond_ | None = None
    lots_order: list[t.Pref] = field(default_factory=list[t.Pref])
    orelse: t.Thing_ | None = None

    def done(self) -> t.Selector:
        """The node."""
        return t.Selector(**{f.name: getattr(self, f.name) for f in fields(self)})
