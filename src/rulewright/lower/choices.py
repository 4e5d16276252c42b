"""Decisions -> Ask: listing functions, and what follows each option.

In:  Choose, ChooseMany, LetChoose.
Out: code that stops for a decision.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rulewright.book import tree as t
from rulewright.ir import nodes as n
from rulewright.ir.program import CHOSEN
from rulewright.lower.builder import Builder, field_of, var
from rulewright.lower.dispatch import STATEMENTS, block, check, lowers, number, thing
from rulewright.lower.open_zones import look
from rulewright.lower.secrets import Into, audience, goes, hide, told_to
from rulewright.lower.selectors import listed
from rulewright.lower.writer import Writer, both, call, const, consts, differ, equal, local, state


class Decider(NamedTuple):
    """Who is asked: a seat (-1 when a strategy decides), and the actor it decides for (-1: for none)."""

    seat: n.Expr
    actor: n.Expr


def decider_of(b: Builder, w: Writer, by: Any) -> Decider:
    """Who decides: an actor's controller, or a seat by itself."""
    if isinstance(by, t.SeatOf):
        return Decider(thing(b, w, by), const(-1))
    return controller(b, w.temp(thing(b, w, by), "whom") if by is not None else None)


def controller(b: Builder, actor: str | None) -> Decider:
    """Who decides for the actor in a local, or for self."""
    whom = local(actor or "self")
    return Decider(field_of(b, "!controller", whom), whom)


def ask(
    b: Builder, w: Writer, who: Decider, prompt: str, listing: Callable[[Writer], None], into: Into = None
) -> None:
    """Stop for a decision. The listing is a function of its own, so it changes no local here. A choice
    without words of its own is asked under the title of its definition."""
    call = b.closure("list", listing, w.site)
    prompt = prompt or b.sites[w.site].title.replace("{", "").replace("}", "")
    look(b, w)
    w.store(b.layout.asked, who.actor)
    if into is None:
        w.emit(n.Ask((n.Do(call, w.site),), who.seat, const(b.prompt(prompt)), w.site))
        return
    seat = local(w.temp(who.seat, "seat"))
    with told_to(w, audience(b, w, into, seat)):
        w.emit(n.Ask((n.Do(call, w.site),), seat, const(b.prompt(prompt)), w.site))


def offer(c: Writer, verb: int, a: n.Expr | int = -1, b: n.Expr | int = -1, d: n.Expr | int = -1) -> None:
    """Add an option."""
    values = tuple(const(x) if isinstance(x, int) else x for x in (verb, a, b, d))
    c.emit(n.Do(n.Call("opt", values), c.site))


def chosen_part(part: int = 0) -> n.Expr:
    """Part of the chosen option: 0 the verb, 1 to 3 its things."""
    return state(CHOSEN + part)


def option_verb(b: Builder, w: Writer, option: t.ChoiceOption) -> int:
    """The verb of a line of a choose."""
    if option.selector is None:
        return b.verb(option.label, (), w.site)
    label = (option.label or "{it}").replace("{it}", "{0}")
    return b.verb(label, (option.selector.type,), w.site)


class Offers(NamedTuple):
    """The verb of each line of a choose, and the numbers of lines that read alike, else -1."""

    verbs: list[int]
    marks: list[int]


def offers_of(b: Builder, w: Writer, s: t.Choose) -> Offers:
    """What is offered by each line."""
    verbs = [option_verb(b, w, o) for o in s.options]
    return Offers(verbs, [k if verbs.count(verb) > 1 else -1 for k, verb in enumerate(verbs)])


def list_offers(b: Builder, c: Writer, s: t.Choose, offers: Offers) -> None:
    """Add the options of every line."""
    for option, verb, mark in zip(s.options, *offers, strict=True):
        if option.selector is not None:
            it = local(var(option.selector.it))
            listed(b, c, option.selector, lambda v=verb, i=it, m=mark: offer(c, v, i, -1, m))
        elif option.if_ is not None:
            with c.if_(check(b, c, option.if_)):
                offer(c, verb, -1, -1, mark)
        else:
            offer(c, verb, -1, -1, mark)


def list_numbers(c: Writer, verb: int, low: n.Expr, high: n.Expr) -> None:
    """Offer each number from low to high."""
    i = c.temp(low, "i")
    with c.while_(local(i) <= high):
        offer(c, verb, local(i))
        c.assign(i, local(i) + 1)


