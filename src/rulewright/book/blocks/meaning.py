"""Rows of blocks -> code: what a base says that each line of its blocks means.

In:  blocks, and the Kinds that their base declares.
Out: a component for each line with forms, `KIND LINE`: a chain of "if this is the block". What stands in a
     gap keeps its place in the book, so that a mistake in it is shown there.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.blocks.forms import Field, Kind
from rulewright.book.blocks.rows import Row, rows
from rulewright.book.blocks.samples import read_forms
from rulewright.book.blocks.state import Blocks
from rulewright.book.bodies.fields import field_block, field_check, outcome
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.trees import Trees
from rulewright.book.grammar.scope import Scope
from rulewright.book.phrases.match import Captured, expand
from rulewright.book.phrases.whole import TokenLines, sifted
from rulewright.book.symbols import norm
from rulewright.book.text.lists import coordinate
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import END, NUMBER, WORD, Token


# ------------------------------------------------------------ gaps
def _cast(c: Blocks, tree: Trees, text: list[Token]) -> t.Thing_ | None:
    cast = c.casts.get(_name(text))
    return tree.actor(cast.title) if cast else None


def _who(c: Blocks, tree: Trees, text: list[Token]) -> t.Thing_ | None:
    key = _name(text)
    if key in c.casts:
        return tree.actor(c.casts[key].title)
    number = tree.s.actor_names.get(key)
    return None if number is None else t.TConst(t.ACTOR, number)


def _spot(c: Blocks, tree: Trees, text: list[Token]) -> t.Thing_ | None:
    cell = coordinate(" ".join(x.text for x in text))
    known = cell is not None and any((space.x, space.y) == cell for space in tree.s.spaces)
    return t.Spot(*cell) if cell is not None and known else None


def _word(kind: str) -> Callable[[Blocks, Trees, list[Token]], t.Thing_ | None]:
    def find(c: Blocks, tree: Trees, text: list[Token]) -> t.Thing_ | None:
        table = tree.s.list_of(kind)
        number = table.numbers.get(_name(text)) if table is not None else None
        return None if number is None else t.TConst(kind, number)

    return find


def _phase(c: Blocks, tree: Trees, text: list[Token]) -> t.Thing_ | None:
    words = " ".join(x.text for x in text)
    found = c.goto(Line(text[0].file, text[0].line, text[0].column, words), report=False)
    return tree.word("Phase", c.phases[found]) if found in c.phases and found else None


THINGS: dict[str, Callable[[Blocks, Trees, list[Token]], t.Thing_ | None]] = {
    "who": _who,
    "coordinate": _spot,
    "Outcome": _word("Outcome"),
    "Area": _word("Area"),
    "Direction": _word(t.DIRECTION),
    "Phase": _phase,
}
"""Gaps that name a thing of the book, and which it is. All others are text, read where they stand."""
KNOWN: dict[str, Callable[[Blocks, Trees], Container[str]]] = {
    "Actor": lambda c, _: c.actors,
    "Map": lambda _, tree: tree.s.maps,
}
"""Of these, names of what there must be."""


def _name(text: list[Token]) -> str:
    return norm(" ".join(x.text for x in text))


def _number(value: int, at: Token) -> list[Token]:
    return [at._replace(kind=NUMBER, text=str(value), closed=False)]


def _stands_for(scope: Scope, name: str, thing: t.Thing_, at: Token) -> list[Token]:
    """A word that means this thing, and that no book can have written."""
    scope.things[f"\\{name}"] = thing
    return [at._replace(kind=WORD, text=f"\\{name}", closed=False)]


def _asked(bodies: Bodies, scope: Scope, text: list[Token]) -> list[Token]:
    """A condition that speaks of nobody: it is read by itself, and a word stands for it."""
    scope.checks["\\check"] = outcome(bodies, [*text, text[-1]._replace(kind=END, text="")])
    return [text[0]._replace(kind=WORD, text="\\check", closed=False)]


def _filled(
    c: Blocks, own: bool, bodies: Bodies, row: Row, this: t.Thing_ | None, scope: Scope
) -> Captured | None:
    """What stands in the gaps of a row. None for a row of a story that was found wrong when it was read; in
    one of the book's own kind it is read where it stands, and reported there."""
    tree = Trees(bodies)
    made: Captured = {"place": _number(10 * row.place, row.tokens[0])}
    if this is not None:
        made["this"] = _stands_for(scope, "this", this, row.tokens[0])
    for name, text in (row.captured or {}).items():
        find = _cast if name in c.groups else THINGS.get(name)
        thing = find(c, tree, text) if find is not None else None
        lost = find is not None if thing is None else False
        if not own and (lost or (name in KNOWN and _name(text) not in KNOWN[name](c, tree))):
            return None
        if thing is not None:
            made[name] = _stands_for(scope, name, thing, text[0])
        else:
            made[name] = _asked(bodies, scope, text) if name == "check" and not own else text
    return made


