"""Choices at the same time -> one question each, answers that are put away, then what follows.

In:  t.Together.
Out: code that notes who chooses, asks until all have chosen, tells what was chosen, and runs what follows for
     each of them as self.

The answers lie where no rule reads, so nobody is offered anything that depends on what another has chosen;
see `kernels_together`. What is listed and what follows are functions of their own, in which self is whoever
chooses.
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.book.hidden import Hidden, straight_into
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.kernels_together import PARTS, ROW, ROWS
from rulewright.ir.program import SEAT, TOGETHER
from rulewright.lower.builder import Builder, field_of, var
from rulewright.lower.choices import Offers, follow, list_numbers, list_offers, offers_of
from rulewright.lower.dispatch import STATEMENTS, block, lowers, number
from rulewright.lower.loops import each
from rulewright.lower.open_zones import look
from rulewright.lower.secrets import audience, told_to
from rulewright.lower.writer import Writer, call, const, local, mul, present, state


@lowers(STATEMENTS, t.Together)
def together(b: Builder, w: Writer, s: t.Together) -> None:
    """Gather, ask, tell, and do what follows."""
    at = b.layout.slots(ROWS + ROW * b.layout.actors)
    offers = offers_of(b, w, s.choice) if isinstance(s.choice, t.Choose) else None
    gathering = w.temp(state(at + 1) + 1, "gathering")
    w.store(at, 0)
    w.store(at + 1, local(gathering))
    each(b, w, s.selector, lambda: w.call("gather", at, local(var(s.selector.it))))
    _ask(b, w, s, at, offers)
    _tell(b, w, s, at)
    _follow(b, w, s, at, offers, gathering)


def _follow(b: Builder, w: Writer, s: t.Together, at: int, offers: Offers | None, gathering: str) -> None:
    row = w.temp((at + ROWS), "row")
    with w.while_(local(row) < _end(at)):
        verb = w.temp(state(local(row) + PARTS), "verb")
        thing = w.temp(state(local(row) + (PARTS + 1)), "it")
        mark = w.temp(state(local(row) + (PARTS + 3)), "mark")
        w.call("forget_answer", local(row))

        def follows(c: Writer) -> None:
            if isinstance(s.choice, t.Choose):
                assert offers is not None
                follow(b, c, s.choice, offers, (verb, thing, mark))
            else:
                c.assign(var(s.choice.local), local(thing))
                block(b, c, s.body)

        with w.if_(present(local(verb))):
            _as_chooser(b, w, state(local(row)), "then", follows, w)
            w.check()
        w.call("still_gathered", at, local(gathering))
        w.assign(row, local(row) + ROW)
    w.check()


def _end(at: int) -> n.Expr:
    return (at + ROWS) + mul(state(at), ROW)


def _ask(b: Builder, w: Writer, s: t.Together, at: int, offers: Offers | None) -> None:
    """Ask until all have chosen. Who is asked is looked up in the listing: it may be another next time."""
    where = (const(at), const(b.layout.base["!controller"]))

    def listing(c: Writer) -> None:
        if isinstance(s.choice, t.Choose):
            assert offers is not None
            list_offers(b, c, s.choice, offers)
        else:
            low, high = (c.temp(number(b, c, x), "end") for x in (s.choice.low, s.choice.high))
            list_numbers(c, b.verb("{0}", ("number",), w.site), local(low), local(high))

    offered = _as_chooser(b, w, n.Call("asked_actor", where), "list", listing)
    prompt = s.choice.prompt if isinstance(s.choice, t.Choose) else s.choice.local
    prompt = prompt or b.sites[w.site].title.replace("{", "").replace("}", "")
    look(b, w)
    w.store(TOGETHER, at)
    with w.while_(n.Call("asked_row", where)):
        w.store(b.layout.asked, n.Call("asked_actor", where))
        seat = n.Call("asked_seat", where)
        w.emit(n.Ask((n.Do(offered, w.site),), seat, const(b.prompt(prompt)), w.site))
        w.call("note_answer", *where)
    w.store(TOGETHER, 0)
    w.store(SEAT, -1)
    w.store(b.layout.asked, -1)


def _tell(b: Builder, w: Writer, s: t.Together, at: int) -> None:
    """All have chosen: what, is told to all, unless it is kept or goes straight into something hidden."""
    into = straight_into(s.choice, s.body)
    row = w.temp((at + ROWS), "row")
    with w.while_(local(row) < _end(at)):
        with w.if_(present(state(local(row) + PARTS))):
            actor = w.temp(state(local(row)), "who")
            seat = field_of(b, "!controller", local(actor))
            w.store(SEAT, seat)
            chosen = [state(local(row) + (PARTS + i)) for i in range(4)]
            if s.kept or into is not None:
                with told_to(w, _audience(b, w, into, actor)):
                    w.event(ev.CHOSEN, *chosen)
            else:
                w.event(ev.CHOSEN, *chosen)
        w.assign(row, local(row) + ROW)
    w.store(SEAT, -1)


def _audience(b: Builder, w: Writer, into: Hidden | None, actor: str) -> n.Expr:
    if into is None:
        return call("seat_bit", state(SEAT))

    def heard(c: Writer) -> None:
        c.emit(n.Return(audience(b, c, into, state(SEAT)), w.site))

    return _as_chooser(b, w, local(actor), "heard", heard)


def _as_chooser(
    b: Builder, w: Writer, who: n.Expr, name: str, build: Callable[[Writer], None], run: Writer | None = None
) -> n.Call:
    """The call of a function of its own in which self is somebody else; run at once if a writer is given."""
    with b.function(b.fresh(name)) as inner:
        inner.site = w.site
        build(inner)
        inner.params = inner.free()
    call = n.Call(inner.name, tuple(who if p == "self" else local(p) for p in inner.params))
    if run is not None:
        run.emit(n.Do(call, w.site))
    return call
