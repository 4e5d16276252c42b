"""Symbols -> Program: the order in which everything is lowered.

In:  the checked Symbols of a book.
Out: a Program, linked and verified.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from rulewright import lower as lowering
from rulewright.book.examples import ExampleCode
from rulewright.book.symbols import Symbols
from rulewright.diagnostics import Diagnostic
from rulewright.ir import nodes as n
from rulewright.ir.kernels_cards import RIG, RIGS
from rulewright.ir.link import link
from rulewright.ir.program import HEADER, UNSTATED_BOUND, Program
from rulewright.ir.sheet import ActionCode, FieldCode, Keeps, Sheet
from rulewright.lower.afterwards import reserve_last
from rulewright.lower.beginning import inherited, main
from rulewright.lower.behaviors import strategies
from rulewright.lower.builder import Builder, identifier
from rulewright.lower.cards import new_card_function
from rulewright.lower.changes import setters
from rulewright.lower.components import lower_component
from rulewright.lower.dice import roll_function
from rulewright.lower.doing import lower_actions
from rulewright.lower.facts import find
from rulewright.lower.frames import unframed
from rulewright.lower.getters import getters
from rulewright.lower.lasting import timed_functions
from rulewright.lower.laws import law_functions
from rulewright.lower.layout import Layout
from rulewright.lower.lazy import settled
from rulewright.lower.legality import prepare_actions
from rulewright.lower.moving import enter_function
from rulewright.lower.open_zones import look_function
from rulewright.lower.orders import lay_function
from rulewright.lower.policies import policies, value_function
from rulewright.lower.prices import amount_table, price_table
from rulewright.lower.spaces import space_functions
from rulewright.lower.statuses import status_functions
from rulewright.lower.unwind import resolve
from rulewright.lower.wide import widened
from rulewright.lower.writer import CHECK

STACK = 1536

for _module in iter_modules(lowering.__path__):  # each files the nodes it lowers in dispatch.py
    import_module(f"{lowering.__name__}.{_module.name}")


def run(b: Builder, name: str) -> Program:
    """Everything, in order."""
    if b.examples and b.symbols.zones:
        b.layout.result["shuffles"] = b.layout.slots(RIGS * RIG)
    reserve_last(b)
    prepare_actions(b)
    space_functions(b)
    roll_function(b)
    getters(b)
    setters(b)
    status_functions(b)
    enter_function(b)
    lay_function(b)
    new_card_function(b)
    look_function(b)
    for component in [*b.symbols.components.values(), *[x.component for x in b.symbols.sentences]]:
        with b.within(component.definition):
            lower_component(b, component)
    lower_actions(b)
    strategies(b)
    main(b)
    timed_functions(b)
    b.bots = policies(b)
    b.value = value_function(b)
    law_functions(b)
    actions = {b.layout.current[id(action)] for action in (*b.symbols.actions.values(), *b.symbols.offers)}
    functions = widened(unframed(resolve(settled(b)), actions))
    functions.pop(CHECK, None)
    return finish(b, name, functions)


def _keeps(b: Builder) -> Keeps | None:
    """What can be carried over into a later match, and by whom."""
    s, at = b.symbols, b.layout
    if not s.keeps:
        return None
    led: dict[int, int] = {}
    for i, actor in enumerate(s.actors):
        seat = inherited(b, actor.template, "seat")
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
def finish(b: Builder, name: str, functions: dict[str, n.Function]) -> Program:
    """Tables and code together."""
    s, at = b.symbols, b.layout
    columns: dict[str, dict[str, tuple[int | str, ...]]] = {}
    for table in (*s.lists.values(), s.faces, s.terrains, s.status_list):
        columns[table.name] = {
            c.name: tuple(c.texts[i] if i < len(c.texts) else "" for i in range(len(table.words)))
            for c in table.columns.values()
        }
    front = {k: str(v) for k, v in s.front.items() if k != "roles"}
    if s.roles.turn is not None:
        front["turn"] = s.roles.turn.name
    sheet = Sheet(
        things=at.things, fields=tuple(at.fields), field_code=_field_code(b, functions),
        actions=_action_code(b, functions),
        asked={name: said for name, said in b.asked.items() if name in functions},
        zones=tuple(at.zones), columns=columns, statuses=tuple(at.statuses),
        templates=tuple(s.templates[a.template].name for a in s.actors), maps=tuple(at.maps),
        orders=tuple(at.orders),
        dice=tuple(x.name for x in s.dice.values()), options=tuple(at.options),
        verbs=tuple(b.verbs), prices=price_table(s), amounts=amount_table(s),
        prompts=tuple(b.prompts) or ("",),
        sites=tuple(b.sites), texts=tuple(b.texts), endings=tuple(s.endings),
        strategies=tuple(b.bots), policies=tuple(b.bots.values()), value=b.value, laws=tuple(b.laws),
        example_checks=tuple(b.example_checks), front=front,
        told=dict(s.told), keeps=_keeps(b), result=at.result,
    )  # fmt: skip
    bound = s.front.get("bound", UNSTATED_BOUND)
    tables = Program(
        name=name,
        title=str(s.front.get("title", name)),
        functions={},
        segments=(),
        entry=0,
        size=len(at.initial) + STACK,
        stack_base=len(at.initial),
        work=b.work,
        initial=tuple(at.initial),
        params=tuple(at.params) or (0,),
        param_names=tuple(at.param_names) or ("",),
        consts=tuple(at.consts) or (0,),
        bound=int(bound) if isinstance(bound, int) else UNSTATED_BOUND,
        seats=b.symbols.seats,
        sheet=sheet,
    )
    assert len(at.initial) >= HEADER
    return link(tables, functions)


def _field_code(b: Builder, functions: dict[str, n.Function]) -> tuple[FieldCode, ...]:
    made = [FieldCode()] * len(b.layout.fields)
    for key, index in b.layout.field_index.items():
        names = (f"get_{identifier(key)}", f"max_{identifier(key)}")
        made[index] = FieldCode(*(name if name in functions else "" for name in names))
    return tuple(made)


def _action_code(b: Builder, functions: dict[str, n.Function]) -> tuple[ActionCode, ...]:
    made: list[ActionCode] = []
    for a in (*b.symbols.actions.values(), *b.symbols.offers, *b.symbols.face_actions.values()):
        stem = b.action_name[id(a)]
        steps = tuple(name if name in functions else "" for name in (f"ok_{stem}_0", f"ok_{stem}_1"))
        if f"legal_{stem}" in functions:
            made.append(ActionCode(a.name, f"legal_{stem}", steps))
    return tuple(made)


def lower(
    name: str, symbols: Symbols, problems: list[Diagnostic], examples: tuple[ExampleCode, ...] = ()
) -> Program:
    """The Program of a checked book; with examples, one that can also run those."""
    layout = Layout(symbols).build()
    facts = find(symbols, layout, examples)
    return run(Builder(symbols, layout, facts, problems, examples), name)
