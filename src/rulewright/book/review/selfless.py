"""Numbers of somebody, where there is nobody: a match begins for all, and so does what it runs for nobody.

In:  Symbols with their bodies.
Out: more diagnostics: an actor's number that is read or changed on the way down from Match before anybody
     acts.

`#Turn on it` says who acts from there on; `#Round` alone does not. Such a way is followed from the sequence
that a match begins with, through everything that it runs on nobody.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.book import tree as t
from rulewright.book.symbols import Symbols
from rulewright.book.walk import is_node, parts
from rulewright.diagnostics import Diagnostic, Span

SELF = "self"


def review_selfless(symbols: Symbols, problems: list[Diagnostic]) -> None:
    """Follow what Match runs on nobody."""
    start = symbols.components.get("Match")
    if start is None:
        return
    waiting, seen = [start], {id(start)}
    while waiting:
        component = waiting.pop()
        for line, part in _parts(component):
            found = [*_outside(part)]
            for node in found:
                if isinstance(node, t.Run) and _is_self(node.self_) and id(node.component) not in seen:
                    seen.add(id(node.component))
                    waiting.append(node.component)
            name = next((own for node in found if (own := _own(node))), None)
            if name is not None:
                at = component.definition.line
                span = Span(at.file, line or at.number, 1)
                words = f"say whose [{name}] it is: nobody acts yet in '{component.name}'"
                each = f"for each actor: [{name} of it] += 1"
                help_ = f"write `[{name} of X]`, as in `{each}`, or run it `on` somebody"
                problems.append(Diagnostic("wrong-kind", span, words, help_))


def _parts(component: t.Component) -> Iterator[tuple[int, object]]:
    """What it does, each part with its line where that is known."""
    for number, (_, block, _) in enumerate(component.steps):
        yield (component.step_lines[number] if number < len(component.step_lines) else 0), block
    yield 0, [component.body, component.check, component.value]


def _outside(part: object) -> Iterator[object]:
    """Every node but those that are about somebody: `as X`, and each of those who choose together, is
    self."""
    waiting = [part]
    while waiting:
        node = waiting.pop()
        if isinstance(node, t.Together | t.AsSelf):
            continue
        if is_node(node):
            yield node
        waiting += [x for x in parts(node) if is_node(x) or isinstance(x, list | tuple)]


def _is_self(thing: object) -> bool:
    return thing is None or (isinstance(thing, t.TLocal) and thing.name == SELF)


def _own(node: object) -> str | None:
    """The name of a number that belongs to whoever acts."""
    if isinstance(node, t.ReadRes | t.THold) and any(
        isinstance(owner, t.TLocal) and owner.name == SELF for owner in node.owners
    ):
        return node.resource.name
    return None
