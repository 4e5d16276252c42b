"""What must hold, in the words of the book: said where it does not.

In:  a check, a selector or a declaration of the tree, with the tokens it is written in; the locals around it.
Out: `Condition`s for the sheet, one a test of the function that asks it, in the order of its code.

Nothing of this is code. Whoever asks why not runs the function once more, sees which test says no, and finds
here how the book puts it. A name of the book's own becomes a gap, which gets the name of what it stands for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import Any

from rulewright.book import tree as t
from rulewright.book.symbols import norm
from rulewright.book.text.source import Definition
from rulewright.book.text.tokens import DICE, MARK, NUMBER, STRING, WORD, Token, tokenize
from rulewright.book.walk import nodes
from rulewright.ir.sheet import Condition
from rulewright.lower.builder import Builder, var
from rulewright.lower.checks import chancy

Names = Mapping[str, str]
"""Locals by the name the book gives them, each with its type."""
GAPS = 10
"""Names in one condition: a gap has one digit."""
ARTICLES = ("a", "an", "some", "one")
DROPPED = ("#", "[", "]")
PLAIN = {"AND": "and", "OR": "or"}
NAMED = (t.NUMBER, "Seat", "Place")
"""Types whose things have names without a list of them."""
SAID = (WORD, NUMBER, DICE, STRING, MARK)


def conjuncts(b: Builder, check: Any) -> list[Any]:
    """What must all hold, one after the other; a check that rolls stays whole."""
    return check.parts if isinstance(check, t.Both) and not chancy(b, check) else [check]


def names_of(a: t.ActionSym | t.Component) -> dict[str, str]:
    """The locals that are there when its conditions are asked."""
    found = {"self": t.ACTOR, **{norm(p.name).lower(): p.type for p in a.params}}
    for s in a.lets if isinstance(a, t.ActionSym) else ():
        match s:
            case t.SetNumber(target=t.ReadLocal(name=name)):
                found[norm(name).lower()] = t.NUMBER
            case t.SetThing(target=t.TLocal(name=name, type=kind)):
                found[norm(name).lower()] = kind
            case _:
                pass
    return found


def told(b: Builder, check: Any, names: Names) -> tuple[Condition, ...]:
    """A test: what must hold in it, in the order in which it is asked."""
    return tuple(condition(b, part, names) for part in conjuncts(b, check))


def condition(b: Builder, check: Any, names: Names) -> Condition:
    """One thing that must hold."""
    number = isinstance(check, t.Compare)
    text, used = _words(b, check, names)
    if not text:
        return Condition(number=number)
    if isinstance(check, t.Never) and text.startswith("not "):
        return Condition(f"not while {_there_is(_bare(text[4:]))}", used)
    if isinstance(check, t.Exists) and text.startswith("some "):
        return Condition(f"there is no {text[5:]}", used)
    return Condition(f"only while {_there_is(text)}", used, number)


def lacking(b: Builder, d: t.Declared, names: Names) -> Condition:
    """Nothing can be declared: what there is none of."""
    if d.path is not None:
        ways = [("through", d.path.through), ("ending where", d.path.ending)]
        said = [(how, *_words(b, check, {})) for how, check in ways if check is not None]
        words = "".join(f" {how} {text}" for how, text, _ in said if text)
        return Condition(f"there is no way that leads on{words}")
    if d.selector is None:
        return Condition(f"there is no number for its {d.name}")
    text, used = _words(b, d.selector, names)
    if not text and b.definition is not None:
        reach = b.definition.said("range")
        return Condition(f"there is no {d.selector.noun} in its range{f', {reach}' if reach else ''}")
    first, _, rest = text.partition(" ")
    text = rest if first in ARTICLES else text
    return Condition(f"there is no {text}" if text else "", used)


def _there_is(text: str) -> str:
    return f"there is {text}" if text.startswith("some ") else text


def _words(b: Builder, node: Any, names: Names) -> tuple[str, tuple[str, ...]]:
    """The words a node is written in, with gaps for names; nothing where it stands in no line of the book."""
    first, last = getattr(node, "written", (None, None))
    if first is None or last is None or b.definition is None:
        return "", ()
    tokens = [token for token in _between(b.definition, first, last) if token.text not in DROPPED]
    gaps = _gaps(node, names)
    used: dict[str, None] = {}
    made, end, at = "", (0, 0), 0
    while at < len(tokens):
        token = tokens[at]
        name, count = gaps.get((token.line, token.column), ("", 1))
        word = PLAIN.get(token.text, token.text)
        if name and (names[name] not in b.layout.things and names[name] not in NAMED):
            word = f"the {names[name].lower()}"
            token = tokens[at := min(at + count, len(tokens)) - 1]
        elif name and len(used | {name: None}) <= GAPS:
            used[name] = None
            word = f"{{{list(used).index(name)}:{names[name]}}}"
            token = tokens[at := min(at + count, len(tokens)) - 1]
        apart = made and (token.line, token.column) != end and token.text not in (",", ")", ";")
        made += (" " if apart and not made.endswith("(") else "") + word
        end = (token.line, token.column + len(token.text))
        at += 1
    return _bare(made), tuple(var(name, names[name]) for name in used)


def _bare(text: str) -> str:
    """Without brackets around all of it."""
    depth = list(accumulate((char == "(") - (char == ")") for char in text))
    return text[1:-1] if text.startswith("(") and 0 not in depth[:-1] and not depth[-1] else text


def _between(d: Definition, first: Token, last: Token) -> Iterator[Token]:
    """The tokens of a definition from one to another."""
    start, end = (first.line, first.column), (last.line, last.column)
    for line in dict.fromkeys(line for f in (*d.fields, *d.steps) for line in f.lines):
        if line.file == first.file and first.line <= line.number <= last.line:
            for token in tokenize([line], []):
                if token.kind in SAID and start <= (token.line, token.column) <= end:
                    yield token


def _gaps(node: Any, names: Names) -> dict[tuple[int, int], tuple[str, int]]:
    """Where names of locals stand in it, and in how many words."""
    found: dict[tuple[int, int], tuple[str, int]] = {}
    for part in nodes(node):
        if not isinstance(part, t.ReadLocal | t.TLocal):
            continue
        name, (first, _) = norm(part.name).lower(), getattr(part, "written", (None, None))
        if first is None or name not in names:
            continue
        column = first.column + (first.text == "[")
        found[first.line, column] = name, len(part.name.split())
    return found
