"""What all parts of lowering share: the functions made so far, sites, verbs, texts, names.

In:  Symbols and Layout.
Out: a Builder that the parts write into; program.py links it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import count

from rulewright.book import tree as t
from rulewright.book.examples import ExampleCode
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.source import Definition
from rulewright.diagnostics import Diagnostic
from rulewright.ir import nodes as n
from rulewright.ir.sheet import Asked, ExampleCheck, LawSheet, Site, Verb
from rulewright.lower.facts import Facts
from rulewright.lower.layout import Layout
from rulewright.lower.wide import WIDE
from rulewright.lower.writer import Writer, call, const, local, state

FAR = 9999


@cache
def identifier(name: str) -> str:
    """A name as part of a function's: ASCII, and no two names become one."""
    return "".join(ch if ch.isascii() and ch.isalnum() else f"_{ord(ch):x}_" for ch in name)


def var(name: str, kind: str = "") -> str:
    """The IR name of a local; that of a path is marked, for it is too large for one slot (see `wide`)."""
    word = identifier(norm(name).lower())
    if kind == t.PATH:
        return WIDE + word
    return word if word.startswith("it") or word == "self" else "v_" + word


def like(kind: str, hint: str) -> str:
    """A hint for a fresh local that holds something of this kind."""
    return WIDE + hint if kind == t.PATH else hint


def field_of(b: Builder, field: str, whose: n.Expr, without: int = -1) -> n.Expr:
    """What the state holds of a thing in one of its fields; `without`, of none."""
    return call("cell", b.layout.base[field], whose, without)


def cell_of(b: Builder, field: str, whose: n.Expr) -> n.Expr:
    """The same of a thing that there is."""
    return state(const(b.layout.base[field]) + whose)


