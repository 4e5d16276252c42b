"""What all parts of lowering share: the functions made so far, sites, verbs, texts, names.

In:  Symbols and Layout.
Out: a Context that the parts write into; program.py links it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rulewright.book import tree as t
from rulewright.book.source import Definition
from rulewright.book.symbols import Symbols, norm
from rulewright.diagnostics import Diagnostic
from rulewright.ir import nodes as n
from rulewright.ir.sheet import Site, Verb
from rulewright.lower.layout import Layout
from rulewright.lower.writer import Writer, local


@dataclass(slots=True)
class Context:
    """Shared state of one lowering run."""

    symbols: Symbols
    layout: Layout
    problems: list[Diagnostic]
    functions: dict[str, n.Function] = field(default_factory=dict[str, n.Function])
    sites: list[Site] = field(default_factory=lambda: [Site("", 0)])
    verbs: list[Verb] = field(default_factory=list[Verb])
    verb_index: dict[tuple[str, tuple[str, ...]], int] = field(
        default_factory=dict[tuple[str, tuple[str, ...]], int]
    )
    prompts: list[str] = field(default_factory=list[str])
    texts: list[str] = field(default_factory=list[str])
    work: int = 64
    serial: int = 0
    site_index: dict[tuple[str, int, str], int] = field(default_factory=dict[tuple[str, int, str], int])
    component_names: dict[int, str] = field(default_factory=dict[int, str])
    later: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])
    definition: Definition | None = None

    def fresh(self, prefix: str) -> str:
        """A function name nobody has yet."""
        self.serial += 1
        return f"{prefix}_{self.serial}"

    def add(self, function: n.Function) -> None:
        """Keep a finished function."""
        self.functions[function.name] = function

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
            clean = "".join(ch if ch.isalnum() else "_" for ch in norm(component.name))
            prefix = {"Check": "c", "Value": "v", "Effect": "e", "Table": "t", "Sequence": "q"}[
                component.kind
            ]
            self.component_names[key] = f"{prefix}_{clean}_{len(self.component_names)}"
        return self.component_names[key]

    def closure(self, prefix: str, build: Callable[[Writer], None], site: int = 0) -> n.Call:
        """A function of its own whose free locals are handed in: its call can stand anywhere."""
        writer = Writer(self.fresh(prefix))
        writer.site = site
        build(writer)
        writer.params = writer.free()
        self.add(writer.function())
        return n.Call(writer.name, tuple(local(p) for p in writer.params))
