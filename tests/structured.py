"""Structured code run directly, by recursion: what the split pass must not change.

A plain tree walker over generators. It shares no code with the split pass or the engines; a decision
is a `yield` of (seat, prompt, options), answered with the index of an option.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field

from rulewright.ir.events import FORCED
from rulewright.ir.nodes import (
    Ask,
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Const,
    Continue,
    Do,
    Expr,
    Function,
    If,
    Load,
    Local,
    Not,
    Pick,
    Return,
    Store,
    While,
)

Row = tuple[int, int, int, int]
Stop = tuple[int, int, list[Row]]
Runs = Generator[Stop, int, int]
CHOSEN = 9


class TooLong(Exception):
    """A generated program that takes too long to be a useful test."""


class _Signal(Exception):
    pass


class _Break(_Signal):
    pass


class _Continue(_Signal):
    pass


class _Return(_Signal):
    def __init__(self, value: int) -> None:
        self.value = value


@dataclass
class Direct:
    """One run. `slots` is the state without header use but for CHOSEN."""

    functions: Mapping[str, Function]
    slots: list[int]
    fuel: int = 20_000
    events: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])
    options: list[Row] = field(default_factory=list[Row])

    def call(self, name: str, args: list[int]) -> Runs:
        function = self.functions[name]
        frame = dict(zip(function.params, args, strict=True))
        try:
            yield from self.block(function.body, frame)
        except _Return as back:
            return back.value
        return 0

    def block(self, block: Block, frame: dict[str, int]) -> Runs:
        for stmt in block:
            self.fuel -= 1
            if self.fuel < 0:
                raise TooLong
            match stmt:
                case Assign(local=local, value=value):
                    frame[local] = yield from self.value(value, frame)
                case Store(index=index, value=value):
                    where = yield from self.value(index, frame)
                    self.slots[where] = yield from self.value(value, frame)
                case If(test=test, then=then, orelse=orelse):
                    yield from self.block(then if (yield from self.value(test, frame)) else orelse, frame)
                case While(test=test, body=body):
                    while (yield from self.value(test, frame)):
                        try:
                            yield from self.block(body, frame)
                        except _Break:
                            break
                        except _Continue:
                            continue
                case Break():
                    raise _Break
                case Continue():
                    raise _Continue
                case Return(value=value):
                    raise _Return((yield from self.value(value, frame)))
                case Do(call=call):
                    yield from self.value(call, frame)
                case Ask():
                    yield from self.ask(stmt, frame)
        return 0

    def ask(self, stmt: Ask, frame: dict[str, int]) -> Runs:
        seat = yield from self.value(stmt.seat, frame)
        prompt = yield from self.value(stmt.prompt, frame)
        self.options = []
        yield from self.block(stmt.listing, dict(frame))  # what a listing assigns is forgotten
        offered = list(self.options)
        taken: Row = (-1, 0, 0, 0)
        if len(offered) == 1 or (offered and seat < 0):
            taken = offered[0]
            self.events.append((FORCED, 0, *taken))
        elif offered:
            taken = offered[(yield seat, prompt, offered)]
            self.events.append((10, 0, *taken))
        self.slots[CHOSEN : CHOSEN + 4] = taken
        return 0

    def value(self, expr: Expr, frame: dict[str, int]) -> Runs:
        match expr:
            case Const(value=value):
                return value
            case Local(name=name):
                return frame.get(name, 0)
            case Load(index=index):
                return self.slots[(yield from self.value(index, frame))]
            case Binary(op=op, left=left, right=right):
                a = yield from self.value(left, frame)
                b = yield from self.value(right, frame)
                return _binary(op, a, b)
            case Not(value=inner):
                return 0 if (yield from self.value(inner, frame)) else 1
            case Pick(test=test, yes=yes, no=no):
                return (yield from self.value(yes if (yield from self.value(test, frame)) else no, frame))
            case Call(name=name, args=args):
                given: list[int] = []
                for arg in args:
                    given.append((yield from self.value(arg, frame)))
                if name == "emit":
                    self.events.append(tuple(given))
                    return 0
                if name == "opt":
                    verb, a, b, c = given
                    self.options.append((verb, a, b, c))
                    return 0
                return (yield from self.call(name, given))


def _binary(op: str, a: int, b: int) -> int:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "//":
            return a // b
        case "%":
            return a % b
        case "&":
            return a & b
        case "|":
            return a | b
        case "<":
            return int(a < b)
        case "<=":
            return int(a <= b)
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case "==":
            return int(a == b)
        case "!=":
            return int(a != b)
        case _:
            raise AssertionError(op)
