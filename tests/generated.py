"""Random structured programs with decisions anywhere: hypothesis strategies.

Functions call only later ones and loops count up to a small number, so every program ends. Names of
locals are few and shared between code, loops and listings, which is where a split pass goes wrong.
"""

from __future__ import annotations

from hypothesis import strategies as st

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
from rulewright.ir.program import CHOSEN, HEADER

NAMES = ("a", "b", "c")
CELLS = tuple(range(HEADER, HEADER + 4))
LIMIT = 997  # keeps every number small enough for a slot


class Maker:
    """Draws one program. `plain` and `asking` are (name, number of parameters) that may be called."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.loops = 0
        self.params: tuple[str, ...] = ()
        self.plain: list[tuple[str, int]] = []
        self.asking: list[tuple[str, int]] = []

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def expr(self, depth: int = 2, effects: bool = True) -> Expr:
        match self.number(0, 8 if depth else 3):
            case 0:
                return Const(self.number(-3, 5))
            case 1 | 2:
                return Local(self.draw(st.sampled_from((*NAMES, *self.params))))
            case 3:
                return Load("S", Const(self.draw(st.sampled_from((*CELLS, CHOSEN, CHOSEN + 1)))))
            case 4 | 5:
                op = self.draw(st.sampled_from(OPERATORS))
                if op in ("//", "%"):
                    return Binary(
                        op, self.expr(depth - 1, effects), Const(self.draw(st.sampled_from((-3, 2, 7))))
                    )
                return Binary(op, self.expr(depth - 1, effects), self.expr(depth - 1, effects))
            case 6:
                return Not(self.expr(depth - 1, effects))
            case 7:
                parts = [self.expr(depth - 1, effects) for _ in range(3)]
                return Pick(*parts)
            case _:
                if not effects or not self.plain:
                    return Const(1)
                return self.call(self.plain, depth - 1)

    def call(self, among: list[tuple[str, int]], depth: int = 1) -> Call:
        name, count = self.draw(st.sampled_from(among))
        return Call(name, tuple(self.small(self.expr(depth)) for _ in range(count)))

    def small(self, expr: Expr) -> Expr:
        return Binary("%", expr, Const(LIMIT)) if not isinstance(expr, Const | Local) else expr

    def value(self) -> Expr:
        """What is kept must fit a slot; a bare comparison must be kept as 0 or 1."""
        made = self.expr()
        match made:
            case Binary(op="<" | "<=" | ">" | ">=" | "==" | "!=") | Not() | Const() | Local():
                return made
            case _:
                return Binary("%", made, Const(LIMIT))

    def block(self, depth: int, loop: bool, most: int = 4) -> Block:
        return tuple(self.stmt(depth, loop) for _ in range(self.number(1, most)))

    def stmt(self, depth: int, loop: bool) -> Stmt:
        match self.number(0, 13 if depth else 7):
            case 0 | 1:
                return Assign(self.draw(st.sampled_from(NAMES)), self.value())
            case 2:
                return Store("S", Const(self.draw(st.sampled_from(CELLS))), self.value())
            case 3:
                values = tuple(self.small(self.expr(1)) for _ in range(4))
                return Do(Call("emit", (Const(2), Const(1), *values)))
            case 4 | 5:
                return self.ask()
            case 6:
                return self.leave(loop)
            case 7 | 8 if self.asking:
                call = self.call(self.asking)
                return Do(call) if self.number(0, 1) else Assign(self.draw(st.sampled_from(NAMES)), call)
            case 9 | 10 | 11:
                return If(self.expr(1), self.block(depth - 1, loop), self.block(depth - 1, loop))
            case 12 | 13:
                return self.loop(depth)
            case _:
                return self.ask()

    def leave(self, loop: bool) -> Stmt:
        match self.number(0, 4):
            case 0 | 1 if loop:
                return Break()
            case 2 | 3 if loop:
                return Continue()
            case 4:
                return Return(self.value())
            case _:
                return Assign(self.draw(st.sampled_from(NAMES)), self.value())

    def loop(self, depth: int) -> While:
        self.loops += 1
        name = f"loop{self.loops}"
        step = Assign(name, Binary("+", Local(name), Const(1)))
        return While(Binary("<", Local(name), Const(self.number(0, 3))), (step, *self.block(depth - 1, True)))

    def ask(self) -> Ask:
        listing: list[Stmt] = []
        for _ in range(self.number(0, 3)):
            match self.number(0, 4):
                case 0:
                    listing.append(Assign(self.draw(st.sampled_from(NAMES)), self.small(self.expr(1, False))))
                case 1:
                    self.loops += 1
                    name = f"loop{self.loops}"
                    step = Assign(name, Binary("+", Local(name), Const(1)))
                    listing.append(While(Binary("<", Local(name), Const(2)), (step, self.option())))
                case 2:
                    listing.append(If(self.expr(1, False), (self.option(),), (self.option(),)))
                case _:
                    listing.append(self.option())
        if self.number(0, 3):  # a real decision, most of the time
            listing += [self.option(), self.option()]
        seat = self.small(self.expr(1, False)) if self.number(0, 5) == 0 else Const(self.number(0, 1))
        return Ask(tuple(listing), seat, self.small(self.expr(1, False)))

    def option(self) -> Stmt:
        values = tuple(self.small(self.expr(1, False)) for _ in range(3))
        return Do(Call("opt", (Const(self.number(0, 3)), *values)))

    def function(self, name: str, params: int, asks: bool) -> Function:
        self.params = tuple(f"p{i}" for i in range(params))
        self.loops = 0
        body = (*self.block(3, False, 5), self.loop(3)) if asks else self.plain_block()
        # Never reached, but it makes every name known, as lowering's code always is.
        known = tuple(Assign(local, Const(0)) for local in NAMES)
        return Function(name, self.params, (*body, Return(Local("a")), *known))

    def plain_block(self) -> Block:
        note = Do(Call("emit", (Const(2), Const(0), *(self.small(self.expr(1)) for _ in range(4)))))
        return (
            Assign("a", self.value()),
            note,
            If(self.expr(1), (Return(self.value()),)),
            Store("S", Const(HEADER), self.value()),
        )


@st.composite
def programs(draw: st.DrawFn) -> dict[str, Function]:
    """Functions by name, `main` among them."""
    maker = Maker(draw)
    made: list[Function] = []
    for i in range(maker.number(0, 2)):
        made.append(maker.function(f"plain{i}", maker.number(0, 2), asks=False))
        maker.plain.append((made[-1].name, len(made[-1].params)))
    for i in range(maker.number(0, 2)):
        function = maker.function(f"asks{i}", maker.number(0, 2), asks=True)
        if maker.number(0, 3) == 0:
            function = Function(function.name, function.params, function.body, framed=True, keeps=("b",))
        made.append(function)
        maker.asking.append((function.name, len(function.params)))
    made.append(maker.function("main", 0, asks=True))
    return {function.name: function for function in made}