@dataclass(slots=True)
class Builder:
    """What one run knows: what was given, what grows, what was found out before the first function."""

    # What was given.
    symbols: Symbols
    layout: Layout
    facts: Facts
    problems: list[Diagnostic]
    examples: tuple[ExampleCode, ...] = ()

    # What grows.
    functions: dict[str, n.Function] = field(default_factory=dict[str, n.Function])
    sites: list[Site] = field(default_factory=lambda: [Site("", 0)])
    verbs: list[Verb] = field(default_factory=list[Verb])
    prompts: list[str] = field(default_factory=list[str])
    texts: list[str] = field(default_factory=list[str])
    bots: dict[str, str] = field(default_factory=dict[str, str])
    """Policy functions by the name of their strategy."""
    value: str = ""
    """The function that says what a position is worth, if the book does."""
    laws: list[LawSheet] = field(default_factory=list[LawSheet])
    asked: dict[str, Asked] = field(default_factory=dict[str, Asked])
    """What functions that say yes or no ask, in words."""
    example_checks: list[ExampleCheck] = field(default_factory=list[ExampleCheck])
    looking: dict[str, str] = field(default_factory=dict[str, str])
    """Functions that work a number out when it is first looked at, and those that only read it."""
    knowing: set[str] = field(default_factory=set[str])
    """Functions that work a number out, and give nothing."""
    work: int = 64
    """Cells of work memory."""

    # Names and numbers that were handed out, so that the same thing gets the same one.
    serial: int = 0
    temps: Iterator[int] = field(default_factory=lambda: count(1))
    """Locals have names of their own in the whole Program: a closure may read those of its maker."""
    site_index: dict[tuple[str, int, str], int] = field(default_factory=dict[tuple[str, int, str], int])
    verb_index: dict[tuple[str, tuple[str, ...]], int] = field(
        default_factory=dict[tuple[str, tuple[str, ...]], int]
    )
    component_names: dict[int, str] = field(default_factory=dict[int, str])
    hook_names: dict[int, str] = field(default_factory=dict[int, str])
    hook_slots: dict[int, int] = field(default_factory=dict[int, int])
    limits: dict[int, int] = field(default_factory=dict[int, int])
    action_name: dict[int, str] = field(default_factory=dict[int, str])
    action_verb: dict[int, int] = field(default_factory=dict[int, int])
    among_verb: dict[int, int] = field(default_factory=dict[int, int])
    pass_verb: int = 0
    decline_verb: int = 0
    step_verb: int = 0
    stop_verb: int = 0
    struck: int = 0
    """Slots for the targets of an area, reserved when the first area is met."""
    path_memory: int = 0
    """Work memory for paths, likewise."""

    # Where lowering is right now.
    definition: Definition | None = None
    fields: list[dict[int, int]] = field(default_factory=list[dict[int, int]])
    """Costs of walks that were worked out before the loop, by id() of the node."""
    afterwards: bool = False
    """In a check of an example, which may ask for what was kept by something that is over."""
    quiet: bool = False
    """Only asking whether something is possible: nothing is rolled."""
    often: t.Component | None = None
    """How often the dice of a loss are rolled."""

    def writer(
        self, name: str, params: tuple[str, ...] = (), framed: bool = False, keeps: tuple[str, ...] = ()
    ) -> Writer:
        """A new function."""
        return Writer(name, params, framed, keeps, self.temps)

    def fresh(self, prefix: str) -> str:
        """A function name nobody has yet."""
        self.serial += 1
        return f"{prefix}_{self.serial}"

    def add(self, function: n.Function) -> None:
        """Keep a finished function."""
        self.functions[function.name] = function

    @contextmanager
    def function(
        self,
        name: str,
        params: tuple[str, ...] = (),
        at: Definition | None = None,
        framed: bool = False,
        keeps: tuple[str, ...] = (),
    ) -> Generator[Writer, None, None]:
        """A new function, written in here and then kept; `at`: the definition that it is code of."""
        writer = self.writer(name, params, framed, keeps)
        if at is not None:
            writer.site = self.site(at.line.number, at)
        with self.within(at or self.definition):
            yield writer
        self.add(writer.function())

    def once(
        self,
        name: str,
        params: tuple[str, ...],
        build: Callable[[Writer], None],
        at: Definition | None = None,
    ) -> str:
        """The name of a function that is made when it is first asked for, and asked for while it is made."""
        if name not in self.functions:
            self.functions[name] = n.Function(name, params, ())
            with self.function(name, params, at) as writer:
                build(writer)
        return name

    @contextmanager
    def within(self, definition: Definition | None) -> Generator[None, None, None]:
        """What is written in here stands in this definition."""
        before, self.definition = self.definition, definition
        yield
        self.definition = before

    def site(self, line: int, definition: Definition | None = None) -> int:
        """The number of a place in the book."""
        d = definition or self.definition
        file = d.line.file if d else ""
        key = (file, line, d.title if d else "")
        if key not in self.site_index:
            self.site_index[key] = len(self.sites)
            self.sites.append(Site(file, line, d.title if d else "", d.cited(line) if d else ()))
        return self.site_index[key]

    def verb(self, text: str, args: tuple[str, ...] = (), site: int = 0) -> int:
        """The number of a verb."""
        key = (text, args)
        if key not in self.verb_index:
            self.verb_index[key] = len(self.verbs)
            self.verbs.append(Verb(text, args, site))
        return self.verb_index[key]

    def prompt(self, text: str) -> int:
        """The number of a prompt."""
        if text not in self.prompts:
            self.prompts.append(text)
        return self.prompts.index(text)

    def text(self, text: str) -> int:
        """The number of a text."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def memory(self, size: int) -> int:
        """Reserve work memory."""
        at = self.work
        self.work += size
        return at

    def name_of(self, component: t.Component) -> str:
        """The function of a component."""
        key = id(component)
        if key not in self.component_names:
            clean = identifier(norm(component.name))
            prefix = {"Check": "c", "Value": "v", "Effect": "e", "Table": "t", "Sequence": "q"}[
                component.kind
            ]
            self.component_names[key] = f"{prefix}_{clean}_{len(self.component_names)}"
        return self.component_names[key]

    def closure(self, prefix: str, build: Callable[[Writer], None], site: int = 0) -> n.Call:
        """A function of its own whose free locals are handed in: its call can stand anywhere."""
        writer = self.writer(self.fresh(prefix))
        writer.site = site
        build(writer)
        writer.params = writer.free()
        self.add(writer.function())
        return n.Call(writer.name, tuple(local(p) for p in writer.params))
