"""Symbols -> Program: the order in which everything is lowered.

In:  the checked Symbols of a book.
Out: a Program, linked and verified.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.examples import ExampleCode
from rulewright.book.symbols import Symbols
from rulewright.diagnostics import Diagnostic
from rulewright.ir import nodes as n
from rulewright.ir.kernels_cards import RIG, RIGS
from rulewright.ir.link import link
from rulewright.ir.program import HEADER, Program
from rulewright.ir.sheet import Keeps, Sheet
from rulewright.lower.beginning import Beginning
from rulewright.lower.context import Context
from rulewright.lower.frames import unframed
from rulewright.lower.layout import Layout
from rulewright.lower.lazy import settled
from rulewright.lower.unwind import resolve
from rulewright.lower.writer import CHECK, Writer

STACK = 1536


class Lowerer(Beginning):
    """Lowers a whole book."""

    def run(self, name: str) -> Program:
        """Everything, in order."""
        Writer.temps = 0
        self.hook_names = {}
        self.limits = {}
        self.prepare_rules()
        self.prepare_framework()
        if self.examples and self.s.zones:
            self.l.result["shuffles"] = self.l.slots(RIGS * RIG)
        self.prepare_actions()
        self.prepare_company()
        self.space_functions()
        self.roll_function()
        self.getters()
        self.setters()
        self.status_functions()
        self.enter_function()
        self.lay_function()
        self.new_card_function()
        for component in [*self.s.components.values(), *[x.component for x in self.s.sentences]]:
            before = self.c.definition
            self.c.definition = component.definition
            self.component(component)
            self.c.definition = before
        self.actions()
        self.strategies()
        self.main()
        self.timed_functions()
        self.forget_function()
        self.bots = self.policies()
        actions = {self.l.current[id(action)] for action in (*self.s.actions.values(), *self.s.offers)}
        functions = unframed(resolve(settled(self.c.functions)), actions)
        functions.pop(CHECK, None)
        return self.finish(name, functions)

    def _keeps(self) -> Keeps | None:
        """What can be carried over into a later match, and by whom."""
        s, at = self.s, self.l
        if not s.keeps:
            return None
        led: dict[int, int] = {}
        for i, actor in enumerate(s.actors):
            seat = self._inherited(actor.template, "seat")
            digits = "".join(ch for ch in seat if ch.isdigit())
            if seat not in ("", "none"):
                led[i] = actor.number if seat == "each" else int(digits) - 1 if digits else 0
        zones = list(s.zones)
        return Keeps(
            tuple(at.field_index[key] for key in s.keeps if key in s.resources),
            tuple(zones.index(key) for key in s.keeps if key in s.zones),
            tuple(led),
            tuple(led.values()),
            at.brought,
        )

    # ------------------------------------------------------------ the Program
    def finish(self, name: str, functions: dict[str, n.Function]) -> Program:
        """Tables and code together."""
        s, at = self.s, self.l
        things: dict[str, tuple[str, ...]] = {
            t.ACTOR: tuple(a.name for a in s.actors),
            t.CARD: tuple(f"card {i + 1}" for i in range(at.cards)),
            t.SPACE: tuple(p.name for p in s.spaces),
            t.FACE: tuple(s.faces.words),
            t.SIDE: tuple(s.sides.words),
            t.DIRECTION: tuple(s.directions.words),
            "Terrain": tuple(s.terrains.words),
            t.STATUS: tuple(s.status_list.words),
        }
        for table in (*s.lists.values(), *s.dice.values()):
            things[table.name] = tuple(table.words)
        columns: dict[str, dict[str, tuple[int | str, ...]]] = {}
        for table in (*s.lists.values(), s.faces, s.terrains, s.status_list):
            columns[table.name] = {
                c.name: tuple(c.texts[i] if i < len(c.texts) else "" for i in range(len(table.words)))
                for c in table.columns.values()
            }
        front = {k: str(v) for k, v in s.front.items()}
        sheet = Sheet(
            things=things, fields=tuple(at.fields), zones=tuple(at.zones), columns=columns,
            statuses=tuple(at.statuses),
            templates=tuple(s.templates[a.template].name for a in s.actors), maps=tuple(at.maps),
            orders=tuple(at.orders),
            dice=tuple(x.name for x in s.dice.values()), options=tuple(at.options),
            verbs=tuple(self.c.verbs), prompts=tuple(self.c.prompts) or ("",),
            sites=tuple(self.c.sites), texts=tuple(self.c.texts), endings=tuple(s.endings),
            strategies=self.bots, front=front, keeps=self._keeps(), result=at.result,
        )  # fmt: skip
        bound = s.front.get("bound", 100_000)
        tables = Program(
            name=name,
            title=str(s.front.get("title", name)),
            functions={},
            segments=(),
            entry=0,
            size=len(at.initial) + STACK,
            stack_base=len(at.initial),
            work=self.c.work,
            initial=tuple(at.initial),
            params=tuple(at.params) or (0,),
            param_names=tuple(at.param_names) or ("",),
            consts=tuple(at.consts) or (0,),
            bound=int(bound) if isinstance(bound, int) else 100_000,
            seats=self._seats(),
            sheet=sheet,
        )
        assert len(at.initial) >= HEADER
        return link(tables, functions)

    def _seats(self) -> tuple[int, int]:
        text = str(self.s.front.get("seats", "1"))
        parts = [int(p) for p in text.replace("to", "-").split("-") if p.strip().isdigit()]
        return (parts[0], parts[-1]) if parts else (1, 1)


def lower(
    name: str, symbols: Symbols, problems: list[Diagnostic], examples: tuple[ExampleCode, ...] = ()
) -> Program:
    """The Program of a checked book; with examples, one that can also run those."""
    layout = Layout(symbols).build()
    lowerer = Lowerer(Context(symbols, layout, problems))
    lowerer.examples = examples
    return lowerer.run(name)
