"""Types of what is declared: owners and ranges of resources, parameters, columns of tables, decks.

In:  Symbols with every name declared.
Out: the same Symbols with their types; the second pass of declaring.
"""

from __future__ import annotations

import re

from rulewright.book import tree as t
from rulewright.book.declare.declaring import Declaring, how_many, once, prints_numbers
from rulewright.book.phrases.match import slots
from rulewright.book.symbols import ListSym, norm
from rulewright.book.text.keywords import BLANK, HOOK, KEYS, RULE_COLUMNS
from rulewright.book.text.source import Definition, FieldText, Line, Row
from rulewright.diagnostics import suggest

COPIES = ("copies", "qty")
"""Headings over how many of a card a deck has."""
MARKS = ("yes", "x", "X")
"""Cells that say: this one has it."""


def types(decl: Declaring, definitions: list[Definition]) -> None:
    s = decl.symbols
    _builtins(decl)
    kinds = s.kinds()
    for resource in s.resources.values():
        if resource.definition is not None:
            _resource_type(decl, resource, resource.definition, kinds)
    for d in definitions:
        if d.kind in ("List", "Die") and d.is_table:
            table = s.lists.get(norm(d.title)) or s.dice.get(norm(d.title))
            if table is not None:
                _columns(decl, table, d, {norm(w): i for i, w in enumerate(table.words)})
        elif d.kind in ("Card", "Terrain", "Status") and d.is_table:
            table = {"Card": s.faces, "Terrain": s.terrains}.get(d.kind, s.status_list)
            _columns(decl, table, d, {norm(w): i for i, w in enumerate(table.words)})
        elif d.kind in ("Card", "Terrain"):
            _single(decl, s.faces if d.kind == "Card" else s.terrains, d)
    decks = [d for d in definitions if d.is_table and d.kind == "Deck"]
    counted = (d for d in definitions if d.is_table and d.kind == "Card")
    for d in (*decks, *(d for d in counted if any(h.lower() in COPIES for h in d.columns))):
        if once(decl, d, "deck"):
            _deck(decl, d)
    for sort, symbol, d in decl.bodies:
        if sort == "component" and isinstance(symbol, t.Component):
            _params(decl, symbol, d, kinds)


def _builtins(decl: Declaring) -> None:
    for name, of, holds in (
        ("place", (t.ACTOR,), t.SPACE), ("in play", (t.ACTOR,), None),
        ("facing", (t.ACTOR,), t.DIRECTION),
        ("side", (t.ACTOR,), t.SIDE), ("controller", (t.ACTOR,), "Seat"),
    ):  # fmt: skip
        decl.symbols.resources[f"!{name}"] = t.Resource(name, None, of, holds, builtin=True)


def _resource_type(decl: Declaring, r: t.Resource, d: Definition, kinds: dict[str, str]) -> None:
    of = d.get("of")
    if of is not None:
        owners: list[str] = []
        for word in of.text.split(","):
            name = word.strip()
            if name in ("Match", "match"):
                continue
            kind = _kind(decl, of, name, kinds, t.ACTOR)
            if kind == t.ACTOR and norm(name) in decl.symbols.templates:
                r.owners = norm(name)
            owners.append(kind)
        r.of = tuple(owners)
    holds = d.get("holds")
    if holds is not None:
        r.holds = _kind(decl, holds, holds.text, kinds, t.ACTOR)
    seen = d.get("seen by")
    if seen is not None:
        r.seen = seen.text.strip()
        if r.seen not in ("all", "owner", "nobody"):
            decl.problem("unexecutable", seen.first, "seen by all, owner or nobody")
            r.seen = "all"
    shown = d.get("shown")
    if shown is not None:
        if shown.text.strip() not in ("yes", "no"):
            decl.problem("unexecutable", shown.first, "shown is yes or no")
        r.shown = r.shown and shown.text.strip() != "no"
    bounds = d.get("range")
    if bounds is not None:
        match = re.fullmatch(r"(-?\d+)\s*to\s*(-?\d+)", bounds.text) or re.fullmatch(
            r"(-?\d+)\s*(?:or more|up)", bounds.text
        )
        if match is None:
            decl.problem("unexecutable", bounds.first, "a range is `0 to 10` or `0 or more`")
        else:
            r.low = int(match.group(1))
            r.high = int(match.group(2)) if match.re.groups > 1 else None
    r.settles = d.get("settles") is not None
    decl.bodies.append(("resource", r, d))