def follow(b: Builder, w: Writer, s: t.Choose, offers: Offers, chosen: tuple[str, str, str]) -> None:
    """What the chosen line says; `chosen` are the locals that hold its verb, its thing and its mark."""
    verb_now, thing_now, mark_now = chosen
    for option, verb, mark in zip(s.options, *offers, strict=True):
        with w.if_(
            both([equal(local(verb_now), verb), *([equal(local(mark_now), mark)] if mark >= 0 else [])])
        ):
            if option.selector is not None:
                w.assign(var(option.selector.it), local(thing_now))
            block(b, w, option.body)


@lowers(STATEMENTS, t.Choose)
def choose(b: Builder, w: Writer, s: t.Choose) -> None:
    into, offers = goes(w, s), offers_of(b, w, s)
    ask(b, w, decider_of(b, w, s.by), s.prompt, lambda c: list_offers(b, c, s, offers), into)
    verb_now = w.temp(chosen_part(), "verb")
    thing_now = w.temp(chosen_part(1), "it") if any(o.selector for o in s.options) else ""
    mark_now = w.temp(chosen_part(3), "mark") if max(offers.marks) >= 0 else ""
    follow(b, w, s, offers, (verb_now, thing_now, mark_now))
    if len(s.options) == 1 and s.options[0].selector is not None and not s.options[0].body:
        with w.if_(equal(local(verb_now), -1)):
            w.assign(var(s.options[0].selector.it), -1)
    w.check()


@lowers(STATEMENTS, t.ChooseMany)
def choose_many(b: Builder, w: Writer, s: t.ChooseMany) -> None:
    into = goes(w, s)
    it = var(s.selector.it)
    label = (s.label or "{it}").replace("{it}", "{0}")
    verb = b.verb(label, (s.selector.type,), w.site)
    done = b.verb("done", (), 0)
    count = w.temp(0, "count")
    most = w.temp(number(b, w, s.most), "most")
    least = w.temp(number(b, w, s.least), "least") if s.least is not None else ""
    masked = not t.kind_of(s.selector.type).countless
    mask = w.temp(0, "mask") if masked else ""
    with w.while_(local(count) < local(most)):

        def listing(c: Writer) -> None:
            listed(b, c, s.selector, lambda: offer(c, verb, local(it)), mask)
            enough = local(count) >= local(least) if least else const(1)
            with c.if_(enough), c.if_(call("nopt") > 0):
                offer(c, done)

        ask(b, w, decider_of(b, w, s.by), "", listing, into)
        w.leave_if(differ(chosen_part(), verb))
        w.assign(it, chosen_part(1))
        if masked:
            w.assign(mask, local(mask) + consts(b.layout.tables["powers"] + local(it)))
        w.assign(count, local(count) + 1)
        block(b, w, s.body)
    w.check()


@lowers(STATEMENTS, t.LetChoose)
def let_choose(b: Builder, w: Writer, s: t.LetChoose) -> None:
    into = goes(w, s)
    name = var(s.local)
    if s.selector is None:
        verb = b.verb("{0}", ("number",), w.site)
        low, high = (w.temp(number(b, w, s.low), "low"), w.temp(number(b, w, s.high), "high"))

        def numbers(c: Writer) -> None:
            list_numbers(c, verb, local(low), local(high))

        who = decider_of(b, w, s.by)
        ask(b, w, who, s.local, numbers, into)
        w.assign(name, n.Pick(equal(chosen_part(), -1), local(low), chosen_part(1)))
        if into is not None:
            hide(w, name, audience(b, w, into, who.seat), (const(1), local(low), local(high)))
        return
    verb = b.verb("{0}", (s.selector.type,), w.site)
    it = var(s.selector.it)

    def listing(c: Writer) -> None:
        assert s.selector is not None
        listed(b, c, s.selector, lambda: offer(c, verb, local(it)))
        if s.orelse:
            offer(c, b.verb(s.orelse, (), w.site))

    who = decider_of(b, w, s.by)
    ask(b, w, who, s.local, listing, into)
    w.assign(name, n.Pick(equal(chosen_part(), verb), chosen_part(1), const(-1)))
    if into is not None and not t.kind_of(s.selector.type).unnamed:
        hide(w, name, audience(b, w, into, who.seat))
