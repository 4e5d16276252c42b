"""Look at the book as a whole: what no single line shows.

In:  checked Symbols and the Source.
Out: more diagnostics: circles, loops without end, rows no roll can give, cards nobody ever holds,
     conditions that `where` swallows, fields that their kind does not know, example lines that nobody reads.
"""

from __future__ import annotations

import re
from typing import Any

from rulewright.book import tree as t
from rulewright.book.forest import Forest, where
from rulewright.book.review.chains import review_chains
from rulewright.book.review.cut_short import review_cut_short
from rulewright.book.review.endings import review_endings
from rulewright.book.review.fields import review_fields
from rulewright.book.review.playable import review_match
from rulewright.book.review.pure import review_pure, review_rolled
from rulewright.book.review.secrets import review_secrets
from rulewright.book.review.selfless import review_selfless
from rulewright.book.review.sizes import review_sizes
from rulewright.book.review.told import review_told
from rulewright.book.review.unreachable import review_unreachable
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.keywords import keys_of
from rulewright.book.text.source import Definition, Example, Source
from rulewright.book.walk import circle, nodes, parts
from rulewright.diagnostics import Diagnostic, Span, suggest

FIELDS: dict[str, frozenset[str]] = {
    kind: frozenset(words.split(","))
    for kind, words in {
        "Resource": "of,range,starts,maximum,holds,seen by,shown,note,body,hidden,private,optional,"
        "settles,passing",
        "List": "words,note,body",
        "Die": "faces,note,body",
        "Zone": "of,seen by,holds,note,body",
        "Check": "with,note,body,do",
        "Value": "with,note,body,do,gives",
        "Effect": "with,note,body,do,gives,possible,allowance",
        "Sequence": "with,keeps,note,body,do",
        "Option": "words,values,default,note,body",
        "Walk": "through,costs,ends,note,body",
        "Keepsake": "keeps,note,body",
        "Law": "while,note,body,do",
        "Order": "seen by,note,body",
        "Side": "note,body",
    }.items()
}
"""The fields of kinds that have a closed list of them."""
OWN_FIELDS: dict[str, frozenset[str]] = {
    "Action": frozenset("declare,let,requires,limit,cost,if,do,else,then,target,range,note,body".split(",")),
    "Strategy": frozenset("do,plays,prefer,value,note,body".split(",")),
    "Behavior": frozenset("behavior,priority,when,if,do,else,then,note,body".split(",")),
}
OWN_FIELDS["Reaction"] = OWN_FIELDS["Action"] | {"trigger"}
"""The same for kinds to which a framework's notation adds more; a strategy may be a list of behaviors."""
WITHOUT_BODY = frozenset(
    "Feature Action Reaction Actor Template Side Status Resource Zone List Die Option Walk Card Terrain Deck"
    " Order Strategy Keepsake".split()
)
"""Kinds that are nothing but fields. (A framework's notation reads more than that; it says so itself.)"""
EXAMPLE_WORDS = frozenset(
    "covers option seats given do dice choose refuse refused expect note seed scenario shuffle title".split()
)


def review(source: Source, symbols: Symbols, forest: Forest) -> None:
    """Append to the source's diagnostics."""
    problems = source.diagnostics
    if not review_chains(symbols, forest, problems):
        return
    for definition in source.definitions:
        _fields(definition, FIELDS, problems)
        if (
            not symbols.closes or definition.get("plays") is not None
        ):  # who plays a seat does it in no notation
            _fields(definition, OWN_FIELDS, problems)
            _stray(definition, problems)
    _circles(symbols, forest, problems)
    for component in symbols.components.values():
        if component.table is not None:
            _rows(component, problems)
            _feeds_itself(component, component.table, problems)
    _loops(forest, problems)
    _stops(forest, problems)
    _cards(symbols, forest, problems)
    review_fields(symbols, source, problems)
    review_sizes(symbols, forest, problems)
    review_pure(symbols, forest, problems)
    review_secrets(forest, problems)
    review_rolled(forest, symbols, problems)
    review_match(symbols, source, forest, problems)
    review_told(symbols, source, problems)
    review_cut_short(forest, problems)
    review_selfless(symbols, problems)
    review_endings(symbols, source, forest, problems)
    review_unreachable(symbols, source, forest, problems)
    _conditions(source, forest, problems)
    for example in source.examples:
        _example(example, problems)


