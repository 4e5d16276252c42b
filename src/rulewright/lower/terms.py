"""What numbers, things and checks have in common: names, slots, owners, arguments, spaces.

In:  parts of checked trees.
Out: IR expressions. Whatever needs a loop becomes a function of its own (see selectors.py), so that an
     expression can stand anywhere; only components that change something are run beforehand.

Numbers, things and checks need each other, so each is declared here and made in a module of its own.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.context import Context
from rulewright.lower.writer import Writer, add, const, local, mul, param, state

FAR = 9999


class Terms:
    """Lowers what expressions of every sort are made of. `w` is the writer of the function they stand in."""

    lazy: frozenset[str] = frozenset()
    """Keys of resources whose first value is only worked out when it is needed."""

    def __init__(self, context: Context) -> None:
        self.c = context
        self.s = context.symbols
        self.l = context.layout
        self.fields: list[dict[int, int]] = []

    # ------------------------------------------------------------ made above
    def number(self, w: Writer, e: Any) -> n.Expr:
        """Made in numbers.py."""
        raise NotImplementedError

    def mark(self, w: Writer, e: Any) -> n.Expr:
        """Made in numbers.py."""
        raise NotImplementedError

    def thing(self, w: Writer, e: Any, want: str = "") -> n.Expr:
        """Made in things.py."""
        raise NotImplementedError

    def check(self, w: Writer, e: Any) -> n.Expr:
        """Made in checks.py."""
        raise NotImplementedError

    def more_number(self, w: Writer, e: Any) -> n.Expr:
        """Numbers of frameworks; made in lower/framework.py."""
        raise AssertionError(f"no number: {e}")

    def more_check(self, w: Writer, e: Any) -> n.Expr:
        """Checks of frameworks."""
        raise AssertionError(f"no check: {e}")

    def more_thing(self, w: Writer, e: t.TBuiltin) -> n.Expr:
        """Things of frameworks."""
        raise AssertionError(e.what)

    def var(self, name: str) -> str:
        """The IR name of a local."""
        clean = "".join(ch if ch.isalnum() else "_" for ch in norm(name).lower())
        return clean if clean.startswith("it") or clean == "self" else "v_" + clean

    def slot(self, w: Writer, r: t.Resource, owners: list[Any]) -> n.Expr:
        """Where the number of these owners lies."""
        base = const(self.l.base[self.l.key(r)])
        if not r.of:
            return base
        first = self.thing(w, owners[0])
        if len(r.of) == 1:
            return add(base, first)
        return add(add(base, mul(first, self.l.count_of(r.of[1]))), self.thing(w, owners[1]))

    def owner_index(self, w: Writer, r: t.Resource, owners: list[Any]) -> n.Expr:
        """The number of the owner within the field."""
        if not r.of:
            return const(0)
        first = self.thing(w, owners[0])
        if len(r.of) == 1:
            return first
        width, second = self.l.count_of(r.of[1]), self.thing(w, owners[1])
        if isinstance(second, n.Const) and second.value >= 0:
            return add(mul(first, width), second)
        return n.Call("pair_index", (first, const(width), second))

    def guarded(self, index: n.Expr, r: t.Resource) -> n.Expr:
        """A number of nobody is 0."""
        slot = add(const(self.l.base[self.l.key(r)]), index)
        if not r.of or isinstance(index, n.Const) or (isinstance(index, n.Local) and index.name in ("self",)):
            return state(slot)
        if isinstance(index, n.Local):
            return n.Pick(n.Binary("<", index, const(0)), const(-1 if r.holds else 0), state(slot))
        return n.Call("cell", (const(self.l.base[self.l.key(r)]), index, const(-1 if r.holds else 0)))

    def clean(self, key: str) -> str:
        """A key as part of a function name."""
        return "".join(ch if ch.isalnum() else "_" for ch in key)

    def kept(self, sequence: Any, name: str) -> n.Expr:
        """A value of the innermost running sequence or action; 0 if none runs."""
        slot = self.l.current[id(sequence)]
        offset = self.kept_offset(sequence, name)
        frame = state(slot)
        return n.Pick(frame, state(add(frame, offset)), const(0))

    def kept_offset(self, sequence: Any, name: str) -> int:
        """Where a kept value lies in its frame: after return pc, saved frame, and self."""
        names = ["self"]
        if isinstance(sequence, t.Component):
            names += [norm(p.name).lower() for p in (*sequence.params, *sequence.keeps)]
        else:
            names += [norm(p.name).lower() for p in sequence.params]
        return 2 + names.index(norm(name).lower())

    def step_now(self, sequence: t.Component) -> n.Expr:
        """The step at which the innermost running one is."""
        return state(add(state(self.l.current[id(sequence)]), 3 + len(sequence.params) + len(sequence.keeps)))

    def column(self, w: Writer, kind: str, column: str, thing: Any) -> n.Expr:
        """An attribute of a word, printed card or terrain."""
        at = self.l.columns.get((kind, norm(column)))
        if at is None:
            return const(0)
        value = self.thing(w, thing)
        if kind == t.FACE and thing.type == t.CARD:
            value = self.face(value)
        elif kind == "Terrain" and thing.type == t.SPACE:
            value = n.Call("cell", (const(self.l.base["!terrain"]), value, const(-1)))
        table = self.s.list_of(kind)
        blank = 0
        if (
            table is not None
            and norm(column) in table.columns
            and table.columns[norm(column)].type not in (t.NUMBER, "mark")
        ):
            blank = -1
        if isinstance(value, n.Const):
            return param(at + value.value) if value.value >= 0 else const(blank)
        return n.Call("entry", (const(at), value, const(blank)))

    def face(self, card: n.Expr) -> n.Expr:
        """The face of a card."""
        return n.Call("cell", (const(self.l.base["!face"]), card, const(-1)))

    # ------------------------------------------------------------ components
    def run_component(self, w: Writer, e: t.Run) -> n.Expr:
        """Run a component for what it gives. A pure Value stands in place, anything else runs before."""
        call = n.Call(self.c.name_of(e.component), tuple(self.arguments(w, e.component, e.self_, e.args)))
        if e.component.kind in ("Value", "Check"):
            return call
        site = w.site
        name = w.temp(call, "got")
        w.site = site
        w.check()
        return local(name)

    def arguments(self, w: Writer, c: t.Component, self_: Any, args: list[Any]) -> list[n.Expr]:
        """Self, then the parameters; an abbreviation takes its caller's roles."""
        made = [self.thing(w, self_) if self_ is not None else self.own(w)]
        for i, p in enumerate(c.params):
            if i < len(args):
                made.append(self.number(w, args[i]) if p.type == t.NUMBER else self.thing(w, args[i], p.type))
            elif c.implicit:
                made.append(local(self.var(p.name)))
            else:
                made.append(const(-1))
        return made

    def own(self, w: Writer) -> n.Expr:
        """Self."""
        return local("self")

    def active(self) -> n.Expr:
        """Whose turn it is, or -1."""
        turn = self.s.components.get(norm(str(self.s.front.get("turn", "Turn"))))
        if turn is None or id(turn) not in self.l.current:
            return const(-1)
        frame = state(self.l.current[id(turn)])
        return n.Pick(frame, state(add(frame, 2)), const(-1))

    def zone(self, w: Writer, key: str, owner: Any) -> n.Expr:
        """The slot of a zone's count."""
        base = const(self.l.zone_base[key])
        if owner is None:
            return base
        return add(base, mul(self.thing(w, owner), self.l.zones[self.s.zones[key].index].stride))

    def zone_number(self, w: Writer, key: str, owner: Any) -> n.Expr:
        """The number of a zone among all zones."""
        first = const(self.l.zone_first[key])
        return first if owner is None else add(first, self.thing(w, owner))

    def status_slot(self, w: Writer, status: Any, owner: Any) -> n.Expr:
        """The first of the four slots of a status."""
        if not isinstance(status, str):
            first = add(const(self.l.status_base), mul(self.thing(w, status), self.l.actors * 4))
            return add(first, mul(self.thing(w, owner), 4))
        base = self.l.status_base + self.s.statuses[status].index * self.l.actors * 4
        return add(const(base), mul(self.thing(w, owner), 4))

    # ------------------------------------------------------------ space
    def neighbour(self, space: n.Expr, direction: n.Expr) -> n.Expr:
        """The next space in a direction, or -1."""
        return n.Call(self.space_function("near"), (space, direction))

    def direction(self) -> str:
        """The function for the direction from one space to another."""
        return self.space_function("toward")

    def space_function(self, what: str) -> str:
        """One of the generated functions over this book's maps; see spaces.py."""
        return f"space_{what}"

    def place_x(self, place: n.Expr) -> n.Expr:
        """The column of a place, which is coded (x + 64) * 128 + y + 64."""
        return n.Binary("-", n.Binary("//", place, const(128)), const(64))

    def place_y(self, place: n.Expr) -> n.Expr:
        """The row of a place."""
        return n.Binary("-", n.Binary("%", place, const(128)), const(64))

    def path_end(self, w: Writer, path: Any, walker: Any) -> n.Expr:
        """The space to which a path leads from where the walker stands."""
        way, who = self.thing(w, path), self.thing(w, walker)

        def build(c: Writer) -> None:
            c.assign("at", n.Call("cell", (const(self.l.base["!place"]), who, const(-1))))
            c.assign("i", const(0))
            with c.while_(n.Binary("<", local("i"), n.Call("path_length", (way,)))):
                c.assign("at", self.neighbour(local("at"), n.Call("path_step", (way, local("i")))))
                c.assign("i", add(local("i"), 1))
            c.emit(n.Return(local("at")))

        return self.c.closure("path_end", build, w.site)

    def as_space(self, w: Writer, e: Any) -> n.Expr:
        """A space, or the space an actor stands on."""
        value = self.thing(w, e)
        if e.type == t.ACTOR:
            return n.Call("cell", (const(self.l.base["!place"]), value, const(-1)))
        return value

    def walk(self, w: Writer, e: t.Geometry) -> n.Expr:
        """The cheapest way; made in spaces.py."""
        raise NotImplementedError

    def select(self, w: Writer, s: t.Selector, how: str, value: Any = None) -> n.Expr:
        """A selector; made in selectors.py."""
        raise NotImplementedError

    def table_column(self, w: Writer, table: t.Component, column: str) -> n.Expr:
        """A column of a table's current row; made in rules.py."""
        raise NotImplementedError

    def can_perform(self, w: Writer, actor: Any, action: t.ActionSym, target: Any) -> n.Expr:
        """Made in actions.py."""
        raise NotImplementedError

    def sees(self, w: Writer, e: t.Sees) -> n.Expr:
        """Made in spaces.py."""
        raise NotImplementedError

    def seats(self) -> n.Expr:
        """How many seats play."""
        return state(SEATS)
