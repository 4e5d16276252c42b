"""Plain deeds -> kernel calls: cards, places, statuses, features, control.

In:  t.Simple.
Out: code, and the functions they share (enter, become_S, lose_S).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import events as ev
from rulewright.ir import nodes as n
from rulewright.ir.program import UNWIND
from rulewright.lower.choices import Choices
from rulewright.lower.layout import TIMED
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, state


class Deeds(Choices):
    """Lowers plain deeds."""

    def many(self, w: Writer, what: Any, run: Callable[[n.Expr], None]) -> None:
        """Do it for one thing, or for every one of a selector."""
        if isinstance(what, t.Selector):
            self.each(w, what, lambda: run(local(self.var(what.it))))
        else:
            run(local(w.temp(self.thing(w, what), "x")))

    def card_tables(self) -> tuple[int, ...]:
        """Arguments that the card kernels share: zone table, zones, faces, cards."""
        count = len(self.l.consts[self.l.tables["zone base"] : self.l.tables["zone cap"]])
        return (self.l.tables["zone base"], count, self.l.base["!face"], self.l.cards)

    def _card_to(self, w: Writer, s: t.Simple, bottom: int) -> None:
        zones, count, face, cards = self.card_tables()

        def run(card: n.Expr) -> None:
            zone = self.zone_number(w, s.args[1], s.args[2])
            w.call(
                "card_move", card, zone, bottom, zones, count, face, cards, self.l.base["!controller"], w.site
            )

        self.many(w, s.args[0], run)

    def _x_card(self, w: Writer, s: t.Simple) -> None:
        self._card_to(w, s, 0)

    def _x_bottom(self, w: Writer, s: t.Simple) -> None:
        self._card_to(w, s, 1)

    def _x_create(self, w: Writer, s: t.Simple) -> None:
        zones, count, face, cards = self.card_tables()
        owner = self.thing(w, s.args[2]) if s.args[2] is not None else const(-1)
        card = w.temp(
            n.Call("card_create", (self.thing(w, s.args[0]), owner, const(face), const(cards))), "card"
        )
        w.call("new_card", local(card))
        zone = self.zone_number(w, s.args[1], s.args[2])
        w.call(
            "card_move", local(card), zone, 0, zones, count, face, cards, self.l.base["!controller"], w.site
        )

    def new_card_function(self) -> None:
        """new_card(card): its numbers start again, whatever the card was before it went back into the box."""
        w = Writer("new_card", ("self",))
        own = {key: r for key, r in self.s.resources.items() if r.of == (t.CARD,)}
        with w.if_(n.Binary("<", local("self"), const(0))):
            w.emit(n.Return(const(0)))
        for key, r in own.items():
            start: n.Expr = const(-1 if r.holds else 0)
            if r.starts is not None:
                start = self.thing(w, r.starts) if r.holds else self.number(w, r.starts)
            w.store(add(const(self.l.base[key]), local("self")), start)
        self.c.add(w.function())

    def _x_destroy(self, w: Writer, s: t.Simple) -> None:
        zones, _, face, cards = self.card_tables()
        self.many(w, s.args[0], lambda card: w.call("card_destroy", card, zones, face, cards, w.site))

    def _x_shuffle(self, w: Writer, s: t.Simple) -> None:
        zones, count, face, cards = self.card_tables()
        zone = w.temp(self.zone_number(w, s.args[0], s.args[1]), "zone")
        w.call("zone_mix", local(zone), zones, count, face, cards, w.site)
        if "shuffles" in self.l.result:
            w.call("zone_rig", local(zone), self.l.result["shuffles"], zones, face)

    def _x_build(self, w: Writer, s: t.Simple) -> None:
        """Create every card of a deck. Copies are tunable numbers."""
        zones, count, face, cards = self.card_tables()
        deck = s.args[2]
        owner = self.thing(w, s.args[1]) if s.args[1] is not None else const(-1)
        who = w.temp(owner, "owner")
        zone = w.temp(self.zone_number(w, s.args[0], s.args[1]), "zone")
        if isinstance(deck, str):
            self._deck(w, self.s.decks[deck], who, zone, (zones, count, face, cards))
            return
        word = w.temp(self.thing(w, deck), "deck")
        table = self.s.list_of(deck.type)
        for i, name in enumerate(table.words if table else ()):
            for form in (norm(name), norm(name + " Deck")):
                if form in self.s.decks:
                    with w.if_(equal(local(word), i)):
                        self._deck(w, self.s.decks[form], who, zone, (zones, count, face, cards))
                    break

    def _deck(
        self, w: Writer, deck: list[tuple[int, int]], who: str, zone: str, tables: tuple[int, ...]
    ) -> None:
        zones, count, face, cards = tables
        for printed, copies in deck:
            left = w.temp(
                n.Load("P", const(self.l.number(copies, f"copies of {self.s.faces.words[printed]}"))),
                "copies",
            )
            with w.while_(n.Binary(">", local(left), const(0))):
                card = w.temp(
                    n.Call("card_create", (const(printed), local(who), const(face), const(cards))), "card"
                )
                w.call("new_card", local(card))
                w.call(
                    "card_move",
                    local(card),
                    local(zone),
                    0,
                    zones,
                    count,
                    face,
                    cards,
                    self.l.base["!controller"],
                    w.site,
                )
                w.assign(left, n.Binary("-", local(left), const(1)))

    def _x_reveal(self, w: Writer, s: t.Simple) -> None:
        _, _, face, cards = self.card_tables()
        seat = const(-1) if s.args[1] is None else self.decider(w, s.args[1])
        self.many(w, s.args[0], lambda card: w.call("card_reveal", card, seat, face, cards, w.site))

    def _x_place(self, w: Writer, s: t.Simple) -> None:
        self.many(w, s.args[0], lambda who: self.move_to(w, who, self.as_space(w, s.args[1])))

    def move_to(self, w: Writer, who: n.Expr, space: n.Expr, old: n.Expr | None = None) -> None:
        """Put an actor on a space, with what entering it sets off; `old` is whence, if not from here."""
        actor = w.temp(who, "who")
        here = n.Call("cell", (const(self.l.base["!place"]), local(actor), const(-1)))
        w.call("enter", local(actor), space, here if old is None else old, w.site)
        w.check()

    def enter_function(self) -> None:
        """enter(who, to, old, site)"""
        w = Writer("enter", ("who", "to", "old", "site"))
        with w.if_(n.Binary("<", local("who"), const(0))):
            w.emit(n.Return(const(0)))
        w.store(add(const(self.l.base["!place"]), local("who")), local("to"))
        self.changed(w)
        w.emit(
            n.Do(
                n.Call(
                    "emit",
                    (const(ev.PLACE), local("site"), local("who"), local("old"), local("to"), const(0)),
                )
            )
        )
        if len(self.s.maps) > 1:
            with w.if_(n.Binary(">=", local("to"), const(0))):
                w.store(self.l.map_now, consts(add(const(self.l.tables["map of"]), local("to"))))
        key = ("enters",)
        if key in self.hooks:
            w.assign("subject", local("who"))

            def run(rules: t.Rules, hook: t.Hook, owner: n.Expr) -> None:
                tests: list[n.Expr] = [
                    n.Call(self.bears(rules), (owner,)),
                    n.Binary(">=", local("to"), const(0)),
                ]
                if hook.moment.terrain:
                    number = next(
                        i for i, x in enumerate(self.s.terrains.words) if norm(x) == hook.moment.terrain
                    )
                    tests.append(
                        equal(
                            n.Call("cell", (const(self.l.base["!terrain"]), local("to"), const(-1))), number
                        )
                    )
                with w.if_(both(tests)):
                    w.call(self.hook_function(rules, hook), owner, local("to"), local("old"))
                    w.check()

            self.owners(w, key, run)
        self.c.add(w.function())

    def _x_swap(self, w: Writer, s: t.Simple) -> None:
        a, b = w.temp(self.thing(w, s.args[0]), "a"), w.temp(self.thing(w, s.args[1]), "b")
        place = self.l.base["!place"]
        first = w.temp(n.Call("cell", (const(place), local(a), const(-1))), "first")
        second = w.temp(n.Call("cell", (const(place), local(b), const(-1))), "second")
        with w.if_(both([n.Binary(">=", local(a), const(0)), n.Binary(">=", local(b), const(0))])):
            w.store(add(const(place), local(b)), local(first))
            self.move_to(w, local(a), local(second), local(first))
            self.move_to(w, local(b), local(first), local(second))

    def _x_set_facing(self, w: Writer, s: t.Simple) -> None:
        who = w.temp(self.thing(w, s.args[0]), "who")
        direction = w.temp(self.thing(w, s.args[1]), "dir")
        with w.if_(both([n.Binary(">=", local(who), const(0)), n.Binary(">=", local(direction), const(0))])):
            w.store(add(const(self.l.base["!facing"]), local(who)), local(direction))
            w.event(ev.FACE, local(who), local(direction))

    def _x_set_terrain(self, w: Writer, s: t.Simple) -> None:
        self._x_terrain(w, s)

    def _x_terrain(self, w: Writer, s: t.Simple) -> None:
        space = w.temp(self.thing(w, s.args[0]), "space")
        with w.if_(n.Binary(">=", local(space), const(0))):
            slot = add(const(self.l.base["!terrain"]), local(space))
            old = w.temp(state(slot), "old")
            w.store(slot, self.thing(w, s.args[1]))
            w.event(ev.CHANGE, self.l.field_index["!terrain"], local(space), local(old), state(slot))

    def _x_map(self, w: Writer, s: t.Simple) -> None:
        w.store(self.l.map_now, s.args[0])

    def _x_set_side(self, w: Writer, s: t.Simple) -> None:
        w.store(add(const(self.l.base["!side"]), self.thing(w, s.args[0])), self.thing(w, s.args[1]))

    def _x_walk(self, w: Writer, s: t.Simple) -> None:
        """Step by step: what entering sets off happens before the next step."""
        path = w.temp(self.thing(w, s.args[0]), "path")
        length = w.temp(n.Call("path_length", (local(path),)), "n")
        i = w.temp(const(0), "i")
        with w.while_(n.Binary("<", local(i), local(length))):
            here = n.Call("cell", (const(self.l.base["!place"]), local("self"), const(-1)))
            to = w.temp(self.neighbour(here, n.Call("path_step", (local(path), local(i)))), "to")
            w.assign(i, add(local(i), 1))
            with w.if_(n.Binary("<", local(to), const(0))):
                w.emit(n.Break(w.site))
            if s.args[2] is not None:
                w.assign(self.var(s.args[1]), local(to))
                with w.if_(n.Not(self.check(w, s.args[2]))):
                    w.emit(n.Break(w.site))
            self.move_to(w, local("self"), local(to))
        w.check()

    def _x_put(self, w: Writer, s: t.Simple) -> None:
        def run(who: n.Expr) -> None:
            with w.if_(n.Binary(">=", who, const(0))):
                w.store(add(const(self.l.base["!in play"]), who), 1)
                if s.args[1] is not None:
                    slot = add(const(self.l.base["!place"]), who)
                    w.store(slot, self.as_space(w, s.args[1]))
                    if len(self.s.maps) > 1:
                        with w.if_(n.Binary(">=", state(slot), const(0))):
                            w.store(self.l.map_now, consts(add(const(self.l.tables["map of"]), state(slot))))
                    w.event(ev.PLACE, who, -1, state(slot))
                w.event(ev.PLAY, who, 1)

        self.many(w, s.args[0], run)

    def _x_take(self, w: Writer, s: t.Simple) -> None:
        def run(who: n.Expr) -> None:
            with w.if_(
                both(
                    [
                        n.Binary(">=", who, const(0)),
                        n.Call("cell", (const(self.l.base["!in play"]), who, const(0))),
                    ]
                )
            ):
                w.store(add(const(self.l.base["!in play"]), who), 0)
                w.event(ev.PLAY, who, 0)
                for order in self.l.order_base.values():
                    w.call("order_remove", order, who)
                if self.deadlines:
                    w.call("timed_leave", self.l.timed, TIMED, who, w.site)
                if ("leaves play",) in self.hooks:
                    w.call(self.fire(("leaves play",)), who)
                    w.check()

        self.many(w, s.args[0], run)
        w.check()

    def _x_status(self, w: Writer, s: t.Simple) -> None:
        who, status, stacks, turns, power, by, until, count = s.args
        source = self.thing(w, by) if by is not None else (local("self"))
        args = [
            self.thing(w, who),
            self.number(w, stacks),
            self.number(w, turns),
            self.number(w, power),
            add(source, 1),
            const(w.site),
        ]
        self._of_status(w, "become", status, args)
        w.check()
        if until is not None:
            bearer = self.thing(w, who)
            slot = self.status_slot(w, status, who)
            self._remember(w, until, count, slot, const(1), 0, -1, bearer)

    def _of_status(self, w: Writer, what: str, status: Any, args: list[n.Expr]) -> None:
        """Call the function of a status; which one is seen in play when a thing names it."""
        if isinstance(status, str):
            w.call(f"{what}_{self.clean(status)}", *args)
            return
        which = w.temp(self.thing(w, status), "status")
        values = [local(w.temp(a, "arg")) for a in args]
        for key, symbol in self.s.statuses.items():
            with w.if_(equal(local(which), symbol.index)):
                w.call(f"{what}_{self.clean(key)}", *values)

    def status_functions(self) -> None:
        """become_S(who, stacks, turns, power, source, site) and lose_S(who, site)."""
        for key, status in self.s.statuses.items():
            base = self.l.status_base + status.index * self.l.actors * 4
            w = Writer(f"become_{self.clean(key)}", ("who", "stacks", "turns", "power", "source", "site"))
            gone: n.Expr = n.Binary("<", local("who"), const(0))
            if not self.s.frameworks:  # those say themselves who can be affected: a story goes on off the map
                absent = equal(state(add(const(self.l.base["!in play"]), local("who"))), 0)
                gone = n.Pick(gone, const(1), absent)
            with w.if_(gone):
                w.emit(n.Return(const(0)))
            if status.immune is not None:
                self._immune(key, status.immune)
                with w.if_(n.Call(f"immune_{self.clean(key)}", (local("who"),))):
                    w.emit(n.Return(const(0)))
            w.assign("at", add(const(base), mul(local("who"), 4)))
            w.assign("had", state(add(local("at"), 1)))
            with w.if_(equal(local("had"), 0)):
                self.changed(w)
            self._again(w, status.again, status.stacks)
            w.store(add(local("at"), 3), local("source"))
            event = (
                const(ev.STATUS),
                local("site"),
                const(status.index),
                local("who"),
                state(add(local("at"), 1)),
                state(local("at")),
            )
            w.emit(n.Do(n.Call("emit", event)))
            if ("becomes", key) in self.hooks:
                w.call(self.fire(("becomes", key)), local("who"))
                w.check()
            self.c.add(w.function())
            w = Writer(f"lose_{self.clean(key)}", ("who", "site"))
            with w.if_(n.Binary("<", local("who"), const(0))):
                w.emit(n.Return(const(0)))
            w.assign("at", add(const(base), mul(local("who"), 4)))
            with w.if_(equal(state(add(local("at"), 1)), 0)):
                w.emit(n.Return(const(0)))
            for i in range(4):
                w.store(add(local("at"), i), 0)
            w.emit(
                n.Do(
                    n.Call(
                        "emit",
                        (
                            const(ev.STATUS),
                            local("site"),
                            const(status.index),
                            local("who"),
                            const(0),
                            const(0),
                        ),
                    )
                )
            )
            if ("loses", key) in self.hooks:
                w.call(self.fire(("loses", key)), local("who"))
                w.check()
            self.c.add(w.function())

    def _immune(self, key: str, check: t.Cond_) -> None:
        """immune_S(self): can this actor not come to have it?"""
        w = Writer(f"immune_{self.clean(key)}", ("self",))
        with w.if_(n.Binary("<", local("self"), const(0))):
            w.emit(n.Return(const(1)))
        w.emit(n.Return(n.Pick(self.check(w, check), const(1), const(0))))
        self.c.add(w.function())

    def _again(self, w: Writer, again: str, most: int) -> None:
        """What a second application does."""
        at, had = local("at"), local("had")
        turns, stacks, power = state(at), state(add(at, 1)), state(add(at, 2))
        if again == "refuse":
            with w.if_(had):
                w.emit(n.Return(const(0)))
        longer = n.Call("maximum", (turns, local("turns")))
        match again:
            case "add":
                w.store(add(at, 1), n.Call("minimum", (add(stacks, local("stacks")), const(most))))
                w.store(at, longer)
                w.store(add(at, 2), n.Call("maximum", (power, local("power"))))
            case "stronger":
                stronger = n.Binary(">", local("power"), power)
                w.store(at, n.Pick(n.Pick(had, n.Not(stronger), const(0)), longer, local("turns")))
                w.store(add(at, 2), n.Pick(stronger, local("power"), power))
                w.store(add(at, 1), const(1))
            case "replace":
                w.store(at, local("turns"))
                w.store(add(at, 1), local("stacks"))
                w.store(add(at, 2), local("power"))
            case _:
                w.store(at, longer)
                w.store(
                    add(at, 1),
                    n.Call("minimum", (n.Call("maximum", (stacks, local("stacks"))), const(max(1, most)))),
                )
                w.store(add(at, 2), n.Call("maximum", (power, local("power"))))

    def _x_unstatus(self, w: Writer, s: t.Simple) -> None:
        self._of_status(w, "lose", s.args[1], [self.thing(w, s.args[0]), const(w.site)])
        w.check()

    def _x_cleanse(self, w: Writer, s: t.Simple) -> None:
        who = w.temp(self.thing(w, s.args[0]), "who")
        for key in self.s.statuses:
            w.call(f"lose_{self.clean(key)}", local(who), w.site)
        w.check()

    def _x_gain(self, w: Writer, s: t.Simple) -> None:
        who, key, until, count = s.args
        base = self.l.feature_base + self.s.features[key].index * self.l.actors
        actor = w.temp(self.thing(w, who), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            slot = add(const(base), local(actor))
            w.store(slot, add(state(slot), 1))
            if until is not None:
                self._remember(w, until, count, slot, const(1), 0, 0, local(actor))

    def _x_lose(self, w: Writer, s: t.Simple) -> None:
        base = self.l.feature_base + self.s.features[s.args[1]].index * self.l.actors
        actor = w.temp(self.thing(w, s.args[0]), "who")
        with w.if_(n.Binary(">=", local(actor), const(0))):
            w.store(add(const(base), local(actor)), 0)

    def _x_control(self, w: Writer, s: t.Simple) -> None:
        """Another actor's controller decides for this one."""
        who, whom, until = s.args
        actor = w.temp(self.thing(w, whom), "whom")
        slot = add(const(self.l.base["!controller"]), local(actor))
        old = w.temp(state(slot), "old")
        w.store(slot, self.decider(w, who))
        if until is not None:
            self._remember(w, until, None, slot, n.Binary("-", state(slot), local(old)), -1, 0, local(actor))

    def _x_nothing(self, w: Writer, s: t.Simple) -> None:
        return

    def _x_restart(self, w: Writer, s: t.Simple) -> None:
        """Run the innermost sequence again from its first step with other arguments."""
        sequence, args = s.args
        frame = state(self.l.current[id(sequence)])
        values = [
            w.temp(self.number(w, a) if p.type == t.NUMBER else self.thing(w, a), "arg")
            for p, a in zip(sequence.params, args, strict=False)
        ]
        with w.if_(frame):
            for p, value in zip(sequence.params, values, strict=False):
                w.store(add(frame, self.kept_offset(sequence, p.name)), local(value))
            for p in sequence.keeps:
                w.store(
                    add(frame, self.kept_offset(sequence, p.name)), const(0 if p.type == t.NUMBER else -1)
                )
            w.store(self.l.skip, 0)
            w.store(UNWIND, frame)
        w.check()

    def each(self, w: Writer, s: t.Selector, body: Callable[[], None]) -> None:
        """Made on top of this."""
        raise NotImplementedError
