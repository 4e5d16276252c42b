"""Numbers that are only worked out when they are first needed, and maximums that differ by actor.

In:  Symbols of a book with a framework.
Out: for a resource R that starts with more than a plain number: know_R (work the first value out), see_R
     (do that, then read) and peek_R (read only); start_R where a starting value is asked for later; max_R.

An unknown value is a mark in its own slot, so that whatever writes the slot makes it known. Listing
options must not change the state: `settled` gives listings copies of everything they call in which
see_R is peek_R, and has the listing run once for its effect before the decision, where the first look
at a number is one that counts.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import replace
from typing import Any

from rulewright.book import tree as t
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.sheet import UNKNOWN
from rulewright.ir.walk import callers, calls, renamed_calls, statements, uses, with_blocks
from rulewright.lower.bearing import bears
from rulewright.lower.builder import Builder, field_of, identifier
from rulewright.lower.dispatch import CHECKS, NUMBERS, STATEMENTS, lowers, number, thing
from rulewright.lower.facts import is_plain, owner_count, when_needed
from rulewright.lower.numbers import final
from rulewright.lower.terms import guarded, owner_index
from rulewright.lower.writer import Writer, absent, call, const, differ, equal, local, state

ENDLESS = 10**9


# ------------------------------------------------------------ reading
def takes_part(b: Builder, r: t.Resource, owners: list[Any]) -> n.Expr | None:
    """For a copy that the text names: is it in the encounter? None for everybody else."""
    owner = owners[0] if owners else None
    present = b.symbols.roles.present
    if present is None or r.private or not isinstance(owner, t.TConst) or owner.type != t.ACTOR:
        return None
    if not 0 <= owner.id < len(b.symbols.actors) or not b.symbols.actors[owner.id].copy:
        return None
    return state(b.layout.base[b.layout.key(present)] + owner.id) > 0


def stored(b: Builder, key: str, i: n.Expr) -> n.Expr:
    """The store of an owner, worked out if need be."""
    if key in b.facts.lazy:
        return call(f"see_{identifier(key)}", i)
    return field_of(b, key, i, 0)


# ------------------------------------------------------------ functions
def lazy_functions(b: Builder) -> None:
    """know_R, see_R, peek_R, start_R and max_R."""
    for key, r in b.symbols.resources.items():
        if key in b.facts.limited:
            _maximum(b, key, r)
        if key in b.facts.lazy:
            _know(b, key, r)
        if key in b.facts.starts_at:
            with b.function(f"start_{identifier(key)}", ("i",)) as w:
                w.give_if(absent(local("i")))
                if key in b.facts.lazy:
                    w.call(f"know_{identifier(key)}", local("i"))
                w.give(state(b.facts.starts_at[key] + local("i")))


def _know(b: Builder, key: str, r: t.Resource) -> None:
    name = identifier(key)
    base = b.layout.base[key]
    with b.function(f"know_{name}", ("i",), r.definition) as w:
        slot = base + local("i")
        with w.if_(n.Pick(absent(local("i")), const(1), differ(state(slot), UNKNOWN))):
            w.give(0)
        w.store(slot, 0)
        w.assign("self", local("i") if r.of else const(-1))
        w.assign("value", 0)
        for owners, e in _alike(enumerate(b.facts.firsts[key])):
            with w.if_(_one_of(b, owners, owner_count(b.layout, r))):
                w.assign("value", final(b, w, e))
        start = b.facts.starts_at[key] + local("i") if key in b.facts.starts_at else None
        if start is not None:
            w.store(start, local("value"))
        if key in b.facts.limited and not r.own_maximum:
            w.assign("value", call("minimum", local("value"), call(f"max_{name}", local("i"))))
        w.store(slot, local("value"))
        if start is not None:
            w.store(start, local("value"))
        with w.if_(differ(local("value"), 0)):
            w.event(ev.CHANGE, b.layout.field_index[key], local("i"), 0, local("value"))
        w.give(0)
    b.knowing.add(f"know_{name}")
    b.looking[f"see_{name}"] = f"peek_{name}"
    with b.function(f"see_{name}", ("i",)) as w:
        w.give_if(absent(local("i")))
        w.call(f"know_{name}", local("i"))
        w.give(state(slot))
    with b.function(f"peek_{name}", ("i",)) as w:
        w.give_if(n.Pick(absent(local("i")), const(1), equal(state(slot), UNKNOWN)))
        w.give(state(slot))


def _alike(found: Iterable[tuple[int, Any]]) -> Iterable[tuple[list[int], Any]]:
    """Owners of whom the same is said, and what; nobody of whom nothing is."""
    groups: dict[int, tuple[list[int], Any]] = {}
    for i, e in found:
        if e is not None:
            groups.setdefault(id(e), ([], e))[0].append(i)
    return groups.values()


def _one_of(b: Builder, owners: list[int], count: int) -> n.Expr:
    if len(owners) == count:
        return const(1)
    if len(owners) == 1:
        return equal(local("i"), owners[0])
    flags = [1 if i in set(owners) else 0 for i in range(count)]
    at = b.layout.table("owners " + "".join(map(str, flags)), flags)
    return n.Load("K", at + local("i"))


def _maximum(b: Builder, key: str, r: t.Resource) -> None:
    """The sheet's maximum, or else the lowest of the book's."""
    with b.function(f"max_{identifier(key)}", ("i",), r.definition) as w:
        w.give_if(absent(local("i")))
        w.assign("self", local("i") if r.of else const(-1))
        for owners, e in _alike(enumerate(sheet.get(key) for sheet in b.facts.sheets)) if r.of else ():
            with w.if_(_one_of(b, owners, owner_count(b.layout, r))):
                w.give(final(b, w, e))
        w.assign("most", ENDLESS)
        if r.maximum is not None:
            w.assign("most", final(b, w, r.maximum))
        starts = b.facts.starts_at.get(key)
        if r.own_maximum and starts is not None:
            if key in b.facts.lazy:
                w.call(f"know_{identifier(key)}", local("i"))
            w.assign("most", call("minimum", local("most"), state(starts + local("i"))))
        for rules, cap in b.facts.caps.get(key, ()):
            with w.if_(call(bears(b, rules), local("i"))):
                if cap.limit is None:
                    assert starts is not None
                    limit: n.Expr = state(starts + local("i"))
                else:
                    limit = number(b, w, cap.limit)
                w.assign("most", call("minimum", local("most"), limit))
        w.give(local("most"))


# ------------------------------------------------------------ starting and forgetting
def reset_number(b: Builder, w: Writer, key: str, r: t.Resource, i: int | None) -> None:
    """Write how the number of one owner starts; for all copies of an actor when i is None (local i)."""
    for owner in range(owner_count(b.layout, r)) if i is None else (i,):
        e = b.facts.firsts[key][owner]
        slot, start = b.layout.base[key] + owner, b.facts.starts_at.get(key)
        if e is None:
            w.store(slot, 0)
        elif is_plain(e) and (key not in b.facts.lazy or key not in b.facts.limited or r.own_maximum):
            w.store(slot, final(b, w, e))
            if start is not None:
                w.store(start + owner, final(b, w, e))
        else:
            w.store(slot, UNKNOWN)


def starts_by_itself(b: Builder, w: Writer, key: str, r: t.Resource) -> bool:
    """Numbers of a book with a framework: plain ones are there from the start, others wait."""
    if not when_needed(b.symbols) or r.holds or r.private or r.of not in ((), (t.ACTOR,)):
        return False
    reset_number(b, w, key, r, None)
    return True


@lowers(STATEMENTS, t.Settle)
def settle(b: Builder, w: Writer, s: t.Settle) -> None:
    """Fix the numbers that count from the start, in book order."""
    who = w.temp(thing(b, w, s.who), "who")
    for key, r in b.symbols.resources.items():
        if r.settles and key in b.facts.lazy and r.of == (t.ACTOR,):
            w.call(f"know_{identifier(key)}", local(who))


def settled(b: Builder) -> dict[str, n.Function]:
    """Listings only peek; before each listing that would have looked, it looks once."""
    functions = b.functions
    if not b.knowing:
        return functions
    seeing = callers(uses(functions), b.knowing)
    lists = dict.fromkeys(
        call.name
        for function in functions.values()
        for stmt in statements(function.body)
        if isinstance(stmt, n.Ask)
        for call in calls(stmt.listing)
        if call.name in seeing
    )
    told = [name for name in (b.value, *(law.holds for law in b.laws)) if name in seeing]
    if not lists and not told:
        return functions
    copies: dict[str, str] = {}
    work = [*lists, *told]  # in the order of the book, which is then the order of the copies
    while work:
        name = work.pop()
        if name in copies or name not in seeing:
            continue
        copies[name] = b.looking.get(name, name + "__peek")
        if name not in b.looking:
            work += [call.name for call in calls(functions[name].body)]
    made = dict(functions)
    for name, copy in copies.items():
        if copy not in made:
            f = functions[name]
            body = () if name in b.knowing else renamed_calls(f.body, copies)
            made[copy] = replace(f, name=copy, body=body)
    for name in told:  # whoever asks whether a law holds, or what a position is worth, changes nothing
        made[name] = replace(made.pop(copies[name]), name=name)
    return {name: _looking(f, copies, lists) for name, f in made.items()}


def _looking(f: n.Function, copies: dict[str, str], lists: Container[str]) -> n.Function:
    if not any(isinstance(stmt, n.Ask) for stmt in statements(f.body)):
        return f

    def block(stmts: n.Block) -> n.Block:
        made: list[n.Stmt] = []
        for stmt in stmts:
            if isinstance(stmt, n.Ask) and any(call.name in lists for call in calls(stmt.listing)):
                made += [*stmt.listing, n.Do(n.Call("clear_options"), stmt.site)]
                made.append(replace(stmt, listing=renamed_calls(stmt.listing, copies)))
            else:
                made.append(with_blocks(stmt, block))
        return tuple(made)

    return replace(f, body=block(f.body))


@lowers(NUMBERS, t.ReadRes)
def read(b: Builder, w: Writer, e: t.ReadRes) -> n.Expr:
    """The value as the rules see it, worked out first if it is lazy; 0 for a copy that takes no part."""
    key = b.layout.key(e.resource)
    owner = owner_index(b, w, e.resource, e.owners)
    if e.maximum:
        value: n.Expr = call(f"max_{identifier(key)}", owner)
    elif not e.stored and key in b.facts.modified:
        value = call(f"get_{identifier(key)}", owner)
    elif key in b.facts.lazy:
        value = call(f"see_{identifier(key)}", owner)
    else:
        value = guarded(b, owner, e.resource)
    there = takes_part(b, e.resource, e.owners)
    return value if there is None else n.Pick(there, value, const(0))


@lowers(NUMBERS, t.Starting)
def starting(b: Builder, w: Writer, e: t.Starting) -> n.Expr:
    """The value a number started with."""
    return call(f"start_{identifier(b.layout.key(e.resource))}", owner_index(b, w, e.resource, e.owners))


@lowers(CHECKS, t.HasStart)
def has_start(b: Builder, w: Writer, e: t.HasStart) -> n.Expr:
    key = b.layout.key(e.resource)
    flags = [0 if b.facts.firsts[key][i] is None else 1 for i in range(b.layout.actors)]
    at = b.layout.table(f"starts {key}", flags)
    return call("entry_k", at, thing(b, w, e.actor), 0)
