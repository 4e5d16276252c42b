"""Tokens -> preferences: which of several candidates comes first.

In:  tokens after the relations of a selector, or of a Preference definition.
Out: t.Pref: lowest, highest, nearest, those where, by name.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.cursor import Cursor, at_end
from rulewright.book.grammar.dispatch import parse_check, parse_number, parse_standing
from rulewright.book.grammar.draft import Draft
from rulewright.book.grammar.owners import default_owners, me
from rulewright.book.index import PREFERENCE
from rulewright.book.text.tokens import DEDENT, INDENT, NEWLINE, WORD, tokenize


def preferences(p: Cursor, made: Draft, it: t.TLocal) -> None:
    if p.take("nearest"):
        where = parse_standing(p) if p.take("to") else me(p)
        made.prefs.append(t.Pref(True, t.Distance(where, it)))
    if p.take("with"):
        made.prefs += preference_list(p, it)
    elif p.now.is_("by") and p.ahead().kind == WORD and not p.ahead().is_("lot"):
        p.next()
        made.prefs += _by_name(p, it)
    elif p.now.is_(",") and p.ahead().is_("lowest", "highest"):
        p.next()
        made.prefs += preference_list(p, it)
        p.take("first")
    if p.now.is_(",") and p.ahead().is_("then") and p.ahead(2).is_("lowest", "highest", "nearest", "by"):
        p.at += 2
        if p.now.is_("nearest", "by"):
            preferences(p, made, it)
        else:
            made.prefs += preference_list(p, it)


def _by_name(p: Cursor, it: t.TLocal) -> list[t.Pref]:
    name = p.need(PREFERENCE)
    return preference_named(p, name, it)


def preference_named(p: Cursor, name: str, it: t.TLocal) -> list[t.Pref]:
    """The preference of this name, about a candidate."""
    definition = p.symbols.preferences[name]
    lines = [line for f in definition.fields for line in f.lines]
    tokens = tokenize(lines, [], p.symbols.is_closed(definition.line.file))
    joined = [x for x in tokens if x.kind not in (INDENT, DEDENT, NEWLINE)]
    inner = Cursor(joined, p.symbols, p.scope, [])
    found = preference_list(inner, it)
    inner.take(".")
    at_end(inner)
    return found


def preference_list(p: Cursor, it: t.TLocal) -> list[t.Pref]:
    """`lowest E, then highest E, then those where CHECK`; bare numbers are the candidate's."""
    found: list[t.Pref] = []
    with p.scope.about(it):
        while True:
            if p.now.is_("lowest", "highest"):
                low = p.next().text == "lowest"
                value = _preferred(p)
                found.append(t.Pref(low, value, parse_number(p) if p.take("per") else None))
            elif p.take("nearest"):
                where = parse_standing(p) if p.take("to") else me(p)
                found.append(t.Pref(True, t.Distance(where, it)))
            elif p.take("those", "where"):
                found.append(t.Pref(False, t.Truth(parse_check(p))))
            elif p.now.is_("by") and p.ahead().kind == WORD:
                p.next()
                found += _by_name(p, it)
            elif p.peek_name(PREFERENCE) is not None:
                found += _by_name(p, it)
            else:
                raise p.fail(
                    "unexecutable",
                    "a preference is `lowest ...`, `highest ...`, `nearest`, `those where ...` or `by NAME`",
                )
            p.take("first")
            if p.take(",", "then"):
                continue
            if p.take("then"):
                continue
            return found


def _preferred(p: Cursor) -> t.Num_:
    """A number, or the bare name of one: `with lowest Health`."""
    token = p.now
    name = closed.bare_number(p)
    if name is None:
        return parse_number(p)
    resource = p.resource_named(name)
    return t.ReadRes(resource, default_owners(p, resource, token))
