"""Paths that an action declares step by step.

In:  Declared with a PathSpec, and what is still to be declared after it.
Out: path_X (can the path be completed from here?) and the decisions, one a step.

Where what comes after asks nothing of the path itself, it is enough that some path ends well: all spaces of
one step are looked at, then those of the next. Otherwise path after path is tried.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.walk import expressions
from rulewright.lower.builder import Builder, like, var
from rulewright.lower.choices import ask, chosen_part, decider_of, offer
from rulewright.lower.dispatch import check, number
from rulewright.lower.paths import cleared, grid
from rulewright.lower.spaces import step_size
from rulewright.lower.template import fill
from rulewright.lower.templates import paths as templates
from rulewright.lower.terms import here, neighbour
from rulewright.lower.writer import Writer, absent, both, call, const, differ, local, present

SO_FAR = like(t.PATH, "so_far")
"""The local that holds a declared path as far as it has come."""


def declared_names(a: t.ActionSym) -> list[str]:
    """The locals of what an action declares."""
    return [var(p.name, p.type) for p in a.params]


# ------------------------------------------------------------ can it be completed?
def path_ok(b: Builder, a: t.ActionSym, d: t.Declared, following: str) -> str:
    """path_X(self, declared.., so far, at, steps): can the path be completed from here?"""
    params = ("self", *declared_names(a), SO_FAR, "at", "steps")
    rest = n.Call(following, tuple(local(p) for p in params[:-3]))

    def build(w: Writer) -> None:
        assert d.path is not None
        w.site = b.site(a.definition.line.number)
        if d.path.straight or asks_for(b, following, params.index(var(d.name, d.type))):
            _try_each(b, w, d, w.name, rest, params)
        else:
            _try_all(b, w, d.path, rest)

    return b.once(f"path_{following}", params, build)


def asks_for(b: Builder, name: str, place: int) -> bool:
    """Whether a function looks at what it is given at this place, and does not only hand it on."""
    seen: set[tuple[str, int]] = set()

    def looks(name: str, place: int) -> bool:
        if (name, place) in seen:
            return False
        seen.add((name, place))
        function = b.functions.get(name)
        if function is None or not function.body:
            return True
        given = local(function.params[place])
        found = expressions(function.body)
        handed = [
            (x.name, k) for x in found if isinstance(x, n.Call) for k, y in enumerate(x.args) if y == given
        ]
        return found.count(given) > len(handed) or any(looks(*x) for x in handed)

    return looks(name, place)


def _try_each(b: Builder, w: Writer, d: t.Declared, name: str, rest: n.Call, params: tuple[str, ...]) -> None:
    """One path after the other."""
    assert d.path is not None
    with w.if_(both([local("steps") >= number(b, w, d.path.least), may_end(b, w, d.path)])):
        w.assign(var(d.name, d.type), local(SO_FAR))
        w.give_if(rest, 1)
    w.give_if(local("steps") >= most_steps(b, w, d.path))
    w.assign("d", 0)
    with w.while_(local("d") < b.layout.directions):
        w.assign("to", step_to(b, w, d.path))
        with w.if_(present(local("to"))):
            more = (_further(), local("to"), local("steps") + 1)
            w.give_if(call(name, *(local(p) for p in params[:-3]), *more), 1)
        w.assign("d", local("d") + step_size(b))
    w.give(0)


def _try_all(b: Builder, w: Writer, path: t.PathSpec, rest: n.Call) -> None:
    """Every space that can be reached, however the path goes."""
    w.give_if(n.Not(rest))
    least = w.temp(number(b, w, path.least), "least")
    most = w.temp(most_steps(b, w, path), "most")
    w.give_if(both([local("steps") >= local(least), may_end(b, w, path)]), 1)
    room = max(1, len(b.symbols.spaces))
    marks = b.memory(3 * room + 1)
    fill(w, templates.some_end, {
        **grid(b), "MARKS": marks, "WAITING": marks + room, "LAST": 2 * room, "LEAST": least, "MOST": most,
        "NEXT": lambda: step_to(b, w, path), "ENDS": lambda: may_end(b, w, path, "to"),
        "CLEAR": lambda: cleared(b, w, marks, 0),
    })  # fmt: skip


def _further() -> n.Expr:
    """The path with one step more, in direction d."""
    return local(SO_FAR) * 8 + local("d")


def most_steps(b: Builder, w: Writer, path: t.PathSpec) -> n.Expr:
    """How long the path may be; where that is worked out during the match, no longer than a path can be."""
    most = number(b, w, path.most)
    if isinstance(path.most, t.Num):
        return most
    return call("minimum", most, t.PATH_STEPS)


def may_end(b: Builder, w: Writer, path: t.PathSpec, at: str = "at") -> n.Expr:
    """May the path end on this space?"""
    if path.ending is None:
        return const(1)
    w.assign(var(path.it), local(at))
    return check(b, w, path.ending)


def step_to(b: Builder, w: Writer, path: t.PathSpec) -> n.Expr:
    """The space one step on in direction d, or -1 when that step is not allowed."""

    def build(c: Writer) -> None:
        c.assign(var(path.it), neighbour(local("at"), local("d")))
        c.assign("v_from", local("at"))
        bad = absent(local(var(path.it)))
        if path.straight:
            turned = n.Pick(
                local(SO_FAR) > 1,
                differ(local(SO_FAR) % 8, local("d")),
                const(0),
            )
            bad = n.Pick(bad, const(1), turned)
        c.give_if(bad, -1)
        if path.through is not None:
            c.give_if(n.Not(check(b, c, path.through)), -1)
        c.give(local(var(path.it)))

    return b.closure("step", build, w.site)


# ------------------------------------------------------------ declaring
def declare_path(
    b: Builder, w: Writer, a: t.ActionSym, d: t.Declared, following: str, args: tuple[n.Expr, ...]
) -> None:
    """Step by step; each step is offered only if the path can still be completed."""
    assert d.path is not None
    spec = d.path
    completed = path_ok(b, a, d, following)
    w.assign(SO_FAR, 1)
    w.assign("at", here(b))
    w.assign("steps", 0)
    with w.counting("steps", most_steps(b, w, spec)):

        def listing(c: Writer) -> None:
            c.assign("d", 0)
            with c.while_(local("d") < b.layout.directions):
                c.assign("to", step_to(b, c, spec))
                goes = call(completed, *args, _further(), local("to"), local("steps") + 1)
                with c.if_(present(local("to"))), c.if_(goes):
                    offer(c, b.step_verb, local("to"), local("d"))
                c.assign("d", local("d") + step_size(b))
            with c.if_(both([local("steps") >= number(b, c, spec.least), may_end(b, c, spec)])):
                c.assign(var(d.name, d.type), local(SO_FAR))
                with c.if_(n.Call(following, args)):
                    offer(c, b.stop_verb)

        ask(b, w, decider_of(b, w, None), d.name, listing)
        w.emit(n.If(differ(chosen_part(), b.step_verb), (n.Break(),)))
        w.assign(SO_FAR, local(SO_FAR) * 8 + chosen_part(2))
        w.assign("at", chosen_part(1))
    w.assign(var(d.name, d.type), local(SO_FAR))
