"""Numbers, things and checks -> IR expressions.

In:  tree nodes.
Out: expressions. Whatever needs a loop becomes a function of its own (see selectors.py), so that an
     expression can stand anywhere; only components that change something are run beforehand.
"""

from __future__ import annotations

from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.ir import nodes as n
from rulewright.ir.program import SEATS
from rulewright.lower.context import Context
from rulewright.lower.writer import Writer, add, both, const, consts, equal, local, mul, param, state

FAR = 9999


class Numbers:
    """Lowers expressions. `w` is the writer of the function they stand in."""

    def __init__(self, context: Context) -> None:
        self.c = context
        self.s = context.symbols
        self.l = context.layout
        self.fields: list[dict[int, int]] = []

    # ------------------------------------------------------------ numbers
    def number(self, w: Writer, e: Any) -> n.Expr:
        """A number."""
        match e:
            case t.Num(value=value, name=name):
                if name or value in (0, 1):
                    return const(value)
                return param(self.l.number(value, f"line {self.c.sites[w.site].line}"))
            case t.Dice(count=count, sides=sides):
                site = const(w.site)
                if isinstance(count, t.Num) and count.value == 1:
                    return n.Call("roll", (self.number(w, sides), site))
                return n.Call("roll_sum", (self.number(w, count), self.number(w, sides), site))
            case t.Arith(op=op, left=left, right=right):
                a, b = self.number(w, left), self.number(w, right)
                if op == "/":
                    return n.Call("div", (a, b))
                return add(a, b) if op == "+" else n.Binary(op, a, b)
            case t.Fn(name=name, args=args):
                values = [self.number(w, a) for a in args]
                if name == "abs":
                    return n.Call("absolute", (values[0],))
                made = values[0]
                for value in values[1:]:
                    made = n.Call("maximum" if name == "max" else "minimum", (made, value))
                return made
            case t.IfNum(test=test, yes=yes, no=no):
                return n.Pick(self.check(w, test), self.number(w, yes), self.number(w, no))
            case t.ReadRes():
                return self.read(w, e)
            case t.ReadLocal(name=name):
                return local(self.var(name))
            case t.ReadKept(sequence=sequence, name=name):
                return self.kept(sequence, name)
            case t.ReadColumn(list=kind, column=column, thing=thing):
                return self.column(w, kind, column, thing)
            case t.ReadTable(table=table, column=column):
                return self.table_column(w, table, column)
            case t.Count(selector=selector):
                return self.select(w, selector, "count")
            case t.Aggregate(how=how, value=value, selector=selector):
                return self.select(w, selector, how, value)
            case t.Geometry():
                return self.geometry(w, e)
            case t.StatusNum(what=what, status=status, owner=owner):
                return state(
                    add(self.status_slot(w, status, owner), {"Turns": 0, "Stacks": 1, "Power": 2}[what])
                )
            case t.TallyNum():
                return self.tally(w, e)
            case t.Truth(check=check):
                return n.Pick(self.check(w, check), const(1), const(0))
            case t.Run():
                return self.run_component(w, e)
            case _:
                return self.more_number(w, e)

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

    def read(self, w: Writer, e: t.ReadRes) -> n.Expr:
        """The value as the rules see it: the store with its modifications."""
        key = self.l.key(e.resource)
        if e.maximum:
            return n.Call(f"max_{self.clean(key)}", (self.owner_index(w, e.resource, e.owners),))
        if not e.stored and key in self.modified:
            return n.Call(f"get_{self.clean(key)}", (self.owner_index(w, e.resource, e.owners),))
        return self.guarded(self.owner_index(w, e.resource, e.owners), e.resource)

    modified: frozenset[str] = frozenset()

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

    def tally(self, w: Writer, e: t.TallyNum) -> n.Expr:
        """A number read from a tally of dice."""
        names = self.tally_names(e.local, e.die)
        if e.highest is not None:
            args = tuple(local(x) for x in names)
            values = self.face_values(e.die)
            return n.Call(self.highest(len(names), values), (self.number(w, e.highest), *args))
        if e.column:
            die = self.s.dice[e.die]
            at = self.l.columns[(die.name, norm(e.column))]
            made: n.Expr = const(0)
            for i, name in enumerate(names):
                made = add(made, n.Binary("*", local(name), param(at + i)))
            return made
        made = const(0)
        for i in e.faces:
            made = add(made, local(names[i]))
        return made

    def face_values(self, die: str) -> list[int]:
        """What the faces are worth, for `highest`."""
        if die.startswith("d"):
            return list(range(1, int(die[1:]) + 1))
        column = next((c for c in self.s.dice[die].columns.values() if c.type == t.NUMBER), None)
        return list(column.values) if column else [0] * len(self.s.dice[die].words)

    def highest(self, faces: int, values: list[int]) -> str:
        """A function that sums the best dice of a tally."""
        name = f"highest_{faces}_" + "_".join(str(v).replace("-", "m") for v in values)
        if name not in self.c.functions:
            w = Writer(name, ("count", *(f"n{i}" for i in range(faces))))
            w.assign("total", const(0))
            for i in sorted(range(faces), key=lambda k: -values[k]):
                w.assign("took", n.Call("minimum", (local("count"), local(f"n{i}"))))
                w.assign("total", add(local("total"), n.Binary("*", local("took"), const(values[i]))))
                w.assign("count", n.Binary("-", local("count"), local("took")))
            w.emit(n.Return(local("total")))
            self.c.add(w.function())
        return name

    def tally_names(self, name: str, die: str) -> list[str]:
        """One local a face."""
        faces = int(die[1:]) if die.startswith("d") else len(self.s.dice[die].words)
        return [f"{self.var(name)}_f{i}" for i in range(faces)]

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

    # ------------------------------------------------------------ things
    def thing(self, w: Writer, e: Any, want: str = "") -> n.Expr:
        """A thing as its number; -1 is none."""
        match e:
            case t.TLocal(name=name):
                return local(self.var(name))
            case t.TConst(id=id_):
                return const(id_)
            case t.TBuiltin():
                return self.builtin(w, e)
            case t.THold(resource=resource, owners=owners):
                return self.guarded(self.owner_index(w, resource, owners), resource)
            case t.TKept(sequence=sequence, name=name):
                value = self.kept(sequence, name)
                assert isinstance(value, n.Pick)
                return n.Pick(value.test, value.yes, const(-1))
            case t.TColumn(list=kind, column=column, thing=thing):
                return self.column(w, kind, column, thing)
            case t.TSelect(selector=selector):
                return self.select(w, selector, "the")
            case t.TIf(test=test, yes=yes, no=no):
                return n.Pick(self.check(w, test), self.thing(w, yes), self.thing(w, no))
            case t.Run():
                return self.run_component(w, e)
            case _:
                raise AssertionError(f"no thing: {e}")

    def active(self) -> n.Expr:
        """Whose turn it is, or -1."""
        turn = self.s.components.get(norm(str(self.s.front.get("turn", "Turn"))))
        if turn is None or id(turn) not in self.l.current:
            return const(-1)
        frame = state(self.l.current[id(turn)])
        return n.Pick(frame, state(add(frame, 2)), const(-1))

    def builtin(self, w: Writer, e: t.TBuiltin) -> n.Expr:
        """Things the language itself knows."""
        args = e.args
        match e.what:
            case "active":
                return self.active()
            case "space":
                return n.Call("cell", (const(self.l.base["!place"]), self.thing(w, args[0]), const(-1)))
            case "seat":
                return n.Binary("%", n.Binary("-", self.number(w, args[0]), const(1)), state(SEATS))
            case "last space":
                return n.Binary("-", state(self.l.laid), const(1))
            case "at":
                place = self.thing(w, args[0])
                return n.Call("space_at", (const(0), self.place_x(place), self.place_y(place)))
            case "facing":
                return n.Call("cell", (const(self.l.base["!facing"]), self.thing(w, args[0]), const(-1)))
            case "side":
                return n.Call("cell", (const(self.l.base["!side"]), self.thing(w, args[0]), const(-1)))
            case "path end":
                return self.path_end(w, args[0], args[1])
            case "owner":
                return n.Call("cell", (const(self.l.base["!owner"]), self.thing(w, args[0]), const(-1)))
            case "terrain":
                return n.Call("cell", (const(self.l.base["!terrain"]), self.thing(w, args[0]), const(-1)))
            case "face":
                return self.face(self.thing(w, args[0]))
            case "source":
                slot = add(self.status_slot(w, args[0], args[1]), 3)
                return n.Binary("-", state(slot), const(1))
            case "top":
                return n.Call("zone_top", (self.zone(w, args[0], args[1]),))
            case "bottom":
                return n.Call("zone_bottom", (self.zone(w, args[0], args[1]),))
            case "orelse":
                return n.Call("or_else", (self.thing(w, args[0]), self.thing(w, args[1])))
            case "neighbour":
                return self.neighbour(self.thing(w, args[1]), self.thing(w, args[0]))
            case "direction":
                return n.Call(self.direction(), (self.thing(w, args[0]), self.thing(w, args[1])))
            case "turned":
                count = self.l.directions
                total = add(self.thing(w, args[0]), self.number(w, args[1]))
                return n.Binary("%", total, const(count))
            case "opposite":
                count = self.l.directions
                return n.Binary("%", add(self.thing(w, args[0]), count // 2), const(count))
            case "next" | "previous":
                count = self.l.count_of(e.type)
                step = 1 if e.what == "next" else count - 1
                return n.Binary("%", add(self.thing(w, args[0]), step), const(count))
            case _:
                return self.more_thing(w, e)

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

    def geometry(self, w: Writer, e: t.Geometry) -> n.Expr:
        """Numbers about space."""
        match e.what:
            case "distance":
                return n.Call("space_distance", (self.as_space(w, e.args[0]), self.as_space(w, e.args[1])))
            case "adjacent":
                return n.Call("space_adjacent", (self.as_space(w, e.args[0]), self.as_space(w, e.args[1])))
            case "side":
                facing = n.Call("cell", (const(self.l.base["!facing"]), self.thing(w, e.args[0]), const(0)))
                return n.Call(
                    "space_side", (self.as_space(w, e.args[0]), self.as_space(w, e.args[1]), facing)
                )
            case "seats":
                return state(SEATS)
            case "steps":
                return n.Call("path_length", (self.thing(w, e.args[0]),))
            case "x" | "y":
                if e.args[0].type == t.PLACE:
                    place = self.thing(w, e.args[0])
                    return self.place_x(place) if e.what == "x" else self.place_y(place)
                return n.Call(f"space_{e.what}", (self.as_space(w, e.args[0]),))
            case "rank":
                return n.Call("order_find", (const(self.l.order_base[e.name]), self.thing(w, e.args[0])))
            case "walk":
                return self.walk(w, e)
            case _:
                return self.more_number(w, e)

    def walk(self, w: Writer, e: t.Geometry) -> n.Expr:
        """The cheapest way; made in spaces.py."""
        raise NotImplementedError

    def select(self, w: Writer, s: t.Selector, how: str, value: Any = None) -> n.Expr:
        """A selector; made in selectors.py."""
        raise NotImplementedError

    def table_column(self, w: Writer, table: t.Component, column: str) -> n.Expr:
        """A column of a table's current row; made in rules.py."""
        raise NotImplementedError

    # ------------------------------------------------------------ checks
    def check(self, w: Writer, e: Any) -> n.Expr:
        """A check as 1 or 0. Every part is evaluated, left to right."""
        match e:
            case t.Compare(op=op, left=left, right=right):
                return n.Binary(op, self.number(w, left), self.number(w, right))
            case t.Both(parts=parts):
                return self.joined(w, parts, "&")
            case t.Either(parts=parts):
                return self.joined(w, parts, "|")
            case t.Never(part=part):
                return n.Not(self.check(w, part))
            case t.Same(left=left, right=right):
                return n.Binary("==", self.thing(w, left), self.thing(w, right))
            case t.Has():
                return self.has(w, e)
            case t.Related():
                return self.related(w, e)
            case t.Within():
                return self.within(w, e)
            case t.Exists(selector=selector):
                return self.select(w, selector, "some")
            case t.RunCheck(component=component, self_=self_, args=args):
                return n.Call(self.c.name_of(component), tuple(self.arguments(w, component, self_, args)))
            case t.CanPerform(actor=actor, action=action, target=target):
                return self.can_perform(w, actor, action, target)
            case t.CanBecome(actor=actor, status=status):
                return self.can_become(w, actor, status)
            case t.InZone(card=card, zone=zone, owner=owner):
                where = n.Call("cell", (const(self.l.base["!zone"]), self.thing(w, card), const(0)))
                return n.Binary("==", where, add(self.zone_number(w, zone, owner), 1))
            case t.OptionIs(option=option, word=word):
                return equal(state(self.l.option_slot[option]), word)
            case t.Always(value=value):
                return const(1 if value else 0)
            case t.Sees():
                return self.sees(w, e)
            case _:
                return self.more_check(w, e)

    def joined(self, w: Writer, parts: list[Any], op: str) -> n.Expr:
        """All parts are evaluated: a check with dice must not skip any."""
        made = self.truth(self.check(w, parts[0]))
        rolls = any(self.chancy(p) for p in parts)
        if not rolls:
            rest = [self.check(w, p) for p in parts[1:]]
            if op == "&":
                return both([made, *rest])
            for value in rest:
                made = n.Pick(made, const(1), value)
            return made
        for part in parts[1:]:
            made = n.Binary(op, made, self.truth(self.check(w, part)))
        return made

    def chancy(self, e: Any) -> bool:
        """Does evaluating it roll dice?"""
        match e:
            case t.Dice():
                return True
            case t.Run(component=c):
                return c.kind != "Value"
            case t.RunCheck(component=c):
                return c.check is None or self.chancy(c.check)
            case t.Compare(left=a, right=b) | t.Arith(left=a, right=b):
                return self.chancy(a) or self.chancy(b)
            case t.Both(parts=parts) | t.Either(parts=parts):
                return any(self.chancy(p) for p in parts)
            case t.Never(part=part):
                return self.chancy(part)
            case t.Fn(args=args):
                return any(self.chancy(a) for a in args)
            case t.IfNum(test=a, yes=b, no=c):
                return self.chancy(a) or self.chancy(b) or self.chancy(c)
            case t.Truth(check=c):
                return self.chancy(c)
            case t.Final(value=value):
                return self.chancy(value)
            case t.ReadRes(resource=resource):
                return self.l.key(resource) in self.lazy
            case _:
                return False

    lazy: frozenset[str] = frozenset()
    """Keys of resources whose first value is only worked out when it is needed."""

    def truth(self, e: n.Expr) -> n.Expr:
        """0 or 1."""
        match e:
            case n.Binary(op=op) if op in n.COMPARISONS:
                return e
            case n.Not() | n.Const():
                return e
            case n.Pick(yes=n.Const(), no=n.Const()):
                return e
            case _:
                return n.Pick(e, const(1), const(0))

    def can_perform(self, w: Writer, actor: Any, action: t.ActionSym, target: Any) -> n.Expr:
        """Made in actions.py."""
        raise NotImplementedError

    def can_become(self, w: Writer, actor: Any, status: Any) -> n.Expr:
        """In play and not immune."""
        who = self.thing(w, actor)
        keys = [status] if isinstance(status, str) else list(self.s.statuses)
        which = const(-1) if isinstance(status, str) else self.thing(w, status)
        immune: n.Expr = const(0)
        for key in keys:
            if self.s.statuses[key].immune is not None:
                mine = n.Call(f"immune_{self.clean(key)}", (who,))
                immune = (
                    mine
                    if isinstance(status, str)
                    else n.Pick(equal(which, self.s.statuses[key].index), mine, immune)
                )
        return both([n.Call("cell", (const(self.l.base["!in play"]), who, const(0))), n.Not(immune)])

    def sees(self, w: Writer, e: t.Sees) -> n.Expr:
        """Made in spaces.py."""
        raise NotImplementedError

    def has(self, w: Writer, e: t.Has) -> n.Expr:
        """A property."""
        who = self.thing(w, e.thing)
        match e.what:
            case "status":
                base = self.l.status_base + e.value * self.l.actors * 4 + 1
                return n.Binary(">", n.Call("cell", (const(base), mul(who, 4), const(0))), const(0))
            case "template":
                return equal(n.Call("entry_k", (const(self.template_table(e.value)), who, const(0))), 1)
            case "play":
                return n.Call("cell", (const(self.l.base["!in play"]), who, const(0)))
            case "seat":
                return n.Binary(
                    ">=", n.Call("cell", (const(self.l.base["!controller"]), who, const(-1))), const(0)
                )
            case "terrain":
                return equal(
                    n.Call("cell", (const(self.l.base["!terrain"]), self.as_space(w, e.thing), const(-1))),
                    e.value,
                )
            case "side":
                return equal(n.Call("cell", (const(self.l.base["!side"]), who, const(-1))), e.value)
            case "feature":
                base = self.l.feature_base + e.value * self.l.actors
                return n.Binary(">", n.Call("cell", (const(base), who, const(0))), const(0))
            case "laid":
                return n.Binary(">=", who, const(0))
            case _:
                raise AssertionError(e.what)

    def related(self, w: Writer, e: t.Related) -> n.Expr:
        """What a thing is to another."""
        if e.what == "bears":
            who = self.thing(w, e.thing)
            slot = add(self.status_slot(w, e.other, e.thing), 1 - self.l.status_base)
            worn = n.Binary(">", n.Call("cell", (const(self.l.status_base), slot, const(0))), const(0))
            return both([n.Binary(">=", who, const(0)), worn])
        who, other = self.thing(w, e.thing), self.thing(w, e.other)
        side = const(self.l.base["!side"])
        same = n.Binary("==", state(add(side, who)), state(add(side, other)))
        return same if e.what == "same side" else n.Binary("&", same, n.Binary("!=", who, other))

    def within(self, w: Writer, e: t.Within) -> n.Expr:
        """Is it in this zone of a map?"""
        at, count = self.l.tables[f"zone {e.map} {e.zone}"], len(self.l.zone_spaces(e.zone))
        return n.Call("within_table", (const(at), const(count), self.as_space(w, e.thing)))

    def template_table(self, index: int) -> int:
        """For each actor: does it descend from this template?"""
        template = next(k for k, v in self.s.templates.items() if v.index == index)
        values = [1 if self.l.is_a(a.template, template) else 0 for a in self.s.actors]
        return self.l.table(f"is {template}", values)

    def seats(self) -> n.Expr:
        """How many seats play."""
        return state(SEATS)

    def near_table(self) -> n.Expr:
        """The table of neighbours."""
        return consts(self.l.tables["near"])
