"""docs/grammar.txt and the parser say the same: every example is read, and no word is missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import cast

import pytest

from rulewright.book import tree as t
from rulewright.book.grammar.checks import PREDICATES, SAID
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import (
    BEGINNINGS,
    parse_check,
    parse_number,
    parse_selector,
    parse_thing,
)
from rulewright.book.grammar.forms import WORDINGS
from rulewright.book.grammar.moments import hook_moment
from rulewright.book.grammar.numbers import BRACKETS, FACTORS
from rulewright.book.grammar.relations import RELATIONS
from rulewright.book.grammar.scope import Scope
from rulewright.book.grammar.statements import parse_body
from rulewright.book.grammar.thing_forms import FORMS
from rulewright.book.phrases.match import PLACES, Either, Piece, pieces
from rulewright.book.symbols import Symbols
from rulewright.book.text.keywords import HEADERS
from rulewright.book.text.source import Line
from rulewright.book.text.tokens import END, tokenize
from rulewright.book.walk import nodes
from rulewright.compiler import check
from rulewright.diagnostics import Diagnostic, Span

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "grammar.txt").read_text("utf-8")
REFERENCE = (DOCS / "language.md").read_text("utf-8")
BOOK = """---
title: Grammar
seats: 1 to 2
---
```rules
Health (Resource) range: 0 to 20; maximum: 20
Part (List) words: Head, Arms, Legs
Armor (Resource) of: Actor, Part
Mark (Resource) holds: Actor
Poisoned (Status)
stacks: up to 5
Mud (Terrain) glyph: ~
Open (Terrain) glyph: .
Red (Side)
Blue (Side)
Hand (Zone)
Deck (Zone) of: Match
Discard (Zone) of: Match
Initiative (Order)
Weakest (Preference) lowest [Health]
Stride (Walk) costs: 1
Tough (Feature) modify: [Health] +1
Difficulty (Option) words: easy, hard
Over (Ending)
Wolf (Template) box: 2; side: Red
Ash (Actor) seat: 1; side: Blue

Strength (Value)
with: [N]
[N] + 1

Bulk (Value)
[Health] + 1

Ready (Check)
[Health] > 1

Hurt (Effect)
with: [N]
do: [Health] -= [N]

Bite
Target: Single enemy
do: [Target Health] -= 1

Attack (Sequence)
keeps: [Bite]
1. Opening    [Bite of Attack] = 1
2. Aftermath  [Bite of Attack] = 0

Turn (Sequence)
1. Act  act until pass

Match (Sequence)
1. All  put Ash in play at A1, put every Wolf in play at B2, #Attack on Ash, #Turn on Ash, window Hit: Ash
2. End  end the match with Over
```

**Blades (Card)**

| Card  | Copies | Price |
|-------|--------|-------|
| Lunge | 2      | 3     |
| Rest  | 1      | 1     |

```map
Field (Map)
grid: hex
names: A1
picture:
  ..
  .~
```
"""


def examples() -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    section = ""
    for above, line in zip(TEXT.split("\n"), TEXT.split("\n")[1:], strict=False):
        section = above if line.startswith("---") else section
        if line.startswith("    e.g. "):
            found.append((section, line.removeprefix("    e.g. ")))
    return found


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> Symbols:
    path = tmp_path_factory.mktemp("grammar") / "grammar.md"
    path.write_text(BOOK)
    checked = check(path)
    assert [str(d) for d in checked.errors] == []
    return checked.symbols


READERS: dict[str, Callable[[Cursor], object]] = {
    "NUMBER": parse_number,
    "THING": parse_thing,
    "SELECTOR": parse_selector,
    "CHECK": parse_check,
    "STATEMENT": parse_body,
    "MOMENT": hook_moment,
}


def read(symbols: Symbols, section: str, text: str) -> list[Diagnostic]:
    """What is wrong with a text that is to be one of these."""
    problems: list[Diagnostic] = []
    tokens = tokenize([Line("grammar.txt", 1, 0, text)], problems)
    cursor = Cursor(tokens, symbols, Scope(self=t.ACTOR, path=t.PATH), problems)
    READERS[section](cursor)
    assert cursor.now.kind == END, f"'{cursor.now.text}' was not read"
    return problems


@pytest.mark.parametrize(
    ("section", "text"), [(section, text) for section, text in examples() if section != "MOMENT"]
)
def test_a_node_knows_where_it_is_written(symbols: Symbols, section: str, text: str) -> None:
    tokens = tokenize([Line("grammar.txt", 3, 6, text)], [])
    made = READERS[section](Cursor(tokens, symbols, Scope(self=t.ACTOR, path=t.PATH), []))
    found = cast("list[t.Node]", made if isinstance(made, list) else [made])
    spans = [node.span for node in found]
    assert None not in spans
    first, last = cast("Span", spans[0]), cast("Span", spans[-1])
    assert (first.file, first.line, first.column) == ("grammar.txt", 3, 7)
    assert text[last.column + last.length - 7 :].strip(" .;,") == ""


def test_an_inner_node_knows_its_own_part(symbols: Symbols) -> None:
    text = "if [Health] > 1 + 2 and Ash is in play: [Health] -= 3 * 4"
    tokens = tokenize([Line("grammar.txt", 3, 6, text)], [])
    tree = parse_body(Cursor(tokens, symbols, Scope(self=t.ACTOR), []))
    read = {
        type(node): text[span.column - 7 :][: span.length]
        for node in nodes(tree)
        if isinstance(node, t.Node) and (span := node.span) is not None
    }
    wanted = {
        t.IfStmt: text,
        t.Compare: "[Health] > 1 + 2",
        t.SetNumber: "[Health] -= 3 * 4",
        t.Arith: "3 * 4",
    }
    assert {kind: read.get(kind) for kind in wanted} == wanted


@pytest.mark.parametrize(("section", "text"), examples(), ids=[text for _, text in examples()])
def test_every_example_is_read(section: str, text: str, symbols: Symbols) -> None:
    assert read(symbols, section, text) == []


def test_no_word_of_the_parser_is_missing() -> None:
    quoted = set(re.findall(r'"([^"\s]+)"', TEXT))
    nouns = {noun for noun, _ in t.NOUNS.values()}
    tables = (BEGINNINGS, RELATIONS, FORMS, FACTORS, BRACKETS, SAID, PREDICATES, HEADERS, PLACES, nouns)
    for words in (*tables, *map(pieces, WORDINGS)):
        assert literals(words) - quoted == set()


def literals(row: Iterable[Piece]) -> set[str]:
    """The words of a wording."""
    found: set[str] = set()
    for piece in row:
        match piece:
            case str():
                found |= {piece} if piece.isalpha() else set()
            case Either(rows=rows):
                found |= {word for inner in rows for word in literals(inner)}
            case _:
                pass
    return found


def test_control_a_word_that_nobody_reads_is_no_example(symbols: Symbols) -> None:
    assert read(symbols, "STATEMENT", "frobnicate self")


@pytest.mark.parametrize(
    "table", [RELATIONS, FORMS, BRACKETS, FACTORS, PREDICATES, SAID, BEGINNINGS], ids=lambda table: min(table)
)
def test_the_reference_names_every_word_that_a_construct_begins_with(table: Mapping[str, object]) -> None:
    missing = [word for word in table if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", REFERENCE)]
    assert missing == []