def _fields(d: Definition, fields: dict[str, frozenset[str]], problems: list[Diagnostic]) -> None:
    known = fields.get("Behavior" if d.get("behavior") is not None else d.kind)
    if known is None or d.is_table:
        return
    for field in d.fields:
        if field.key.lower() not in known and field.lines:
            line = field.at or field.lines[0]
            message = f"the kind {d.kind} has no field '{field.key}'"
            help_ = suggest(field.key.lower(), known - {"body"})
            problems.append(line.slice(0, text=field.key).problem("unknown-field", message, help_))


def _stray(d: Definition, problems: list[Diagnostic]) -> None:
    """Text where nothing would ever read it."""
    if d.kind not in WITHOUT_BODY or d.is_table or d.get("behavior") is not None:
        return
    margin: int | None = None
    for line in (line for f in d.fields if f.key.lower() == "body" for line in f.lines if line.text.strip()):
        if margin is not None and line.column > margin:
            continue  # it only goes on
        margin = line.column
        message = f"'{line.text.strip()}' is no field of '{d.title}', and nothing can run it"
        key = re.match(r"([A-Za-z][\w -]*):", line.text.strip())
        meant = suggest(key.group(1), keys_of(d.kind), ":") if key else ""
        help_ = meant or "what is for readers stands after `note:`"
        problems.append(line.problem("unexecutable", message, help_))


def _circles(symbols: Symbols, forest: Forest, problems: list[Diagnostic]) -> None:
    """Checks, Values and abbreviations that need each other. Effects with parameters may recurse."""
    reported: set[int] = set()
    uses = {owner: [c for c in used if c.kind != "Sequence"] for owner, used in forest.uses.items()}
    round_ = _on_a_circle(uses)
    for start in symbols.components.values():
        if start.kind == "Sequence" or id(start) in reported or id(start) not in round_:
            continue
        trail = circle(start, lambda c: uses.get(id(c), ()))
        if trail is None or all(c.kind in ("Effect", "Table") and c.params and not c.implicit for c in trail):
            continue
        reported |= {id(c) for c in trail}
        names = " -> ".join([*(c.name for c in trail), start.name])
        problems.append(Diagnostic("circular", start.definition.line.span, f"these need each other: {names}"))


def _on_a_circle(uses: dict[int, list[t.Component]]) -> set[int]:
    """Whatever may be on a circle: what is left when what leads nowhere is taken away, again and again."""
    left = {owner: {id(c) for c in used if id(c) in uses} for owner, used in uses.items()}
    users: dict[int, list[int]] = {}
    for owner, used in left.items():
        for other in used:
            users.setdefault(other, []).append(owner)
    ends = [owner for owner, used in left.items() if not used]
    while ends:
        end = ends.pop()
        del left[end]
        for owner in users.get(end, ()):
            left[owner].discard(end)
            if not left[owner]:
                ends.append(owner)
    return set(left)


def _bounds(e: Any) -> tuple[int, int] | None:
    """The lowest and highest value of an expression of dice and numbers."""
    match e:
        case t.Num(value=value):
            return value, value
        case t.Dice(count=t.Num(value=count), sides=t.Num(value=sides)):
            return count, count * sides
        case t.Arith(op="+", left=a, right=b):
            x, y = _bounds(a), _bounds(b)
            return None if x is None or y is None else (x[0] + y[0], x[1] + y[1])
        case _:
            return None


def _rows(c: t.Component, problems: list[Diagnostic]) -> None:
    table = c.table
    bounds = _bounds(table.rolls) if table is not None and table.rolls is not None else None
    if table is None or bounds is None:
        return
    lines = {row.line.number: row.line for row in c.definition.rows}
    for row in table.rows:
        if row.line in lines and (row.low > bounds[1] or row.high < bounds[0]):
            line = lines[row.line]
            problems.append(
                Diagnostic("unreachable-row", line.span, f"the roll gives {bounds[0]} to {bounds[1]}")
            )
    rows = sorted(table.rows, key=lambda row: row.low)
    if rows and table.keyed is None:
        for missing in ([bounds[0]] if rows[0].low > bounds[0] else []) + (
            [bounds[1]] if rows[-1].high < bounds[1] else []
        ):
            problems.append(Diagnostic("table-gap", c.definition.line.span, f"no row is for {missing}"))


def _feeds_itself(c: t.Component, table: t.TableSym, problems: list[Diagnostic]) -> None:
    """A Table that modifies the number by which it picks its row."""
    for read in nodes([table.reads]):
        if not isinstance(read, t.ReadRes) or read.stored or norm(read.resource.name) not in table.modifies:
            continue
        name = read.resource.name
        heads = (h for h in c.definition.heads if norm(h.text) == f"[{norm(name)}]")
        words = f"'{c.name}' reads [{name}] and modifies it, so that neither can be worked out"
        at = next(heads, c.definition.line).span
        problems.append(Diagnostic("circular", at, words, f"read the store: `reads [stored {name}]`"))
        return


