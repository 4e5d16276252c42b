"""Tokens -> moments: when a hook fires, when a timed change ends.

In:  the expression grammar.
Out: t.Moment.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_number, parse_thing
from rulewright.book.grammar.forms import GAPS
from rulewright.book.grammar.scope import Mistake
from rulewright.book.grammar.words import status_name
from rulewright.book.index import COMPONENT, RESOURCE, SEQUENCE, TERRAIN
from rulewright.book.phrases.match import AFTER_EFFECT, DURATION, SCENE, expand
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import END, NUMBER, WORD, Token

GAPS["moment"] = lambda p: (parse_moment(p),)


def parse_until(p: Cursor) -> tuple[t.Moment | None, t.Num_ | None]:
    if closed.worded(p) and p.now.is_("until", "for"):
        return _worded_time(p)
    if p.take("until"):
        count = None
        if p.now.kind == NUMBER or p.now.is_("[", "("):
            count = parse_number(p)
            p.expect("times")
        moment = parse_moment(p)
        if p.take("of", "bearer"):
            moment.whose = "bearer"
        elif p.take("of"):
            moment.whose = parse_thing(p, t.ACTOR)
        return moment, count
    if p.now.is_("for") and p.ahead().kind in (NUMBER,) and p.ahead(2).kind == WORD:
        p.next()
        count = parse_number(p)
        sequence = sequence_word(p)
        return t.Moment("end", sequence, own=sequence is p.symbols.roles.turn, which="count"), count
    return None, None


def _worded_time(p: Cursor) -> tuple[t.Moment | None, t.Num_ | None]:
    """A duration in the words of the book's framework."""
    token, book = p.now, p.symbols.phrases
    place = SCENE if p.scope.scene else DURATION
    found = book.find(place, p.tokens, p.at, AFTER_EFFECT)
    if found is None:
        words = " ".join(x.text for x in p.tokens[p.at : p.at + 6] if x.line == token.line)
        other = book.find(DURATION if p.scope.scene else SCENE, p.tokens, p.at, AFTER_EFFECT)
        why = (
            f"'{words}' cannot stand here"
            if other is not None
            else f"'{words}' is no duration that this book knows"
        )
        raise Mistake("unexecutable", token, why)
    p.at = found.end
    tokens = expand(found.phrase.fields[0][1], found.captured, token)
    return parse_until(
        Cursor([*tokens, Token(END, "", token.file, token.line, token.column)], p.symbols, p.scope, [])
    )


def sequence_word(p: Cursor) -> t.Component:
    """A sequence by name; case and a plural s do not matter (`turn`, `rounds`)."""
    return p.component_named(p.need(SEQUENCE))


def _owned_sequence(p: Cursor, moment: t.Moment) -> t.Moment:
    p.take("the")
    if p.take("own"):
        moment.own = True
    if p.take("next"):
        moment.which = "next"
    _ = p.take("each") or p.take("any")
    moment.sequence = sequence_word(p)
    if moment.which == "next" and moment.sequence is p.symbols.roles.turn:
        moment.own = True
    return moment


def parse_moment(p: Cursor) -> t.Moment:
    """A moment, for hooks and durations."""
    token = p.now
    p.take("at")
    if p.take("start", "of"):
        return _owned_sequence(p, t.Moment("start"))
    if p.take("end", "of"):
        return _owned_sequence(p, t.Moment("end"))
    after = p.take("after", "step")
    if after or p.take("step"):
        words: list[str] = []
        while p.now.kind in (WORD, NUMBER) and not p.now.is_("of"):
            words.append(p.next().text)
        p.expect("of")
        moment = _owned_sequence(p, t.Moment("after step" if after else "step"))
        assert moment.sequence is not None
        key = norm("".join(words))
        steps = [n for n, (name, _, _) in enumerate(moment.sequence.steps) if norm(name) == key]
        if not steps:
            raise Mistake("unknown-name", token, f"'{moment.sequence.name}' has no step '{' '.join(words)}'")
        moment.step = steps[0]
        return moment
    raise Mistake("unexecutable", token, "a moment is `start of ...`, `end of ...` or `step ... of ...`")


def hook_moment(p: Cursor) -> t.Moment:
    """A field key such as `before #Damage` or `when [Health] falls`."""
    for word in ("before", "after", "instead"):
        if p.now.is_(word) and not p.ahead().is_("step"):
            p.next()
            p.take("of")
            return _hook_of(p, word)
    if p.take("when"):
        return _hook_of(p, "when")
    return parse_moment(p)


def _hook_of(p: Cursor, word: str) -> t.Moment:
    token = p.now
    if p.take("any", "Action"):
        return t.Moment(word + " any", own=True)
    own = p.take("own")
    any_ = p.take("any")
    if p.take("#"):
        name = p.need(COMPONENT)
        component = p.component_named(name)
        return t.Moment(word, component=component, own=own, params=component.params)
    if p.now.is_("["):
        p.next()
        name = p.need(RESOURCE)
        p.expect("]")
        resource = p.resource_named(name)
        if p.take("is", "reduced"):
            return t.Moment(word + " reduced", resource=resource, own=not any_)
        moment = t.Moment(word + " change", resource=resource, own=not any_)
        which = p.next()
        if not which.is_("falls", "rises", "changes", "reaches"):
            raise Mistake("unexecutable", which, "a number falls, rises, changes or reaches")
        moment.which = which.text
        if which.text == "reaches":
            moment.level = parse_number(p)
        return moment
    _ = p.take("actor") if any_ else p.take("self") or (p.take("an") and p.take("actor"))
    if p.now.is_("becomes", "loses"):
        kind, status = p.next().text, status_name(p)
        if status is None:
            raise p.unknown("status", [s.name for s in p.symbols.statuses.values()])
        return t.Moment(kind, status=status, own=not any_)
    if p.take("enters"):
        p.take("a")
        if p.take("space"):
            return t.Moment("enters", own=not any_)
        terrain = p.need(TERRAIN)
        return t.Moment("enters", terrain=terrain, own=not any_)
    if p.take("leaves", "play"):
        return t.Moment("leaves play", own=not any_)
    raise Mistake("unexecutable", token, "this is no moment that a rule can wait for")
