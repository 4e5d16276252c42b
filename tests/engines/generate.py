"""Random Programs, to compare engines on code no book would write.

In:  a seed.
Out: `program(seed)`: valid, ends by itself, and over a few hundred seeds uses every node, operator and
     intrinsic, every kernel of the machine, decisions with no, one or many options, deep suspension.

Numbers stay small by construction (what a local keeps is reduced or clamped), because the reference
computes with integers of any size and only 64 bits are promised. With `wild`, some programs index,
divide or nest without care, so that faults are compared as well.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from rulewright.ir.link import blank, link
from rulewright.ir.nodes import (
    OPERATORS,
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
    Stmt,
    Store,
    While,
)
from rulewright.ir.program import HEADER, Program
from rulewright.ir.sheet import Sheet, Site

SLOTS, PARAMS, CONSTS, WORK = 40, 9, 23, 31
SITES = 50
INTERESTING = (0, 1, -1, 2, 3, 7, -8, 20, 31, 64, 255, -256, 1000, 65_537, 2**31 - 1, -(2**31))


class Maker:
    """Writes one random Program."""

    def __init__(self, seed: int, wild: bool, functions: int, asking: int, length: int) -> None:
        self.random = Random(seed)
        self.wild = wild
        self.length = length
        self.plain: dict[str, int] = {}
        self.asking: dict[str, int] = {}
        self.locals: list[str] = []
        self.count = functions, asking
        self.pure = False
        self.loops = 0
        self.site = 0

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def program(self, name: str) -> Program:
        made: dict[str, Function] = {}
        for k in range(self.count[0]):
            params = tuple(f"p{i}" for i in range(self.random.randrange(4)))
            made[f"f{k}"] = self.function(f"f{k}", params, asks=False)
            self.plain[f"f{k}"] = len(params)
        for k in range(self.count[1]):
            params = tuple(f"p{i}" for i in range(self.random.randrange(3)))
            made[f"g{k}"] = self.function(f"g{k}", params, asks=True)
            self.asking[f"g{k}"] = len(params)
        made["policy_0"] = self.policy()
        made["main"] = self.main()
        tables = replace(
            blank(name, tuple(self.random.randrange(-50, 50) for _ in range(SLOTS)), stack=200, work=WORK),
            params=tuple(self.random.choice(INTERESTING) for _ in range(PARAMS)),
            param_names=tuple(f"number {k}" for k in range(PARAMS)),
            consts=tuple(self.random.randrange(-99, 99) for _ in range(CONSTS)),
            seats=(1, 3),
            bound=400,
            sheet=Sheet(
                sites=tuple(Site("random.md", line) for line in range(SITES)),
                policies=("policy_0",),
                result={"ending": HEADER, "score": HEADER + 1},
            ),
        )
        return link(tables, made)

    # Functions

    def function(self, name: str, params: tuple[str, ...], asks: bool) -> Function:
        self.locals = [*params, "x", "y", "z"]
        body = self.block(self.length, 2, asks)
        if not asks:
            body += (Return(self.small(3)),) if self.chance(0.8) else ()
        starts: Block = tuple(Assign(local, Const(k)) for k, local in enumerate(("x", "y", "z")))
        # Locals that are read before they are given a value are 0; leave some to that rule.
        starts = starts[self.random.randrange(4) :]
        return Function(name, params, starts + self.used() + body, framed=asks and self.chance(0.2))

    def used(self) -> Block:
        """Make sure the verifier sees every local assigned somewhere, without assigning it."""
        unused = [Assign(local, Local(local)) for local in ("x", "y", "z")]
        return (If(Const(0), tuple(unused)),)

    def main(self) -> Function:
        self.locals = ["x", "y", "z", "turn"]
        inner = self.block(self.length, 2, True)
        step: Block = (Assign("turn", Binary("+", Local("turn"), Const(1))),)
        rounds = While(Binary("<", Local("turn"), Const(self.random.randrange(4, 15))), step + inner)
        return Function("main", (), (*self.used(), rounds, Return(self.small(2))), True, ("x",))

    def policy(self) -> Function:
        """Takes a random option: policies may draw numbers of their own."""
        pick = Call("rnd", (Call("nopt"),)) if self.chance(0.5) else Const(0)
        return Function("policy_0", (), (Return(pick),))

    # Statements

    def block(self, length: int, depth: int, asks: bool) -> Block:
        count = self.random.randrange(1, length + 1)
        return tuple(part for _ in range(count) for part in self.statements(depth, asks))

    def statements(self, depth: int, asks: bool) -> Block:
        kinds = ["assign", "assign", "store", "store", "do", "emit", "fill"]
        if depth:
            kinds += ["if", "if", "while"]
        if asks:
            kinds += ["ask"] * 8
            if self.asking:
                kinds += ["suspend"] * 4
        if self.loops:
            kinds += ["break", "continue"]
        if self.wild:
            kinds += ["fault"]
        self.site = self.random.randrange(SITES)
        return self.statement(self.random.choice(kinds), depth, asks)

    def statement(self, kind: str, depth: int, asks: bool) -> Block:
        site = self.site
        match kind:
            case "assign":
                return (Assign(self.target(), self.kept(3), site),)
            case "store":
                return (self.store(site),)
            case "do":
                return (Do(self.call(2), site),)
            case "fill":
                start = self.random.randrange(WORK)
                count: Expr = Const(self.random.randrange(WORK - start + 1))
                if self.wild and self.chance(0.3):
                    count = self.number(1)
                return (Do(Call("fill", (Const(start), count, self.kept(2))), site),)
            case "emit":
                return (Do(Call("emit", tuple(self.small(1) for _ in range(6))), site),)
            case "if":
                orelse = self.block(2, depth - 1, asks) if self.chance(0.6) else ()
                return (If(self.number(2), self.block(2, depth - 1, asks), orelse, site),)
            case "while":
                return self.loop(depth, asks, site)
            case "ask":
                return (self.ask(site),)
            case "suspend":
                name = self.random.choice(list(self.asking))
                made = Call(name, tuple(self.kept(2) for _ in range(self.asking[name])))
                return (Assign(self.target(), made, site) if self.chance(0.6) else Do(made, site),)
            case "break" | "continue":
                leave: Stmt = Break(site) if kind == "break" else Continue(site)
                return (If(self.number(2), (leave,), (), site),)
            case _:
                code = Call("fault", (Const(self.random.randrange(1, 8)),))
                return (If(Binary("==", self.small(2), Const(77)), (Do(code, site),), (), site),)

    def loop(self, depth: int, asks: bool, site: int) -> Block:
        """Counts up first, so that Continue cannot make it endless."""
        counter = f"i{self.random.randrange(1000)}"
        self.locals.append(counter)
        self.loops += 1
        step: Block = (Assign(counter, Binary("+", Local(counter), Const(1)), site),)
        inner = self.block(2, depth - 1, asks and self.chance(0.5))
        self.loops -= 1
        self.locals.remove(counter)
        test = Binary("<", Local(counter), Const(self.random.randrange(1, 5)))
        return (Assign(counter, Const(0), site), While(test, step + inner, site))

    def ask(self, site: int) -> Ask:
        self.pure, loops, self.loops = True, self.loops, 0
        parts: list[Stmt] = []
        for _ in range(self.random.choice((0, 1, 2, 3, 3, 4))):
            offer: Block = (Do(Call("opt", tuple(self.small(2) for _ in range(4))), site),)
            if self.chance(0.3):
                offer = (If(self.number(2), offer, (), site),)
            elif self.chance(0.3):
                step = Assign("n", Binary("+", Local("n"), Const(1)), site)
                test = Binary("<", Local("n"), Const(self.random.randrange(1, 6)))
                offer = (Assign("n", Const(0), site), While(test, (*offer, step), site))
            parts += offer
        seat = Binary("-", Binary("%", self.small(1), Const(7)), Const(1))
        self.pure, self.loops = False, loops
        return Ask(tuple(parts), seat, Const(self.random.randrange(5)), site)

    def store(self, site: int) -> Stmt:
        array = self.random.choice("SSSW")
        return Store(array, self.place(array, 2), self.kept(3), site)

    def target(self) -> str:
        return self.random.choice(("x", "y", "z"))

    # Expressions

    def place(self, array: str, depth: int) -> Expr:
        """An index that exists, or in a wild program perhaps not."""
        first, count = {"S": (HEADER, SLOTS), "P": (0, PARAMS), "K": (0, CONSTS), "W": (0, WORK)}[array]
        if self.chance(0.3):
            return Const(first + self.random.randrange(count))
        if self.wild and self.chance(0.1):
            start = Const(self.random.choice((-1, 10**6)))
            outside = Binary("-", start, Binary("%", self.number(depth - 1), Const(999)))
            return Pick(Binary("==", self.small(1), Const(4)), outside, Const(first))
        return Binary("+", Const(first), Binary("%", self.number(depth - 1), Const(count)))

    def kept(self, depth: int) -> Expr:
        """A value of at most a million, fit to be kept in a local or slot."""
        value = self.number(depth)
        match self.random.randrange(4):
            case 0:
                return Call("clamp", (value, Const(-1_000_000), Const(1_000_000)))
            case 1:
                return Binary("%", value, Const(self.random.choice((2, 3, 7, 16, 100, 999_983))))
            case 2:
                return self.comparison(depth)
            case _:
                return Pick(self.comparison(1), self.small(depth), self.small(depth))

    def small(self, depth: int) -> Expr:
        return Binary("%", self.number(depth), Const(self.random.choice((2, 5, 10, 100))))

    def comparison(self, depth: int) -> Expr:
        op = self.random.choice(("<", "<=", ">", ">=", "==", "!="))
        return Binary(op, self.number(depth - 1), self.number(depth - 1))

    def number(self, depth: int) -> Expr:
        """Any value of modest size."""
        if depth <= 0:
            if self.chance(0.5):
                return Local(self.random.choice(self.locals))
            usual = self.random.randrange(-9, 30)
            return Const(self.random.choice(INTERESTING) if self.chance(0.5) else usual)
        match self.random.randrange(12):
            case 0 | 1:
                array = self.random.choice("SSPKW" if not self.pure else "SSPK")
                return Load(array, self.place(array, depth))
            case 2:
                return Not(self.number(depth - 1))
            case 3:
                return Pick(self.number(depth - 1), self.number(depth - 1), self.number(depth - 1))
            case 4:
                return self.call(depth)
            case 5:
                return self.comparison(depth)
            case _:
                return self.binary(depth)

    def binary(self, depth: int) -> Expr:
        op = self.random.choice(OPERATORS)
        left, right = self.number(depth - 1), self.number(depth - 1)
        if op == "*":
            return Binary(op, Binary("%", left, Const(1000)), Binary("%", right, Const(1000)))
        if op in ("//", "%"):
            if self.wild and self.chance(0.2):
                return Binary(op, left, Binary("-", right, Local("x")))
            divisor = Binary("+", Binary("%", right, Const(9)), Const(1))
            sign = self.chance(0.3)
            return Binary(op, left, Binary("-", Const(0), divisor) if sign else divisor)
        return Binary(op, left, right)

    def call(self, depth: int) -> Call:
        kinds = ["div", "minimum", "absolute", "sign", "nopt", "seek"]
        if not self.pure:
            kinds += ["rnd", "rnd", "mix", "roll", "roll_sum"]
            if self.plain:
                kinds += ["plain", "plain"]
        kind = self.random.choice(kinds)
        match kind:
            case "plain":
                name = self.random.choice(list(self.plain))
                return Call(name, tuple(self.kept(depth - 1) for _ in range(self.plain[name])))
            case "rnd" | "mix":
                return Call(kind, (Binary("-", self.small(depth - 1), Const(1)),))
            case "roll":
                return Call(kind, (Const(self.random.randrange(1, 21)), Const(self.site)))
            case "roll_sum":
                return Call(kind, (Const(self.random.randrange(4)), Const(6), Const(self.site)))
            case "div" | "minimum":
                return Call(kind, (self.number(depth - 1), self.number(depth - 1)))
            case "nopt":
                return Call(kind)
            case "seek":
                return self.seek(depth)
            case _:
                return Call(kind, (self.number(depth - 1),))

    def seek(self, depth: int) -> Call:
        """A look through a row of slots, of known or computed length; with `wild` past the end."""
        name = self.random.choice(("seek", "seek_not", "seek_over", "seek_either", "seek_both"))
        start, length = self.random.randrange(SLOTS), self.random.randrange(SLOTS)
        length = min(length, SLOTS - start)
        base: Expr = Const(HEADER + start)
        end: Expr = Const(length)
        if self.chance(0.3):
            end = Binary("%", self.number(depth - 1), Const(length + 1))
        if self.chance(0.2):
            base = Binary("+", base, Binary("%", self.number(depth - 1), Const(1)))
        if self.wild and self.chance(0.2):
            base, end = self.number(depth - 1), self.number(depth - 1)
        first = self.small(depth - 1) if self.chance(0.5) else Binary("-", self.small(depth - 1), Const(3))
        some = Load("S", Const(HEADER + self.random.randrange(SLOTS)))
        value = some if name in ("seek_not", "seek_over") or self.chance(0.7) else self.number(depth - 1)
        if name == "seek_either":
            return Call(name, (base, first, end, value, self.number(depth - 1)))
        if name == "seek_both":
            kinds = Const(self.random.randrange(9))
            row = Const(HEADER + min(self.random.randrange(SLOTS), SLOTS - length))
            return Call(name, (base, first, end, some, row, some, kinds))
        return Call(name, (base, first, end, value))


def program(seed: int, wild: bool = False, functions: int = 4, asking: int = 3, length: int = 4) -> Program:
    """A random Program; the same seed always gives the same one."""
    return Maker(seed, wild, functions, asking, length).program(f"random{seed}")
