"""Wordings that the book itself defines: phrases, and titles of components with slots.

In:  tokens of one field, the Symbols of the book, a Scope with the locals.
Out: the tokens that a phrase stands for, or the component that a title runs, with its arguments.

Recursive descent by hand: names have spaces, so where one ends depends on what the book declares
and on the kind that is expected here. A fixed grammar cannot know either.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.calls import inherit, parse_argument
from rulewright.book.grammar.cursor import Cursor, at_end
from rulewright.book.grammar.dispatch import parse_check
from rulewright.book.grammar.scope import Mistake
from rulewright.book.phrases.match import (
    AFTER_CHECK,
    CHECK,
    Argument,
    Captured,
    Match,
    Phrase,
    Reads,
    Stop,
    expand,
)
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import END, STRING, Token
from rulewright.diagnostics import suggest

PREDICATES = ("in", "out", "adjacent", "within", "laid", "none", "a", "an", "the", "ally", "enemy", "not")
"""What may follow `is` besides the name of a status."""


# ------------------------------------------------------------ what stands here
def find_wording(p: Cursor, place: str, stop: Stop) -> Match | None:
    """The phrase that stands here: one of the book's framework, or the title of a component."""
    book = p.symbols.phrases
    if not book:
        return None
    book.scene = p.scope.scene
    found = book.find(place, p.tokens, p.at, stop, lambda phrase: _arguments(p, phrase), closed.worded(p))
    if found is not None:
        _slots(p, found.captured)
    return found


def _arguments(p: Cursor, phrase: Phrase) -> Reads:
    """Reads what stands in the slots of a component's title."""
    params = {param.name.lower(): param for param in phrase.component.params}

    def read(slot: str, at: int) -> tuple[int, object] | None:
        before, p.at = p.at, at
        try:
            node = parse_argument(p, params[slot.lower()]) if slot.lower() in params else None
            return (p.at, node) if node is not None else None
        except Mistake:
            return None
        finally:
            p.at = before

    return read


def run_title(p: Cursor, found: Match) -> t.Run:
    """The component of a title, with what stands in the slots; what an alternative left out is 0 or none."""
    component: t.Component = found.phrase.component
    given = {name.lower(): text.node for name, text in found.captured.items() if isinstance(text, Argument)}
    p.at = found.end
    if component.implicit and not given:
        inherit(p, component)
        return t.Run(component, None, [], p.now.line)
    args = [given.get(param.name.lower(), _nothing(param)) for param in component.params]
    return t.Run(component, None, args, p.now.line)


def _nothing(param: t.Param) -> t.Num_ | t.Thing_:
    return t.Num(0) if param.type == t.NUMBER else t.TConst(param.type, -1)


def meant(p: Cursor, found: Match) -> list[Token]:
    """The tokens that a phrase stands for, its slots filled; what it requires is the scope's.

    A framework's words point to where they are used, for whoever uses them cannot mend it; a book's own
    stay where they are written.
    """
    at = p.now
    p.at = found.end
    shown = None if found.phrase.everywhere else at
    for key, value in found.phrase.fields[1:]:
        if key[0].text == "requires":
            p.scope.demands.append(expand(value, found.captured, shown))
    return [
        *expand(found.phrase.fields[0][1], found.captured, shown),
        Token(END, "", at.file, at.line, at.column),
    ]


def _slots(p: Cursor, captured: Captured) -> None:
    """Where a slot says what it holds, a name of nothing of that kind is reported as such."""
    statuses = {norm(x.name).lower(): x.name for x in p.symbols.statuses.values()}
    for slot, names, lower in (("status", statuses, True), ("cast", p.symbols.casts, False)):
        words = captured.get(slot)
        if not words or words[0].kind == STRING or words[0].is_(*PREDICATES):
            continue
        shown = " ".join(x.text for x in words)
        key = norm(shown).lower() if lower else norm(shown)
        if key not in names:
            help_ = suggest(shown, names.values())
            raise Mistake("unknown-name", words[0], f"no {slot} is called '{shown}'", help_)
        if slot == "cast":  # an actor may have the same name, and the cast then has another within
            captured[slot] = [words[0]._replace(text=text) for text in names[key].split()]


def check_phrase(p: Cursor) -> t.Cond_ | None:
    if p.now.text in p.scope.checks:
        return p.scope.checks[p.next().text]
    found = find_wording(p, CHECK, AFTER_CHECK)
    if found is None:
        return None
    if found.phrase.component is not None:
        run = run_title(p, found)
        return t.RunCheck(run.component, run.self_, run.args)
    inner = Cursor(meant(p, found), p.symbols, p.scope, [])
    if found.phrase.broken:
        return t.Always(True)
    check = parse_check(inner)
    at_end(inner)
    return check
