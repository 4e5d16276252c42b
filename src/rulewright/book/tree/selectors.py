"""Selectors: which of several, in which order."""

from __future__ import annotations

from dataclasses import field
from typing import Any

from rulewright.book.tree.base import Cond_, Num_, Part_, Thing_


class Pref(Part_):
    """One ordering: the lowest or highest number first, or things that pass a check first."""

    low: bool
    value: Num_
    per: Num_ | None = None
    """Ratios are compared exactly: value per per (above 0)."""


class Selector(Part_):
    """quantifier noun relations where preference or else"""

    quantifier: str
    noun: str
    type: str
    it: str
    """Name of the local that holds the candidate."""
    amount: Num_ | None = None
    domain: str = "all"
    """all, zone, order, line, path, place"""
    domain_args: list[Any] = field(default_factory=list[Any])
    tests: list[Cond_] = field(default_factory=list["Cond_"])
    prefs: list[Pref] = field(default_factory=list[Pref])
    out_of_play: bool = False
    anywhere: bool = False
    """In play or not."""
    lots: bool = False
    """Who is still equal after the preferences draws lots with one die."""
    lots_for: Cond_ | None = None
    """Only those who pass this take part in it."""
    lots_order: list[Pref] = field(default_factory=list["Pref"])
    """In which order they are counted off."""
    orelse: Thing_ | None = None
    line: int = 0
