"""Which actions are legal: names and verbs of all actions, and whether a declaration can be completed.

In:  ActionSym.
Out: for an action A: legal_A (may it be begun at all?), req_A (do its requirements hold for what is
     declared?) and ok_A_k (can the declaration be completed from its part k on?).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.walk import mentions
from rulewright.ir import nodes as n
from rulewright.ir.sheet import Asked, Condition
from rulewright.lower.bearing import bears
from rulewright.lower.builder import Builder, identifier, var
from rulewright.lower.conditions import condition, conjuncts, lacking, names_of, told
from rulewright.lower.declared import declared_names, path_ok
from rulewright.lower.dispatch import block, check, number
from rulewright.lower.facts import all_actions
from rulewright.lower.selectors import listed
from rulewright.lower.terms import face_of, here
from rulewright.lower.writer import Writer, both, call, const, equal, local, state


def prepare_actions(b: Builder) -> None:
    """Names and verbs of all actions."""
    for a in (*all_actions(b.symbols), *b.symbols.face_actions.values()):
        b.action_name[id(a)] = b.fresh("a_" + identifier(norm(a.name)))
    b.pass_verb = b.verb("pass")
    b.decline_verb = b.verb("decline")
    b.step_verb = b.verb("step to {0}", (t.SPACE,))
    b.stop_verb = b.verb("stop here")
    for a in all_actions(b.symbols):
        first = a.declares[0] if a.declares else None
        site = b.site(a.definition.line.number, a.definition)
        if first is None or first.path is not None:
            b.action_verb[id(a)] = b.verb(a.name, (), site)
        elif first.orelse:
            b.action_verb[id(a)] = b.verb(f"{a.name}: {{0|{first.orelse}}}", (first.type,), site)
        else:
            b.action_verb[id(a)] = b.verb(f"{a.name}: {{0}}", (first.type,), site)
    _naming(b)


def _naming(b: Builder) -> None:
    """Verbs that name the actor, if somewhere several actors choose together."""
    for a in all_actions(b.symbols) if b.facts.together else ():
        first = a.declares[0] if a.declares and a.declares[0].path is None else None
        site = b.site(a.definition.line.number, a.definition)
        text = f"{{1}}: {a.name}" + (": {0}" if first is not None else "")
        b.among_verb[id(a)] = b.verb(text, (first.type if first is not None else t.ACTOR, t.ACTOR), site)


# ------------------------------------------------------------ legality
def legal(b: Builder, a: t.ActionSym) -> None:
    """legal_A(self): may this actor think of it at all? Ownership, limit, window, bans."""
    said: list[tuple[Condition, ...]] = []
    with b.function("legal_" + b.action_name[id(a)], ("self",), a.definition) as w:
        owned = [
            k for k, tpl in b.symbols.templates.items() if any(norm(x) == norm(a.name) for x in tpl.actions)
        ]
        if a.offered is not None:
            w.give_if(n.Not(call(bears(b, a.offered), local("self"))))
            said.append(())
        elif (owned or b.symbols.owned) and norm(a.name) not in b.symbols.common:
            values = [
                1 if any(b.layout.is_a(actor.template, k) for k in owned) else 0 for actor in b.symbols.actors
            ]
            at = b.layout.table(f"owns {norm(a.name)}", values)
            w.give_if(equal(n.Load("K", at + local("self")), 0))
            said.append(())
        if a.limit is not None:
            used = limit_slot(b, a)
            now = state(b.layout.serial[id(a.limit)])
            w.give_if(equal(state(used + local("self")), now) & (now > 0))
            said.append((Condition(f"only once per {a.limit.name}"),))
        for rules, forbid in bans(b, a):
            if forbid.where is None:
                w.give_if(call(bears(b, rules), local("self")))
                said.append(())
        if a.windows and a.kind == "Reaction":
            w.give_if(n.Not(_window_open(b, a)))
            said.append((_answers(b, a),))
        if a.trigger is not None and not _speaks_of(a, a.trigger):
            w.give_if(n.Not(check(b, w, a.trigger)))
            said.append(told(b, a.trigger, names_of(a)))
        w.give(1)
    b.asked[w.name] = Asked(tuple(said), action=True)


def _answers(b: Builder, a: t.ActionSym) -> Condition:
    """What it can be taken in answer to."""
    said = re.split(r",?\s+where\b", a.definition.said("trigger"))[0].removeprefix("window").strip()
    return Condition(f"it answers {said or ' or '.join(a.windows)}, which does not happen now")


def _window_open(b: Builder, a: t.ActionSym) -> n.Expr:
    """Is one of the windows open that it waits for?"""
    made: n.Expr = const(0)
    for name in a.windows:
        made = n.Pick(equal(state(b.layout.window), b.symbols.windows.get(name, -2)), const(1), made)
    return made


def fits(b: Builder, a: t.ActionSym | None, face: t.ActionSym) -> bool:
    """Can the action be taken with this printed card? One with a Trigger waits for a window."""
    if a is None or not any(f.windows for f in b.symbols.face_actions.values()):
        return True
    return bool({*face.windows} & {*a.windows}) if a.kind == "Reaction" else not face.windows


def _speaks_of(a: t.ActionSym, check: Any) -> bool:
    return any(mentions(check, norm(p.name).lower()) for p in a.params)


def limit_slot(b: Builder, a: t.ActionSym) -> int:
    """Where the serial number of the last use is kept, one an actor."""
    if id(a) not in b.limits:
        b.limits[id(a)] = b.layout.slots(b.layout.actors)
    return b.limits[id(a)]


def bans(b: Builder, a: t.ActionSym) -> list[tuple[t.Rules, t.Forbid]]:
    """What forbids the action."""
    key = norm(a.name)
    return [(r, f) for r in b.symbols.rules for f in r.forbids if f.action in ("*", key)]


def requires(b: Builder, a: t.ActionSym) -> None:
    """req_A(self, declared...): the whole declaration is legal and payable."""
    with b.function("req_" + b.action_name[id(a)], ("self", *declared_names(a)), a.definition) as w:
        block(b, w, a.lets)
        asked = [*conjuncts(b, a.requires)] if a.requires is not None else []
        if a.trigger is not None and _speaks_of(a, a.trigger):
            asked += conjuncts(b, a.trigger)
        tests = [check(b, w, one) for one in asked]
        said = [condition(b, one, names_of(a)) for one in asked]
        banned = bans(b, a)
        if banned:
            w.assign("v_action", a.index)
        for rules, forbid in banned:
            if forbid.where is not None:
                tests.append(n.Not(both([call(bears(b, rules), local("self")), check(b, w, forbid.where)])))
                said.append(Condition(f"'{rules.name}' forbids it", number=True))
        w.give(n.Pick(both(tests), const(1), const(0)))
    b.asked[w.name] = Asked((tuple(said),), action=True)


def okay(b: Builder, a: t.ActionSym, k: int, face: t.ActionSym | None = None, j: int = 0) -> str:
    """ok function: the first k declarations (and j of the card's own) are made; can the rest be?"""
    tail = f"_{k}" if face is None else f"_{k}_{b.action_name[id(face)]}_{j}"
    name = "ok_" + b.action_name[id(a)] + tail
    return b.once(name, ("self", *declared_names(a)), lambda w: _okay(b, w, a, k, face, j))


def _okay(b: Builder, w: Writer, a: t.ActionSym, k: int, face: t.ActionSym | None, j: int) -> None:
    w.site = b.site(a.definition.line.number)
    args = tuple(map(local, w.params))
    declared = face.declares if face is not None else a.declares
    at = j if face is not None else k
    if at >= len(declared):
        if face is not None:
            said: list[tuple[Condition, ...]] = []
            names = names_of(a) | names_of(face)
            with b.within(face.definition):
                for test in (face.requires, face.trigger):
                    if test is not None:
                        w.give_if(n.Not(check(b, w, test)))
                        said.append(told(b, test, names))
                if face.windows:
                    w.give_if(n.Not(_window_open(b, face)))
                    said.append((_answers(b, face),))
            b.asked[w.name] = Asked(tuple(said), action=True)
            w.give(n.Call(okay(b, a, k + 1), args))
        else:
            w.give(n.Call("req_" + b.action_name[id(a)], args))
    elif declared[at].rest:
        _rest(b, w, a, k, args)
    else:
        following = okay(b, a, k + 1) if face is None else okay(b, a, k, face, j + 1)
        with b.within(a.definition if face is None else face.definition):
            names = names_of(a) | ({} if face is None else names_of(face))
            b.asked[w.name] = Asked(((lacking(b, declared[at], names),),), action=True)
        _some(b, w, a, declared[at], following, args)


def _rest(b: Builder, w: Writer, a: t.ActionSym, k: int, args: tuple[n.Expr, ...]) -> None:
    """The chosen card's own declarations come here."""
    printed = w.temp(face_of(b, local(card_of(a))), "face")
    for index, face in b.symbols.face_actions.items():
        w.give_if(
            equal(local(printed), index),
            n.Call(okay(b, a, k, face, 0), args) if fits(b, a, face) else const(0),
        )
    w.give(n.Call(okay(b, a, k + 1), args))


def card_of(a: t.ActionSym) -> str:
    """The declared card of an action."""
    return next((var(p.name, p.type) for p in a.params if t.kind_of(p.type).bearer == "face"), "v_card")


def _some(
    b: Builder, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
) -> None:
    """Is there a value for this declaration with which the rest can be completed?"""
    if d.path is not None:
        w.give(n.Call(path_ok(b, a, d, following), (*args, const(1), here(b), const(0))))
        return
    each_value(b, w, d, lambda _: w.give_if(n.Call(following, args), 1))
    w.give(0)


def each_value(b: Builder, w: Writer, d: t.Declared, body: Callable[[n.Expr], None]) -> None:
    """Everything that is declared so: each number, each candidate, perhaps nobody. Its local holds it."""
    name = var(d.name, d.type)
    if d.selector is None:
        w.assign(name, number(b, w, d.low))
        stop = w.temp(number(b, w, d.high), "stop")
        with w.while_(local(name) <= local(stop)):
            body(local(name))
            w.assign(name, local(name) + 1)
        return
    it = local(var(d.selector.it))

    def one() -> None:
        w.assign(name, it)
        body(local(name))

    listed(b, w, d.selector, one)
    if d.orelse:
        w.assign(name, -1)
        body(const(-1))