def _params(decl: Declaring, c: t.Component, d: Definition, kinds: dict[str, str]) -> None:
    with_ = d.get("with")
    title = next((s for s in decl.symbols.sentences if s.component is c), None)
    names = slots(title.pieces) if title is not None else []
    if with_ is not None:
        c.params = read_params(decl, with_, kinds)
    elif names:
        c.params = [
            t.Param(
                name,
                t.NUMBER if name[:1].isupper() and len(name) <= 12 and norm(name) not in kinds else t.ACTOR,
            )
            for name in names
        ]
    if with_ is None and c.kind in ("Check", "Effect", "Value", "Table"):
        c.implicit = True
    gives = d.get("gives")
    if gives is not None and c.kind in ("Value", "Effect", "Table"):
        c.gives = (
            t.NUMBER if norm(gives.text) == "number" else _kind(decl, gives, gives.text, kinds, t.NUMBER)
        )
    keeps = d.get("keeps")
    if keeps is not None:
        c.keeps = read_params(decl, keeps, kinds)
    if c.kind == "Sequence":
        for step in d.steps:
            if not step.lines:
                continue
            first = step.lines[0]
            match = re.match(r"^([A-Z][\w'’-]*(?: [\w'’-]+)*?)(?:\s{2,}|\s(?=\()|$)(.*)$", first.text)
            if match is None:
                decl.problem("missing-part", first, "a step has a name, then two spaces, then what happens")
                continue
            rest = match.group(2)
            step.lines[0] = first.slice(match.start(2), text=rest)
            c.steps.append((match.group(1), [], None))
            c.step_lines.append(first.number)


def read_params(decl: Declaring, field: FieldText, kinds: dict[str, str]) -> list[t.Param]:
    """`[Amount], part (Component), target (Actor)`"""
    made: list[t.Param] = []
    for piece in re.findall(r"\[[^\]]*\]|[\w'’ -]+(?:\([^)]*\))?", field.text):
        text = piece.strip()
        if not text:
            continue
        if text.startswith("["):
            made.append(t.Param(text[1:-1].strip(), t.NUMBER))
            continue
        match = re.fullmatch(r"([\w'’-]+)\s*(?:\(([^)]*)\))?", text)
        if match is None:
            words = f"'{text}' is no parameter; write `[Number]` or `name (Kind)`"
            decl.problem("unexecutable", field.first, words)
            continue
        kind = _kind(decl, field, match.group(2) or t.ACTOR, kinds, t.ACTOR)
        made.append(t.Param(match.group(1).lower(), kind))
    return made


def _kind(decl: Declaring, field: FieldText, name: str, kinds: dict[str, str], usual: str) -> str:
    """The kind of thing that a field names; the usual one where there is none of that name."""
    kind = kinds.get(norm(name.replace("or none", "")))
    if kind is None:
        words = f"no kind of thing is called '{name}'"
        decl.problem("unknown-name", field.first, words, suggest(name, list(kinds.values())))
    return usual if kind is None else kind


# ------------------------------------------------------------ columns
def _columns(decl: Declaring, table: ListSym, d: Definition, rows: dict[str, int]) -> None:
    told = [
        (rows[norm(name)], row) for row in d.rows for name in _row_names(table, row) if norm(name) in rows
    ]
    for n, heading in enumerate(d.columns[1:], 1):
        low = heading.lower()
        if HOOK.match(heading) or not heading or heading.startswith("["):
            continue
        if low in RULE_COLUMNS and not prints_numbers(d, heading):
            continue
        cells = [(number, row.cells[n][1]) for number, row in told if len(row.cells) > n]
        _column(decl, table, heading, cells)
    for field in d.fields:
        if field.key != "caption" and not _is_rule(field.key):
            _column(decl, table, field.key, [(number, field.first) for number, _ in told])


