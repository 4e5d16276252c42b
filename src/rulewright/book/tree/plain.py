"""Statements that hold no others: with cards, statuses, features, places, orders, time."""

from __future__ import annotations

from typing import Any

from rulewright.book.tree.base import Cond_, Num_, Stmt_, Thing_
from rulewright.book.tree.declared import Component, Moment
from rulewright.book.tree.selectors import Pref, Selector


class MoveCard(Stmt_):
    card: Thing_ | Selector
    zone: str
    owner: Thing_ | None
    bottom: bool = False


class CreateCard(Stmt_):
    face: Thing_
    zone: str
    owner: Thing_ | None


class DestroyCard(Stmt_):
    card: Thing_ | Selector


class ShuffleZone(Stmt_):
    zone: str
    owner: Thing_ | None


class BuildDeck(Stmt_):
    """Create every card of a deck: one by its name, or that of a word."""

    zone: str
    owner: Thing_ | None
    deck: str | Thing_


class RevealCard(Stmt_):
    """To somebody, or to everybody."""

    card: Thing_ | Selector
    to: Thing_ | None


class GiveStatus(Stmt_):
    who: Thing_
    status: str | Thing_
    stacks: Num_
    turns: Num_
    power: Num_
    by: Thing_ | None
    until: Moment | None
    count: Num_ | None


class LoseStatus(Stmt_):
    who: Thing_
    status: str | Thing_


class Cleanse(Stmt_):
    """Lose every status."""

    who: Thing_


class GainFeature(Stmt_):
    who: Thing_
    feature: str | Thing_
    until: Moment | None
    count: Num_ | None


class LoseFeature(Stmt_):
    who: Thing_
    feature: str | Thing_


class MoveActor(Stmt_):
    """Put somebody who is in play on a space."""

    who: Thing_ | Selector
    space: Thing_


class Swap(Stmt_):
    """Two actors change places."""

    a: Thing_
    b: Thing_


class Walk(Stmt_):
    """Go along a path, as long as the next space passes the check."""

    path: Thing_
    it: str
    past: Cond_ | None


class PutInPlay(Stmt_):
    who: Thing_ | Selector
    space: Thing_ | None


class TakeFromPlay(Stmt_):
    who: Thing_ | Selector


class TakeControl(Stmt_):
    """Whoever decides for one actor decides for another, too."""

    who: Thing_
    whom: Thing_
    until: Moment | None


class SetFacing(Stmt_):
    who: Thing_
    direction: Thing_


class SetSide(Stmt_):
    who: Thing_
    side: Thing_


class SetTerrain(Stmt_):
    space: Thing_
    terrain: Thing_


class UseMap(Stmt_):
    """From now on play is on this map."""

    map: int


class LaySpace(Stmt_):
    place: Thing_


class LayPlan(Stmt_):
    """Lay the spaces of a plan."""

    plan: str


class UnlaySpaces(Stmt_):
    """Take all laid spaces away."""


class AppendToOrder(Stmt_):
    who: Thing_ | Selector
    order: str


class InsertInOrder(Stmt_):
    who: Thing_ | Selector
    order: str
    place: Num_


class JoinOrder(Stmt_):
    """Into an order, where these preferences put them."""

    who: Thing_ | Selector
    order: str
    it: str
    prefs: list[Pref]


class LeaveOrder(Stmt_):
    who: Thing_ | Selector
    order: str


class ReverseOrder(Stmt_):
    order: str


class ClearOrder(Stmt_):
    order: str


class Expire(Stmt_):
    """Bring a moment about for somebody: what lasts until then ends."""

    moment: Moment
    who: Thing_


class UndoAll(Stmt_):
    """Whatever lasts for a time ends now."""


class Forget(Stmt_):
    """The actor is as it was printed."""

    who: Thing_


class Settle(Stmt_):
    """Fix the numbers that count from the start."""

    who: Thing_


class ForgetNatural(Stmt_):
    """No die has shown a face yet."""


class Restart(Stmt_):
    """Run the innermost sequence again from its first step, with other arguments."""

    sequence: Component
    args: list[Any]
