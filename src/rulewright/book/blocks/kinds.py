"""Blocks of kinds that a book declares for itself -> words of a List, and a component for each line.

In:  Blocks, with the Kinds and the blocks of each.
Out: definitions: a List called like the kind (or the book's own of that name), and for a line without forms
     the components `KIND LINE`, which only says whose is meant, and `LINE of BLOCK` for each block.

What a block says in a line keeps the lines and citations of the block, so that a mistake is shown where it
was made. Lines with forms are code of `meaning`, as those of a framework's blocks are.
"""

from __future__ import annotations

from rulewright.book.blocks.forms import CODE, Field, Kind
from rulewright.book.blocks.lines import missing
from rulewright.book.blocks.rows import unread
from rulewright.book.blocks.state import Blocks
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.diagnostics import suggest


def own_blocks(c: Blocks) -> None:
    """Check the blocks of the book's own kinds, and write what they mean."""
    words = _lists(c.made) if any(kind.own for kind in c.kinds.values()) else {}
    for kind in c.kinds.values():
        if kind.own:
            blocks = c.good[kind.name] = _checked(c, kind, words.get(kind.name))
            if kind.name not in words:
                text = ", ".join(d.title for d in blocks) or "none"
                c.made.append(
                    Definition(kind.name, "List", kind.line, fields=[_field("words", kind.line, [text])])
                )
            for f in kind.fields.values():
                if f.code:
                    having = [(d, said) for d in blocks if (said := d.get(f.name)) is not None and said.lines]
                    c.made += [_own(kind, f, d, said) for d, said in having]
                    c.made.append(_whose(kind, f, [d.title for d, _ in having]))


def _lists(definitions: list[Definition]) -> dict[str, list[str]]:
    """The words of each List that the book writes down by itself."""
    found: dict[str, list[str]] = {}
    for d in definitions:
        if d.kind == "List":
            said = d.get("words", "body")
            cells = [row.cells[0][1].text for row in d.rows if row.cells]
            words = [x.strip() for x in said.text.split(",")] if said and not cells else cells
            found.setdefault(d.title, []).extend(words)
    return found


def _checked(c: Blocks, kind: Kind, words: list[str] | None) -> list[Definition]:
    """The blocks that can be used; what is wrong with the others, and with their lines, is reported."""
    good: list[Definition] = []
    for d in c.blocks.get(kind.name, []):
        if words is not None and d.title not in words:
            help_ = suggest(d.title, words)
            c.problem("unknown-name", d.line, f"no {kind.name} is called '{d.title}'", help_)
        elif c.named(d, kind.name.lower()):
            good.append(d)
            for f in kind.fields.values():
                if not missing(c, d, f) and f.means:
                    unread(c, f, d)
    return good


# ------------------------------------------------------------ what they mean
def _field(key: str, at: Line, texts: list[str]) -> FieldText:
    return FieldText(key, [Line(at.file, at.number, 0, text) for text in texts])


def _head(kind: Kind, f: Field) -> list[FieldText]:
    """Both sorts of components are given the word; what a thing is, is said."""
    made = [_field("with", f.line, [f"{kind.name.lower()} ({kind.name})"])]
    if f.shape not in CODE:
        made.append(_field("gives", f.line, [f.shape]))
    return made


def _own(kind: Kind, f: Field, d: Definition, said: FieldText) -> Definition:
    """What one block says in a line."""
    made = Definition(f"{f.name} of {d.title}", f.code, d.line, cites=d.cites, part=d.part, lines=d.lines)
    made.fields = [*_head(kind, f), FieldText("body", said.lines)]
    return made


def _whose(kind: Kind, f: Field, titles: list[str]) -> Definition:
    """What the block says that is meant; nothing, where it says nothing."""
    word = kind.name.lower()
    parts = [(f"{word} is {title}", f"#{f.name} of {title} with {word}") for title in titles]
    match f.code:
        case "Check":
            texts = [" OR ".join(f"({test} AND {run})" for test, run in parts) or "1 = 0"]
        case "Value":
            texts = [f"if {test}: give {run}" for test, run in parts]
            texts.append("give 0" if f.shape in CODE else "give none")
        case _:
            texts = [f"if {test}: {run}" for test, run in parts] or ["give 0"]
    made = Definition(f.component, f.code, kind.line, cites=kind.d.cites, part=kind.d.part)
    made.fields = [*_head(kind, f), _field("body", f.line, texts)]
    return made
