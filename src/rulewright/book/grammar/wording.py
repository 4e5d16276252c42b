"""The whole expression grammar: phrases that the book itself defines, on top of checks.

In:  tokens of one field, the Symbols of the book, a Scope with the locals.
Out: tree nodes; a mistake raises Mistake, which the statement parser turns into one diagnostic.

Recursive descent by hand: names have spaces, so where one ends depends on what the book declares
and on the kind that is expected here. A fixed grammar cannot know either.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.calls import inherit, parse_argument
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check
from rulewright.book.grammar.scope import Mistake
from rulewright.book.phrases.match import AFTER_CHECK, CHECK, Captured, Stop, expand
from rulewright.book.symbols import Sentence, norm
from rulewright.book.text.tokens import END, MARK, NUMBER, STRING, WORD, Token
from rulewright.diagnostics import nearest

PREDICATES = ("in", "out", "adjacent", "within", "laid", "none", "a", "an", "the", "ally", "enemy", "not")
"""What may follow `is` besides the name of a status."""


# ------------------------------------------------------------ phrases
def phrase_tokens(p: Cursor, place: str, stop: Stop) -> list[Token] | None:
    """The tokens that a phrase of the book's framework stands for, if one stands here."""
    if not closed.worded(p):
        return None
    p.symbols.phrases.scene = p.scope.scene
    found = p.symbols.phrases.find(place, p.tokens, p.at, stop)
    if found is None:
        return None
    _slots(p, found.captured)
    at = p.now
    p.at = found.end
    for key, value in found.phrase.fields[1:]:
        if key[0].text == "requires":
            p.scope.demands.append(expand(value, found.captured, at))
    return [
        *expand(found.phrase.fields[0][1], found.captured, at),
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
            close = nearest(shown, names.values())
            help_ = f"did you mean '{close}'?" if close else ""
            raise Mistake("unknown-name", words[0], f"no {slot} is called '{shown}'", help_)
        if slot == "cast":  # an actor may have the same name, and the cast then has another within
            captured[slot] = [words[0]._replace(text=text) for text in names[key].split()]


def check_phrase(p: Cursor) -> t.Cond_ | None:
    if p.now.text in p.scope.checks:
        return p.scope.checks[p.next().text]
    tokens = phrase_tokens(p, CHECK, AFTER_CHECK)
    if tokens is None:
        return None
    inner = Cursor(tokens, p.symbols, p.scope, [])
    found = parse_check(inner)
    if inner.now.kind != END:
        raise inner.fail("unexecutable", f"'{inner.now.text}' does not fit here")
    return found


# ------------------------------------------------------------ sentences
def parse_sentence(p: Cursor, kinds: tuple[str, ...]) -> t.Run | None:
    """A phrase that the book defines by a title with slots."""
    at = p.at
    best: tuple[int, t.Run] | None = None
    for pattern in p.symbols.sentences:
        if pattern.component.kind not in kinds:
            continue
        p.at = at
        made = _match(p, pattern)
        if made is not None and (best is None or p.at > best[0]):
            best = (p.at, made)
    if best is None:
        p.at = at
        return None
    p.at = best[0]
    if best[1].component.implicit and not best[1].args:
        inherit(p, best[1].component)
    return best[1]


def _match(p: Cursor, pattern: Sentence) -> t.Run | None:
    values: dict[str, object] = {}
    for sort, text in pattern.parts:
        if sort == "word":
            if p.now.kind in (WORD, NUMBER, MARK) and p.now.text.lower() == text.lower():
                p.next()
                continue
            return None
        param = next(
            (right for right in pattern.component.params if right.name.lower() == text.lower()), None
        )
        if param is None:
            return None
        try:
            values[param.name] = parse_argument(p, param)
        except Mistake:
            return None
    ordered = [values[right.name] for right in pattern.component.params if right.name in values]
    return t.Run(pattern.component, None, ordered, p.now.line)
