"""Bots for seats: the preferences of a Strategy that plays a seat -> policy functions.

In:  StrategySym.prefers and its value.
Out: policy_0, policy_1 ...: each looks at the options offered now and gives the number of one. Lines
     are tried from the top; of the options that fit a line the best by its preference is taken, the
     first among equals; when no line fits, any option at random. And what a position is worth, where a
     Strategy says so.

A bot sees what its seat sees: a check of a preference may read only what the book shows everybody.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.symbols import StrategySym
from rulewright.ir import nodes as n
from rulewright.ir.program import SEAT
from rulewright.ir.sheet import WORTH
from rulewright.lower.builder import Builder, cell_of, var
from rulewright.lower.dispatch import check, number
from rulewright.lower.keys import if_better
from rulewright.lower.writer import Writer, absent, both, call, const, equal, local, present, state


def policies(b: Builder) -> dict[str, str]:
    """The functions, by the names of their strategies."""
    found = [s for s in b.symbols.strategies.values() if s.seat]
    return {s.name: _policy(b, index, s) for index, s in enumerate(found)}


def _policy(b: Builder, index: int, strategy: StrategySym) -> str:
    with b.function(f"policy_{index}") as w:
        _mine(b, w)
        for prefer in strategy.prefers:
            w.site = b.site(prefer.line, strategy.definition)
            with b.within(strategy.definition):
                _line(b, w, prefer)
        w.give(call("mix", call("nopt")))
    return w.name


def value_function(b: Builder) -> str:
    """The name of the function that gives what a position is worth to the seat that is asked, or "".

    It is asked for every seat at every decision, also for one whose actors are all out of play; a seat that
    leads nobody is told nothing: a half.
    """
    for strategy in b.symbols.strategies.values():
        if strategy.value is None or not strategy.seat:
            continue
        with b.function("value_of_position", (), strategy.definition) as w:
            _mine(b, w)
            _mine(b, w, "led", anywhere=True)
            w.assign("self", call("or_else", local("mine"), local("led")))
            w.give_if(absent(local("self")), (WORTH // 2))
            w.assign("worth", number(b, w, strategy.value))
            w.give_if(absent(local("worth")))
            w.give_if(local("worth") > WORTH, WORTH)
            w.give(local("worth"))
        return w.name
    return ""


def _mine(b: Builder, w: Writer, name: str = "mine", *, anywhere: bool = False) -> None:
    """Options that name no actor are about the first one in play (or anywhere) that the seat controls."""
    w.assign(name, -1)
    w.assign("i", (b.layout.actors - 1))
    with w.while_(present(local("i"))):
        mine = equal(cell_of(b, "!controller", local("i")), state(SEAT))
        in_play = cell_of(b, "!in play", local("i"))
        with w.if_(mine if anywhere else both([in_play, mine])):
            w.assign(name, local("i"))
        w.assign("i", local("i") - 1)


def _verbs(b: Builder, prefer: t.Prefer) -> list[int]:
    """The verbs that a line speaks of."""
    if prefer.action is not None:
        key = id(prefer.action)
        return [b.action_verb[key], *([b.among_verb[key]] if key in b.among_verb else [])]
    found: list[int] = []
    for i, verb in enumerate(b.verbs):
        if prefer.label:
            head = verb.text.partition("{")[0].rstrip(" :")
            fits = verb.text == prefer.label or head == prefer.label
        else:
            fits = verb.args[:1] == (prefer.type,)
        if fits:
            found.append(i)
    return found


def _line(b: Builder, w: Writer, prefer: t.Prefer) -> None:
    verbs = _verbs(b, prefer)
    if not verbs:
        return
    it = var(prefer.it)
    w.assign("i", 0)
    w.assign("best", -1)
    with w.counting("i", call("nopt")):
        w.assign("verb", call("option", local("i"), 0))
        w.assign(it, call("option", local("i"), 1))
        w.assign("self", call("or_else", call("option", local("i"), 2), local("mine")))
        for p in prefer.action.params[:1] if prefer.action is not None else ():
            w.assign(var(p.name, p.type), local(it))
        fits: n.Expr = const(0)
        for verb in verbs:
            fits = n.Pick(equal(local("verb"), verb), const(1), fits)
        tests: list[n.Expr] = [fits]
        if prefer.where is not None:
            tests.append(check(b, w, prefer.where))
        with w.if_(both(tests)):
            _compare(b, w, prefer)
    w.give_if(present(local("best")), local("best"))


def _compare(b: Builder, w: Writer, prefer: t.Prefer) -> None:
    if not prefer.prefs:
        w.give(local("i"))
        return
    if_better(b, w, prefer.prefs, lambda: w.assign("best", local("i")))
