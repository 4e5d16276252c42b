"""Cut functions that stop for decisions into segments.

In:  structured functions in which Ask, and calls of functions that may ask, stand as statements.
Out: the plain functions, unchanged, and numbered segments: functions without parameters that run to
     the next stop and return the number of the segment to go on with, or -1.

Three steps. Drafting walks the structure and opens a new segment after each decision or suspendable
call, at the head of each loop that holds one, and where branches meet; everything else stays as it
was inside its segment. Then each local that some segment reads before writing gets a slot in the
frame, `S[S[FP] + 2 + k]`; the others live only within segments and stay plain locals, which is both
quicker and keeps half-finished numbers out of the state. Last, labels become segment numbers;
segments that only jump and segments that nothing reaches are dropped.

A listing may be run again after a restore, so what it assigns is never written to the frame: locals
that a listing assigns are its own copies and are forgotten when it ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rulewright.ir import nodes as n
from rulewright.ir.hiding import (
    Passed,
    asked_for,
    bare,
    held_with,
    opened,
    place_of,
    secret_places,
    without_companions,
)
from rulewright.ir.kernels import kernels
from rulewright.ir.program import ENDED, FP, FRAME, PC, RV
from rulewright.ir.program import STATUS as STATUS_SLOT
from rulewright.ir.sheet import SecretCopy, SecretLocal
from rulewright.ir.verify import suspendable, verify_functions
from rulewright.ir.walk import assigned, exposed, expressions, locals_of, rebuilt, rename, statements

__all__ = ["split", "suspendable"]

FRAME_POINTER = "_fp"
LABEL = "@"  # no local can be called this, so a label is never mistaken for one


@dataclass(slots=True)
class _Draft:
    """A segment being written. `listing`: it offers options and must stay pure."""

    function: str
    body: list[n.Stmt] = field(default_factory=list[n.Stmt])
    listing: bool = False


@dataclass(frozen=True, slots=True)
class _Loop:
    """Where Break and Continue of a loop that was cut lead."""

    head: int
    leave: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """What is left of the functions of a book."""

    plain: dict[str, n.Function]
    segments: tuple[n.Function, ...]
    entry: int
    frame_size: int
    """Of main."""
    secrets: tuple[SecretLocal, ...]
    copies: tuple[SecretCopy, ...]


class _Held(NamedTuple):
    """What lies where in the frames of a function, and the companions of secrets that matter there."""

    slots: dict[str, int]
    said: frozenset[str]


def split(functions: Mapping[str, n.Function], main: str) -> Pieces:
    """Cut the functions that may stop."""
    stops = verify_functions(functions, main, kernels())
    plain = {name: without_companions(function) for name, function in functions.items() if name not in stops}
    cutter = _Cutter(stops, main)
    functions = {name: opened(made) if name in stops else made for name, made in functions.items()}
    for name, function in functions.items():
        if name in stops:
            cutter.cut(function)
    drafts: dict[str, list[_Draft]] = {name: [] for name in cutter.entries}
    for draft in cutter.drafts:
        drafts[draft.function].append(draft)
    frames = {name: _frame(functions[name], own, cutter.passed) for name, own in drafts.items()}
    slots = {name: held.slots for name, held in frames.items()}
    numbers, order = _number(cutter)
    passed = [x._replace(back=numbers[x.back]) for x in cutter.passed if x.back in numbers]
    sizes = {f"{LABEL}{name}": n.Const(FRAME + len(held)) for name, held in slots.items()}
    segments: list[n.Function] = []
    for draft in (cutter.drafts[label] for label in order):
        segments.append(
            _finish(draft, f"s{len(segments)}_{draft.function}", frames[draft.function], numbers, sizes)
        )
    entry, frame_size = numbers[cutter.entries[main]], FRAME + len(slots[main])
    return Pieces(plain, tuple(segments), entry, frame_size, *secret_places(functions, slots, passed))


def _label(target: int | str) -> n.Local:
    return n.Local(f"{LABEL}{target}")


def _jump(label: int) -> n.Return:
    return n.Return(_label(label))


class _Cutter:
    """Drafts the segments of every suspendable function."""

    def __init__(self, stops: set[str], main: str) -> None:
        self.stops = stops
        self.main = main
        self.drafts: list[_Draft] = []
        self.entries: dict[str, int] = {}
        self.passed: list[Passed] = []
        self.function = n.Function("", (), ())
        # Labels of all entries are needed before the first body is drafted.
        for name in sorted(stops):
            self.function = n.Function(name, (), ())
            self.entries[name] = self.open()

    def open(self) -> int:
        self.drafts.append(_Draft(self.function.name))
        return len(self.drafts) - 1

    def cut(self, function: n.Function) -> None:
        self.function = function
        end = self.emit(function.body, self.drafts[self.entries[function.name]].body, None)
        if end is not None:
            end += self.leave(n.Return(n.Const(0)))

    def stops_in(self, stmt: n.Stmt) -> bool:
        return any(isinstance(s, n.Ask) for s in statements((stmt,))) or any(
            isinstance(part, n.Call) and part.name in self.stops for part in expressions((stmt,))
        )

    def leave(self, stmt: n.Return) -> list[n.Stmt]:
        """The code of a Return: hand the value over and go on in the caller, or end the match."""
        result = n.Store(n.STATE, n.Const(RV), stmt.value, stmt.site)
        if self.function.name != self.main:
            return [result, n.Return(n.Call("pop"), stmt.site)]
        stop = [
            n.Store(n.STATE, n.Const(STATUS_SLOT), n.Const(ENDED)),
            n.Store(n.STATE, n.Const(PC), n.Const(-1)),
        ]
        return [result, *stop, n.Return(n.Const(-1), stmt.site)]

    def emit(self, block: n.Block, out: list[n.Stmt], loop: _Loop | None) -> list[n.Stmt] | None:
        """Draft a block at the end of `out`. Gives where code after it goes: `out` itself, the body
        of a newer segment, or None if the end of the block is never reached."""
        here: list[n.Stmt] | None = out
        for stmt in block:
            if here is None:
                break
            here = self.statement(stmt, here, loop)
        return here

    def statement(self, stmt: n.Stmt, out: list[n.Stmt], loop: _Loop | None) -> list[n.Stmt] | None:
        match stmt:
            case n.Return():
                out += self.leave(stmt)
                return None
            case n.Break():
                out.append(n.Break(stmt.site) if loop is None else _jump(loop.leave))
                return None
            case n.Continue():
                out.append(n.Continue(stmt.site) if loop is None else _jump(loop.head))
                return None
            case n.If():
                return self.branch(stmt, out, loop)
            case n.While(test=test, body=body) if not self.stops_in(stmt):
                inner: list[n.Stmt] = []
                self.emit(body, inner, None)
                out.append(n.While(test, tuple(inner), stmt.site))
                return out
            case n.While():
                return self.loop(stmt, out)
            case n.Ask():
                return self.ask(stmt, out)
            case n.Assign(local=local, value=n.Call(name=name) as call) if name in self.stops:
                after = self.call(call, out, stmt.site)
                after.append(n.Assign(local, n.Load(n.STATE, n.Const(RV)), stmt.site))
                return after
            case n.Do(call=call) if call.name in self.stops:
                return self.call(call, out, stmt.site)
            case n.Assign() | n.Store() | n.Do():
                out.append(stmt)
                return out

    def branch(self, stmt: n.If, out: list[n.Stmt], loop: _Loop | None) -> list[n.Stmt] | None:
        then: list[n.Stmt] = []
        orelse: list[n.Stmt] = []
        ends = (self.emit(stmt.then, then, loop), self.emit(stmt.orelse, orelse, loop))
        stays = [end is then or end is orelse for end in ends]
        moved = [end for end, stay in zip(ends, stays, strict=True) if end is not None and not stay]
        after: list[n.Stmt] | None
        if not moved:  # whatever goes on goes on right after the If, in this segment
            after = out if any(stays) else None
        elif len(moved) == 1 and not any(stays):
            after = moved[0]
        else:
            join = self.open()
            for end in ends:
                if end is not None:
                    end.append(_jump(join))
            after = self.drafts[join].body
        out.append(n.If(stmt.test, tuple(then), tuple(orelse), stmt.site))
        return after

    def loop(self, stmt: n.While, out: list[n.Stmt]) -> list[n.Stmt] | None:
        head, leave = self.open(), self.open()
        out.append(_jump(head))
        body: list[n.Stmt] = []
        end = self.emit(stmt.body, body, _Loop(head, leave))
        if end is not None:
            end.append(_jump(head))
        start = self.drafts[head].body
        start.append(n.If(stmt.test, tuple(body), (_jump(leave),), stmt.site))
        return self.drafts[leave].body

    def ask(self, stmt: n.Ask, out: list[n.Stmt]) -> list[n.Stmt]:
        listing, after = self.open(), self.open()
        out.append(_jump(listing))
        draft = self.drafts[listing]
        draft.listing = True
        # Seat and prompt are read before the listing, whose own locals might hide theirs.
        draft.body += [n.Assign("_seat", stmt.seat, stmt.site), n.Assign("_prompt", stmt.prompt, stmt.site)]
        draft.body += [n.Do(n.Call("clear_options"), stmt.site), *stmt.listing]
        where = (_label(listing), _label(after), n.Local("_seat"), n.Local("_prompt"))
        draft.body.append(n.Return(n.Call("decide", where), stmt.site))
        self.drafts[after].body.append(n.Do(n.Call("answered"), stmt.site))
        return self.drafts[after].body

    def call(self, call: n.Call, out: list[n.Stmt], site: int) -> list[n.Stmt]:
        after = self.open()
        given = [(f"_a{k}", arg) for k, arg in enumerate(call.args)]
        out += [n.Assign(name, arg, site) for name, arg in given]
        out.append(n.Do(n.Call("push", (_label(call.name), _label(after))), site))
        for k, (name, arg) in enumerate(given):
            handed = arg.name if isinstance(arg, n.Local) else None
            self.passed.append(Passed(after, self.function.name, handed, call.name, place_of(k)))
            out.append(
                n.Store(
                    n.STATE,
                    n.Binary("+", n.Load(n.STATE, n.Const(FP)), n.Const(FRAME + k)),
                    n.Local(name),
                    site,
                )
            )
        out.append(_jump(self.entries[call.name]))
        return self.drafts[after].body


def _frame(function: n.Function, drafts: list[_Draft], passed: list[Passed]) -> _Held:
    """The slot of each local that outlives a segment."""
    first = (*function.params, *function.keeps)
    bodies = [tuple(draft.body) for draft in drafts]
    known: _Held | None = None
    while True:
        said = known.said if known is not None else frozenset[str]()
        crossing: set[str] = set()
        for body in bodies:
            crossing |= exposed(bare(body, said))
        outlive = (name for name in locals_of(function) if name in crossing)
        found = held_with(function, (*first, *outlive), passed)
        made = _Held({name: FRAME + k for k, name in enumerate(found)}, asked_for(bodies, found))
        if made == known or not made.said:
            return made
        known = made  # what companions are made of has to outlive segments as well


def _number(cutter: _Cutter) -> tuple[dict[int, int], list[int]]:
    """The segment number of each label that is reached, and the labels in that order.

    Labels of segments that only jump on share their target's number.
    """

    def final(label: int) -> int:
        seen: set[int] = set()
        while label not in seen:
            seen.add(label)
            match cutter.drafts[label].body:
                case [n.Return(value=n.Local(name=name))] if name.startswith(LABEL):
                    label = int(name.removeprefix(LABEL))
                case _:
                    break
        return label

    reached: set[int] = set()
    waiting = [final(cutter.entries[cutter.main])]
    while waiting:
        label = waiting.pop()
        if label in reached:
            continue
        reached.add(label)
        for part in expressions(tuple(cutter.drafts[label].body)):
            if isinstance(part, n.Local) and part.name[1:].isdigit() and part.name.startswith(LABEL):
                waiting.append(final(int(part.name.removeprefix(LABEL))))
    order = sorted(reached)
    number = {label: pc for pc, label in enumerate(order)}
    ends = ((label, final(label)) for label in range(len(cutter.drafts)))
    return {label: number[end] for label, end in ends if end in number}, order


def _finish(
    draft: _Draft, name: str, held: _Held, numbers: dict[int, int], sizes: dict[str, n.Const]
) -> n.Function:
    """Put locals into the frame and numbers in place of labels."""
    slots, body = held.slots, bare(tuple(draft.body), held.said)
    own = set(assigned(body)) if draft.listing else set[str]()
    pointer = n.Local(FRAME_POINTER)

    def value(local: str) -> n.Expr:
        if local in sizes:
            return sizes[local]
        if local.startswith(LABEL):
            return n.Const(numbers[int(local.removeprefix(LABEL))])
        if local in slots and local not in own:
            return n.Load(n.STATE, n.Binary("+", pointer, n.Const(slots[local])))
        return n.Local(local)

    def placed(expr: n.Expr) -> n.Expr:
        return rename(expr, value)

    def block(stmts: n.Block) -> n.Block:
        return tuple(map(statement, stmts))

    def statement(stmt: n.Stmt) -> n.Stmt:
        assert not isinstance(stmt, n.Ask), "asks were drafted as listings"
        made = rebuilt(stmt, placed, block)
        if isinstance(made, n.Assign) and made.local in slots and made.local not in own:
            return n.Store(n.STATE, n.Binary("+", pointer, n.Const(slots[made.local])), made.value, made.site)
        return made

    done = block(body)
    copies: list[n.Stmt] = []
    for local in sorted(own & slots.keys()):
        copies.append(n.Assign(local, n.Load(n.STATE, n.Binary("+", pointer, n.Const(slots[local])))))
    done = (*copies, *done)
    if any(isinstance(part, n.Local) and part.name == FRAME_POINTER for part in expressions(done)):
        done = (n.Assign(FRAME_POINTER, n.Load(n.STATE, n.Const(FP))), *done)
    return n.Function(name, (), done)
