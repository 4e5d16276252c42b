"""Every node of every shipped book knows where it is written, and what was read stands there.

Left out is what no text of a book says in these words: what a framework's wording stands for, and the
components that are made of blocks. Such nodes point to the wording or the block that they were made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.book import tree as t
from rulewright.book.bodies.moved import extent
from rulewright.book.forest import Forest, Tree
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition
from rulewright.book.text.tokens import Token
from rulewright.compiler import Checked, check
from rulewright.shelf import shelf

BOOKS = {entry.name: entry.path for entry in shelf()}


def words(node: Any) -> tuple[Token, Token] | None:
    """Its first and its last word; None for what no text of its own says."""
    written: tuple[Token, Token] | None = getattr(node, "written", None)
    return written if written is not None and written[0].line else None


def inside(token: Token, spans: list[tuple[str, int, int]]) -> bool:
    """Whether a word stands within these lines."""
    return any(file == token.file and first <= token.line <= last for file, first, last in spans)


def astray(node: Any, texts: dict[str, list[str]]) -> str:
    """What is wrong with where a node says it is written; nothing, if its words stand there."""
    first: Token = node.written[0]
    last: Token = node.written[1]
    for token in (first, last):
        line = texts[token.file][token.line - 1]
        there = line[token.column : token.column + len(token.text)]
        if there.replace("’", "'") != token.text.replace("’", "'"):
            return f"'{token.text}' is '{there}' in {line!r}"
    if (first.line, first.column) > (last.line, last.column):
        return "it ends before it begins"
    if node.end != (last.line, last.column + len(last.text) + 1):
        return "its end is elsewhere"
    span = node.span
    if first.line == last.line and span.column - 1 + span.length != last.column + len(last.text):
        return "its span ends elsewhere"
    return ""


def written_trees(checked: Checked) -> list[Tree]:
    """The trees of definitions that the book itself writes."""
    texts = {file: text.split("\n") for file, text in checked.texts.items()}

    def is_written(d: Definition) -> bool:
        return d.line.file in texts and norm(d.title) in norm(texts[d.line.file][d.line.number - 1])

    return [tree for tree in Forest(checked.symbols).trees if is_written(tree.definition)]


def within(tree: Tree) -> Iterator[tuple[Any, Any]]:
    """Nodes that are written, each with the nearest written one around it."""
    waiting: list[tuple[Any, Any]] = [(None, tree.body)]
    while waiting:
        around, part = waiting.pop()
        if isinstance(part, t.SORTS) and words(part) is not None:
            yield around, part
            around = part
        if isinstance(part, list | tuple):
            waiting += [(around, x) for x in part]  # pyright: ignore[reportUnknownVariableType]
        elif isinstance(part, t.SORTS):
            waiting += [(around, value) for name, value in vars(part).items() if name != "written"]


def overlaps(outer: Any, inner: Any) -> bool:
    """Whether the words of a node lie half in and half out of those of the node that holds it."""
    (a, b), (c, d) = outer.written, inner.written
    if len({a.file, c.file}) > 1:
        return False
    first, last = (a.line, a.column), (b.line, b.column)
    return (first <= (c.line, c.column) <= last) != (first <= (d.line, d.column) <= last)


def problems(checked: Checked) -> Iterator[str]:
    """Everything that is wrong with the places of a book's nodes."""
    texts = {file: text.split("\n") for file, text in checked.texts.items()}
    shared = [extent(d) for d in checked.symbols.preferences.values()]  # read wherever they are named
    for tree in written_trees(checked):
        own = [extent(tree.definition), *shared]
        for around, node in within(tree):
            wrong = astray(node, texts)
            if not wrong and not all(inside(token, own) for token in node.written):
                wrong = "it stands outside its definition"
            if not wrong and around is not None and overlaps(around, node):
                wrong = f"it lies half outside of {type(around).__name__} {around.span}"
            if wrong:
                yield f"{tree.definition.title}: {type(node).__name__} {node.span}: {wrong}"


@pytest.mark.parametrize("name", ["p52", "penance-1", "penance-2", "vigil"])
def test_every_node_stands_where_it_says(name: str) -> None:
    checked = check(BOOKS[name])
    assert list(problems(checked))[:10] == []
    trees = written_trees(checked)
    assert len(trees) > 0.9 * len(Forest(checked.symbols).trees)
    assert sum(1 for tree in trees for _ in within(tree)) > 3_000


def test_control_a_node_that_is_elsewhere_is_noticed() -> None:
    checked = check(BOOKS["vigil"])
    tree = next(tree for tree in written_trees(checked) if t.ReadRes in tree.kinds)
    node = next(node for node in tree.of(t.ReadRes) if words(node))
    first, last = node.written
    for moved in (last._replace(column=last.column + 1), last._replace(line=last.line + 300)):
        vars(node)["written"] = first, moved
        assert list(problems(checked)) != []
    vars(node)["written"] = first, last
    assert list(problems(checked)) == []


@pytest.mark.parametrize(
    ("statement", "covered"),
    [
        ("[Speed] += 1", "[Speed]"),
        ("[Heath] += 1", "Heath"),
        ("[Health] -= #Weak", "#Weak"),
        ("#Burn on #Speed", "#Speed"),
        ("[Lost] = [Health]", "[Health]"),
    ],
)
def test_what_is_wrong_with_a_whole_covers_all_of_it(tmp_path: Path, statement: str, covered: str) -> None:
    text = f"""---
title: Spans
seats: 1
---
```rules
Health (Resource) range: 0 to 9
Lost (Resource) of: Match
Hero (Actor) seat: 1
Speed (Value) 3
Weak (Check) [Health] < 3
Burn (Effect)
do: [Health] -= 1
Home (Ending)
Match (Sequence)
1. Go   {statement}, end the match with Home won by everyone
```
"""
    path = tmp_path / "spans.md"
    path.write_text(text)
    spans = [d.span for d in check(path).errors]
    said = [text.split("\n")[s.line - 1][s.column - 1 :][: s.length] for s in spans]
    assert covered in said, said
