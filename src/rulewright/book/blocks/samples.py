"""What a framework says that rows of blocks mean, read before any book has such a row.

In:  the forms of a line, of a framework that is checked by itself.
Out: mistakes, where they stand. In each gap stands something of the sort that a book would put there; what is
     wrong with that alone is no mistake.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from rulewright.book import tree as t
from rulewright.book.blocks.forms import GAP, OWN_GAPS, Field, Kind
from rulewright.book.blocks.roster import CORE
from rulewright.book.blocks.state import Blocks
from rulewright.book.bodies.fields import field_block, field_check
from rulewright.book.bodies.state import Bodies
from rulewright.book.grammar.scope import Scope
from rulewright.book.phrases.match import Captured, Phrase, expand
from rulewright.book.phrases.whole import TokenLines
from rulewright.book.symbols import norm
from rulewright.book.text.source import Line
from rulewright.book.text.tokens import NUMBER, WORD, Token
from rulewright.diagnostics import Diagnostic, suggest

NOWHERE = ""
"""The file of what stands in a gap."""
KINDS = {"who": t.ACTOR, "coordinate": t.SPACE, "this": t.ACTOR, "Actor": t.ACTOR}
"""Gaps for things that are not called like their kind."""


def read_forms(c: Blocks, kind: Kind, f: Field, bodies: Bodies, scope: Scope) -> None:
    """Read every form of a line, and while what it holds."""
    for phrase in f.titled():
        means = phrase.fields[0][1]
        if not means[0].is_("more") and phrase.title not in f.broken:
            _form(c, kind, phrase, means, bodies, scope)
        case = f.cases.get(phrase.title)
        if case is not None:
            words = bodies.symbols.list_of(f.given.rstrip(")").partition(" (")[2])
            if words is not None and norm(case.text) not in words.numbers:
                help_ = suggest(case.text, words.words)
                bodies.problems.append(
                    case.problem("unknown-name", f"no word is called '{case.text}'", help_)
                )


def finish(c: Blocks, bodies: Bodies) -> None:
    """While what the features and events of a line hold, and what blocks become."""
    for kind in c.kinds.values() if c.alone else ():
        for f in kind.fields.values():
            if f.holds:
                scope = Scope(self=t.ACTOR)
                captured = {"this": _thing(scope, "this", _kind_of(c, kind, "this"))}
                before, bodies.problems = bodies.problems, []
                field_check(bodies, TokenLines(expand(f.holds, captured, None)), scope)
                before += _own(bodies.problems)
                bodies.problems = before
            _made(bodies, f.added)
        _made(bodies, kind.made)


def _made(bodies: Bodies, pieces: list[Line]) -> None:
    """Fields of actors that are made of blocks: of the language, or resources."""
    s = bodies.symbols
    for piece in pieces:
        key, _, value = piece.text.partition(":")
        if key == "is" and norm(value) not in s.templates:
            what, name, names = "template", value.strip(), [x.name for x in s.templates.values()]
        elif key not in CORE and norm(key) not in {norm(x.name) for x in s.resources.values()}:
            what, name, names = "resource", key, [*CORE, *(x.name for x in s.resources.values())]
        else:
            continue
        help_ = suggest(name, names)
        bodies.problems.append(piece.problem("unknown-name", f"no {what} is called '{name}'", help_))


def _form(c: Blocks, kind: Kind, phrase: Phrase, means: list[Token], bodies: Bodies, scope: Scope) -> None:
    """Of the ways to fill the gaps, the one with which most of it can be read."""
    names = dict.fromkeys((*GAP.findall(phrase.title), *OWN_GAPS))
    ways = [list(_samples(c, kind, name, bodies, scope)) for name in names]
    before, best = bodies.problems, None
    for way in product(*ways):
        captured: Captured = dict(zip(names, way, strict=True))
        bodies.problems = []
        field_block(bodies, TokenLines(expand(means, captured, None)), scope)
        if best is None or _unread(bodies.problems) < _unread(best):
            best = bodies.problems
        if not best:
            break
    bodies.problems = before
    before += _own(best or [])


def _own(problems: list[Diagnostic]) -> list[Diagnostic]:
    """What is wrong with the words of the framework."""
    return [d for d in problems if d.span.file != NOWHERE]


def _unread(problems: list[Diagnostic]) -> tuple[int, int]:
    """How much is wrong with what stands in the gaps, and in all."""
    return len(problems) - len(_own(problems)), len(problems)


# ------------------------------------------------------------ what stands in a gap
def _samples(c: Blocks, kind: Kind, name: str, bodies: Bodies, scope: Scope) -> Iterator[list[Token]]:
    s = bodies.symbols
    if name == "check":
        scope.checks["\\check"] = t.Always(True)
        yield [_token("\\check")]
    elif name in ("place", "count") or (len(name) == 1 and name.isupper()):
        yield [_token("1", NUMBER)]
    elif name == "resource":
        yield from (
            [_token(word) for word in r.name.split()] for r in s.resources.values() if r.of == (t.ACTOR,)
        )
    else:
        found = _kind_of(c, kind, name)
        if name == t.ACTOR:
            yield [_token("actor")]  # a sort of actors, as in `the {Actor} anywhere`
        yield _thing(scope, name, found)


def _kind_of(c: Blocks, kind: Kind, name: str) -> str:
    """The kind of the thing that stands in a gap."""
    if name == "this":
        return kind.within or t.ACTOR
    return t.ACTOR if name in c.groups else KINDS.get(name, name)


def _thing(scope: Scope, name: str, kind: str) -> list[Token]:
    scope.things[f"\\{name}"] = t.TLocal(f"\\{name}", kind)
    return [_token(f"\\{name}")]


def _token(text: str, sort: str = WORD) -> Token:
    return Token(sort, text, NOWHERE, 0, 0)