def _loops(forest: Forest, problems: list[Diagnostic]) -> None:
    """`repeat while` over a check that nothing can change, with nothing inside that leaves."""
    for tree, node in forest.of(t.Repeat):
        if node.while_ is None:
            continue
        fixed = all(
            isinstance(x, (t.Compare, t.Num, t.Always, t.Both, t.Either, t.Never, t.Arith))
            for x in nodes(node.while_)
        )
        leaves = any(
            isinstance(x, (t.Stop, t.EndSeq, t.EndMatch, t.Give, t.Component)) for x in nodes(node.body)
        )
        if fixed and not leaves:
            span = node.opening or where(tree.definition, node)
            problems.append(Diagnostic("endless-sequence", span, "nothing ends this repeat"))


def _stops(forest: Forest, problems: list[Diagnostic]) -> None:
    """`stop` leaves a loop; where there is none, nothing says what it would leave."""
    for tree in forest.bodies:
        d = tree.definition
        waiting: list[object] = [tree.body] if t.Stop in tree.kinds else []
        while waiting:
            part = waiting.pop()
            if isinstance(part, t.Stop):
                span = where(d, part)
                words = "`stop` leaves a loop, and there is none around it"
                problems.append(Diagnostic("unexecutable", span, words, "say `if` and `else` instead"))
            elif not isinstance(part, t.Repeat | t.ForEach | t.ChooseMany | t.Behaviors):
                waiting += parts(part)


def _conditions(source: Source, forest: Forest, problems: list[Diagnostic]) -> None:
    """`no X where A AND B`, and B is not about X: the writer surely meant `(no X where A) AND B`."""
    places: dict[tuple[str, int], int] = {}
    for tree, node in forest.of(t.Never, t.Exists):
        # `some X where A AND B` means the same either way, and so is left alone.
        if isinstance(node, t.Never) and isinstance(node.part, t.Exists):
            found, joins = node.part.selector, (t.Both, t.Either)
        elif isinstance(node, t.Exists):
            found, joins = node.selector, (t.Either,)
        else:
            continue
        if any(isinstance(test, joins) and _strays(test, found.it) for test in found.tests):
            begun = found.opening or tree.definition.spot(found.line)
            places.setdefault((begun.file, begun.line), begun.column)
    for (file, line), column in sorted(places.items()):
        text = [*source.texts.get(file, "").split("\n"), ""][line - 1 : line] or [""]
        at = text[0].find("where", column - 1) + 1
        span = Span(file, line, at or column, len("where") if at else 1)
        message = "a part of what follows 'where' says nothing about what is looked for"
        help_ = "put the phrase in parentheses: `(no card where ...) AND ...`"
        problems.append(Diagnostic("stray-condition", span, message, help_, "warning"))


def _strays(test: t.Both | t.Either, candidate: str) -> bool:
    """Whether a later one of these conditions does not speak of the candidate."""
    return any(
        not any(isinstance(x, t.TLocal) and x.name == candidate for x in nodes(part))
        for part in test.parts[1:]
    )


def _cards(symbols: Symbols, forest: Forest, problems: list[Diagnostic]) -> None:
    """A printed card that no deck lists and no text creates is never seen."""
    if not symbols.faces.words:
        return
    held = {face for deck in symbols.decks.values() for face, _ in deck}
    if any(not isinstance(node.face, t.TConst) for _, node in forest.of(t.CreateCard)):
        return  # by its number it may be any
    named = {node.id for tree in forest.bodies for node in tree.of(t.TConst) if node.type == t.FACE}
    values = nodes([c.value for c in symbols.components.values()])
    named |= {node.id for node in values if isinstance(node, t.TConst) and node.type == t.FACE}
    for column in (c for table in symbols.lists.values() for c in table.columns.values() if c.type == t.FACE):
        named |= set(column.values)
    for rules in symbols.rules:
        if rules.bearer == "face" and rules.index not in held | named:
            message = f"'{rules.name}' is in no deck, and nothing creates it"
            problems.append(
                Diagnostic("card-in-no-deck", rules.definition.line.span, message, severity="warning")
            )


def _example(example: Example, problems: list[Diagnostic]) -> None:
    shown = [line for line in example.lines if line.text.strip()]
    margin = min((line.column for line in shown), default=0)
    for line in shown[1:]:
        word = line.text.split()[0]
        if line.column == margin and word not in EXAMPLE_WORDS:
            words = f"an example has no line that starts with '{word}'"
            problems.append(line.problem("bad-example", words, suggest(word, EXAMPLE_WORDS)))