def _is_rule(key: str) -> bool:
    """Does a field of this name say what something does, and not what it is like?"""
    return key.lower() in RULE_COLUMNS or key.lower() in KEYS or HOOK.match(key) is not None


def _row_names(table: ListSym, row: Row) -> list[str]:
    if not row.cells:
        return []
    text = row.cells[0][1].text
    if table.name.endswith("Die"):
        return [n.strip() for n in text.split(",")]
    return [n.strip() for n in text.split(" / ")]


def _single(decl: Declaring, table: ListSym, d: Definition) -> None:
    """The attributes of what is no row of a table."""
    titles = {norm(x) for x in d.title.split(" / ")}
    cards = [i for i, w in enumerate(table.words) if norm(w) in titles or norm(w) == norm(d.title)]
    for field in d.fields:
        if field.lines and field.key.lower() != "body" and not _is_rule(field.key):
            _column(decl, table, field.key, [(index, field.first) for index in cards])


def _column(decl: Declaring, table: ListSym, heading: str, cells: list[tuple[int, Line]]) -> None:
    key = norm(heading)
    texts = [line.text for _, line in cells if line.text not in BLANK]
    column = table.columns.get(key)
    kind = _column_type(decl, heading, texts)
    if column is None:
        column = table.columns[key] = t.Column(heading, kind)
    elif kind != column.type and texts:
        column.type = (
            kind
            if column.type == "mark" and not any(column.values)
            else ("text" if kind == "text" else column.type)
        )
    words: dict[str, int] = {}
    if column.type not in (t.NUMBER, "mark", "text"):
        source = decl.symbols.list_of(column.type)
        words = {norm(w): i for i, w in enumerate(source.words)} if source else {}
    for index, line in cells:
        while len(column.values) <= index:
            column.values.append(0 if column.type in (t.NUMBER, "mark", "text") else -1)
            column.texts.append("")
        text = line.text
        column.texts[index] = text
        if text in BLANK:
            continue
        number = text.replace("+", "").replace("−", "-")
        if column.type == "mark" or (column.type == t.NUMBER and text in MARKS):
            column.values[index] = 1
        elif column.type == t.NUMBER and re.fullmatch(r"-?\d+", number):
            column.values[index] = int(number)
        elif norm(text) in words:
            column.values[index] = words[norm(text)]
        elif column.type != "text":  # another table of the same list has the column, too
            what = "number" if column.type == t.NUMBER else column.type
            message = f"'{text}' is no {what}, as other cells of '{column.name}' are"
            decl.problem("type-mismatch", line, message)


def _column_type(decl: Declaring, heading: str, texts: list[str]) -> str:
    if texts and all(re.fullmatch(r"[+−-]?\d+", x) for x in texts):
        return t.NUMBER
    if not texts:
        return "mark"
    if all(x in MARKS for x in texts):
        return "mark"
    named = decl.symbols.list_of(heading)
    if named is not None and named.words:
        return named.name
    s = decl.symbols
    for table in (*s.lists.values(), *s.dice.values(), s.faces, s.sides, s.status_list):
        if table.words and all(norm(x) in table.numbers for x in texts):
            return table.name
    return "text"


def _deck(decl: Declaring, d: Definition) -> None:
    known = {norm(w): i for i, w in enumerate(decl.symbols.faces.words)}
    cards: list[tuple[int, int]] = []
    for row in d.rows:
        if not row.cells:
            continue
        name = row.cells[0][1]
        if norm(name.text) not in known:
            words = f"no card is called '{name.text}'"
            decl.problem("unknown-name", name, words, suggest(name.text, decl.symbols.faces.words))
            continue
        copies = next((c.text for h, c in row.cells if h.lower() in COPIES), "1")
        if not copies.isdigit() and copies not in BLANK:
            cell = next(c for h, c in row.cells if h.lower() in COPIES)
            decl.problem("type-mismatch", cell, f"'{copies}' is no number of copies", "write it in figures")
        count = how_many(copies if copies.isdigit() else "1", 1, name, decl.problem)
        cards.append((known[norm(name.text)], count))
    decl.symbols.decks[norm(d.title)] = cards