# ------------------------------------------------------------ writing
def write(c: Blocks) -> None:
    """A component for all that the blocks of a kind say in one line."""
    for kind in c.kinds.values():
        titles: dict[str, list[Field]] = {}
        for f in kind.fields.values():
            if f.means:
                titles.setdefault(f.component, []).append(f)
        for title, fields in titles.items():
            _component(c, kind, title, fields)


def _component(c: Blocks, kind: Kind, title: str, fields: list[Field]) -> None:
    word = f"{kind.name.lower()} ({kind.within})" if kind.within else ""
    given = ", ".join(x for x in (word, fields[0].given) if x)
    shape = fields[0].shape
    thing = shape if shape in THINGS and shape[0].isupper() else ""

    def build(bodies: Bodies, scope: Scope) -> t.Block_:
        before = len(bodies.problems)
        for f in fields if c.alone or kind.own else ():
            read_forms(c, kind, f, bodies, scope)
        if kind.own and len(bodies.problems) > before:
            return []  # once is enough, whatever the rows are
        made: t.Block_ = []
        for d, test, this in _blocks(c, kind, bodies):
            body = _said(c, kind.own, fields, d, this, bodies, scope)
            if body:
                made += [t.IfStmt(test, body, [], line=d.line.number)] if test is not None else body
        return [*made, t.Give(t.TConst(thing, -1) if thing else t.Num(0, "-"))]

    made = c.component(title, build, with_=given, kind="Value" if thing else "Effect", at=fields[0].line)
    if thing:
        made.fields.append(FieldText("gives", [Line("", 0, 0, thing)]))


def _said(
    c: Blocks,
    own: bool,
    fields: list[Field],
    d: Definition,
    this: t.Thing_ | None,
    bodies: Bodies,
    scope: Scope,
) -> t.Block_:
    """The code of one block, its lines in the order in which they are written."""
    keys = [f.key.lower() for f in d.fields]
    made: t.Block_ = []
    for f in sorted(fields, key=lambda f: keys.index(f.name.lower()) if f.name.lower() in keys else 0):
        for row in rows(f, d):
            assert row.phrase is not None
            means, case = row.phrase.fields[0][1], f.cases.get(row.phrase.title)
            if not means[0].is_("more") and row.phrase.title not in f.broken:
                filled = _filled(c, own, bodies, row, this, scope)
                code = _statements(bodies, row, means, filled, scope) if filled is not None else []
                made += [_only(Trees(bodies), f, case, code, row.line.number)] if case and code else code
    return made


def _only(tree: Trees, f: Field, case: Line, code: t.Block_, line: int) -> t.Stmt_:
    """Code for one word of what the component is given."""
    name, _, kind = f.given.rstrip(")").partition(" (")
    return t.IfStmt(t.Same(t.TLocal(name, kind), tree.word(kind, case.text)), code, [], line=line)


def _statements(bodies: Bodies, row: Row, means: list[Token], filled: Captured, scope: Scope) -> t.Block_:
    before, bodies.problems = bodies.problems, []
    made = field_block(bodies, TokenLines(expand(means, filled, row.tokens[0])), scope)
    before += sifted(bodies.problems, row.tokens[0])
    bodies.problems = before
    return made


Found = tuple[Definition, "t.Cond_ | None", "t.Thing_ | None"]


def _blocks(c: Blocks, kind: Kind, bodies: Bodies) -> Iterator[Found]:
    """The blocks of a kind, how each is told from the others, and the thing that it is."""
    tree = Trees(bodies)
    if kind.once:
        yield from ((d, None, None) for d in c.blocks.get(kind.name, [])[:1])
    elif kind.within:
        for d, thing in things(c, kind, tree):
            yield d, t.Same(t.TLocal(kind.name.lower(), kind.within), thing), thing
    else:
        for actor in c.actors.values():
            parent = c.templates[actor.parent].d if actor.parent else actor.d
            template = tree.s.templates[norm(actor.name)].index
            joined = [*actor.d.fields, *(f for f in parent.fields if actor.d.get(f.key) is None)]
            yield replace(actor.d, fields=joined), t.IsA(tree.me(), template), None


def things(c: Blocks, kind: Kind, tree: Trees) -> Iterator[tuple[Definition, t.Thing_]]:
    """The blocks of a kind, each with the word or actor that it is."""
    for d in c.good.get(kind.name, []):
        if kind.within == t.ACTOR:
            yield d, tree.actor(c.casts[norm(d.title)].title)
        else:
            yield d, tree.word(kind.within, d.title if kind.own else f"{kind.name} {d.title}")


def holding(bodies: Bodies, f: Field, this: t.Thing_) -> t.Cond_:
    """While what something in a line of this block holds."""
    scope = Scope(self=t.ACTOR)
    at = f.holds[0]
    tokens = expand(f.holds, {"this": _stands_for(scope, "this", this, at)}, at)
    return field_check(bodies, TokenLines(tokens), scope) or t.Always(True)
