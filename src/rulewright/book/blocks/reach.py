"""How far an actor can move by itself, for strategies that only say where to.

In:  a checked book: its actions, and what its features offer.
Out: three components of the framework's contract: `Reach` (a budget, 0 when the actor cannot move),
     `Reach Straight` (1 if only in a straight line) and `Move Out` (do it).

An actor moves by the action that is called like the role `move`, else by the first action it lists that moves
it (an effect with `allowance:` does), else by the first feature that lets it move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulewright.book import tree as t
from rulewright.book.bodies.trees import Trees
from rulewright.book.symbols import norm
from rulewright.book.walk import is_node, parts

if TYPE_CHECKING:
    from rulewright.book.bodies.state import Bodies

STRAIGHT = ", straight"
"""Ends the `allowance:` of an effect that moves in a straight line only."""


def followed(e: object) -> Iterator[object]:
    """Every node of a tree; components that are run are entered."""
    if is_node(e):
        yield e
    for part in parts(e):
        yield from followed(part)
    if isinstance(e, t.Run) and e.component.definition.line.file and allowance(e.component) is None:
        yield from followed(e.component.body)


def allowance(component: t.Component) -> tuple[int, int] | None:
    """Which of its numbers says how far an effect lets somebody move, and 1 if only in a straight line; None
    for what moves nobody, and for words that say neither."""
    said = component.definition.get("allowance")
    if said is None or component.kind != "Effect":
        return None
    names = [f"[{param.name}]" for param in component.params]
    number = said.text.removesuffix(STRAIGHT)
    return (names.index(number), int(said.text.endswith(STRAIGHT))) if number in names else None


def move_of(action: t.ActionSym) -> tuple[t.Num_, int] | None:
    """The first voluntary move in an action's `do`: how far, and 1 if only in a straight line."""
    for x in followed(action.do):
        if isinstance(x, t.Run) and (said := allowance(x.component)) is not None:
            return x.args[said[0]], said[1]
    return None


def surely(e: Any) -> Any:
    """The most an expression can be, dice at their highest: what is possible must be told without rolling."""
    match e:
        case t.Dice(count=count, sides=sides):
            return t.Arith("*", count, sides)
        case t.Arith(op=op, left=left, right=right):
            return t.Arith(op, surely(left), surely(right))
        case t.Final(value=value):
            return t.Final(surely(value))
        case t.Fn(name=name, args=args):
            return t.Fn(name, [surely(a) for a in args])
        case _:
            return e


def free_uses(bodies: Bodies) -> None:
    """Where uses of an action are given away (role `free uses`), its `then` takes nothing for them."""
    s = bodies.symbols
    uses = s.roles.free_uses
    if uses is None:
        return
    for action in s.actions.values():
        names = {name for index, name in s.freed if index == action.index}
        if names:
            owners: list[t.Thing_] = [t.TLocal("self", t.ACTOR), t.TConst("Action", action.index)]
            paid = t.Compare("==", t.ReadRes(uses, owners), t.Num(0, "-"))
            action.then = [_guarded(x, names, paid) for x in action.then]


def _guarded(x: t.Stmt_, names: set[str], paid: t.Cond_) -> t.Stmt_:
    """The statement, with what it takes of these numbers of self only where it is paid for."""
    match x:
        case t.SetNumber(target=t.ReadRes(resource=r, owners=owners), op="-=", until=None) if r.name in names:
            own = not owners or owners[0] == t.TLocal("self", t.ACTOR)
            return t.IfStmt(paid, [x], [], line=x.line) if own else x
        case t.Inline(body=body, line=line):
            return t.Inline([_guarded(y, names, paid) for y in body], line=line)
        case t.RunStmt(run=t.Run(component=component), line=line) if component.definition.line.file:
            plain = component.kind == "Effect" and component.body and not component.params
            return t.Inline([_guarded(y, names, paid) for y in component.body], line=line) if plain else x
        case _:
            return x


def finish(bodies: Bodies) -> None:
    """Fill the three components in, once every action is parsed."""
    s, tree = bodies.symbols, Trees(bodies)
    free_uses(bodies)
    reach: t.Block_ = []
    lines: t.Block_ = []
    moving: t.Block_ = []
    me = tree.me()
    for template in s.templates.values():
        if template.definition.kind != "Actor":
            continue
        found = _action(bodies, template.name)
        if found is None:
            continue
        action, distance, straight = found
        here = t.IsA(me, template.index)
        can = t.CanPerform(me, action, None)
        twice = t.Arith("*", t.Num(2, "-"), surely(distance))
        reach.append(tree.when(here, [tree.when(can, [t.Give(twice)]), tree.give(0)]))
        lines.append(tree.when(here, [tree.give(straight)]))
        moving.append(tree.when(here, [t.Perform(action, None, None), tree.give(1)]))
    for offer in s.offers:
        if offer.allowance is None or offer.offered is None:
            continue
        holds = t.HasFeature(me, offer.offered.index)
        twice = t.Arith("*", t.Num(2, "-"), offer.allowance)
        reach.append(tree.when(holds, [t.Give(twice)]))
        moving.append(tree.when(holds, [t.Perform(offer, None, None), tree.give(1)]))
    for title, block in (("Reach", reach), ("ReachStraight", lines), ("MoveOut", moving)):
        component = s.components.get(title)
        if component is not None:
            component.body = [*block, tree.give(0)]


def _action(bodies: Bodies, name: str) -> tuple[t.ActionSym, t.Num_, int] | None:
    s = bodies.symbols
    listed = [norm(a) for template in reversed(s.lineage(norm(name))) for a in template.actions]
    listed += sorted(s.common, key=lambda k: list(s.actions).index(k) if k in s.actions else 0)
    usual = norm(s.roles.move.name) if s.roles.move else ""
    if usual in listed:
        listed.insert(0, usual)
    for action in (s.actions[k] for k in listed if k in s.actions):
        found = move_of(action)
        if found is not None:
            return action, *found
    return None
