"""Tokens -> the words of a selector before its relations: quantifier, adjectives, noun.

In:  tokens.
Out: how many, which checks the adjectives are, and which sort of thing the noun is.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_bracket, parse_number
from rulewright.book.grammar.scope import Mistake
from rulewright.book.grammar.words import status_name
from rulewright.book.index import COLUMN_OF, COMPONENT, LIST_NOUN, TEMPLATE_NOUN, WORD_OF, Entry
from rulewright.book.text.tokens import NUMBER, WORD, Token
from rulewright.book.walk import retyped


def _asks_of_one(component: t.Component) -> bool:
    """A Check that is about one thing and nothing else, so its name can describe that thing."""
    params = component.params
    one = component.implicit or not params or (len(params) == 1 and params[0].type != t.NUMBER)
    return component.kind == "Check" and one


def parse_noun(p: Cursor) -> tuple[str, str] | None:
    """The noun here: (noun, type)."""
    if p.now.kind == WORD and p.now.text in t.NOUNS:
        return t.NOUNS[p.next().text]
    name = p.name(TEMPLATE_NOUN)
    if name is not None:
        return "template:" + name, t.ACTOR
    name = p.name(LIST_NOUN)
    return ("list", name) if name is not None else None


def adjective_wins(p: Cursor) -> bool:
    """A noun that is followed by another noun was an adjective: `Poisoned enemy`, `hero card`."""
    after = p.at
    again = parse_noun(p)
    p.at = after
    return again is not None and not p.now.is_("of", "in", "at", "where")


def described(p: Cursor, adjectives: list[t.Cond_], it: t.TLocal, token: Token) -> list[t.Cond_]:
    """What the adjectives say of the candidate, now that the noun has told its type."""
    made: list[t.Cond_] = []
    for test in adjectives:
        inner = test.part if isinstance(test, t.Never) else test
        if isinstance(inner, t.IsWord):
            word = word_test(p, it, inner.list, inner.word)
            if word is None:
                raise Mistake("type-mismatch", token, f"a {it.type} cannot be that")
            made.append(t.Never(word) if isinstance(test, t.Never) else word)
        else:
            made.append(retyped(test, it))
    return made


def word_test(p: Cursor, thing: t.Thing_, list_name: str, number: int) -> t.Cond_ | None:
    """`X is WORD`: by identity, by the column of that list, or by what the thing stands on."""
    if thing.type == list_name:
        return t.Same(thing, t.TConst(list_name, number))
    if list_name == t.nature(thing.type) and (thing.type, list_name) in t.STANDS_FOR:
        return t.Same(t.STANDS_FOR[thing.type, list_name](thing), t.TConst(list_name, number))
    if list_name == t.TERRAIN and thing.type == t.SPACE:
        return t.OnTerrain(thing, number)
    if list_name == t.SIDE and thing.type == t.ACTOR:
        return t.OnSide(thing, number)
    kind = t.nature(thing.type)
    table = p.symbols.list_of(kind)
    if table is not None:
        for column in table.columns.values():
            if column.type == list_name:
                return t.Same(t.TColumn(kind, column.name, thing, list_name), t.TConst(list_name, number))
    for resource in p.resources.values():
        if resource.holds == list_name and resource.of == (thing.type,):
            return t.Same(t.THold(resource, [thing], list_name), t.TConst(list_name, number))
    return None


def adjective(p: Cursor, it: t.TLocal) -> t.Cond_ | bool | None:
    """A word before the noun, as a check of it."""
    at = p.at
    negated = p.take("not")
    start = p.at
    here = p.here(WORD_OF)
    longest = p.at + max((n for n, entry in here if _listed(p, entry)), default=0)
    status = status_name(p) if it.type != t.SPACE else None  # a space has none
    if status is not None and p.at >= longest:
        made: t.Cond_ = t.HasStatus(it, p.symbols.statuses[status].index)
        return t.Never(made) if negated else made
    p.at = start
    name = p.name_of(COMPONENT, _asks_of_one)
    if name is not None and p.at < longest:
        p.at, name = start, None
    if name is not None:
        component = p.component_named(name)
        if len(component.params) == 1 and not component.implicit:
            made = t.RunCheck(component, None, [it])
        else:
            made = t.RunCheck(component, it, [])
        return t.Never(made) if negated else made
    columns = _mark_column(p, it)
    marked, p.at = p.at, start
    for length, entry in here:
        short = start + length < longest  # another list has a longer name here, and that is the one meant
        if short or (columns is not None and start + length <= marked) or not _describes(p, entry):
            continue
        p.at += length
        made = t.IsWord(it, entry.owner, entry.symbol)
        return t.Never(made) if negated else made
    if columns is not None:
        p.at = marked
        return t.Never(columns) if negated else columns
    p.at = at
    return None


def _listed(p: Cursor, entry: Entry) -> bool:
    """Is it a word of a list of the book's own, or of the cards?"""
    return entry.table is p.symbols.faces or any(entry.table is x for x in p.symbols.lists.values())


def _describes(p: Cursor, entry: Entry) -> bool:
    """Can the word say what something is?"""
    return entry.owner in (t.TERRAIN, t.SIDE) or _listed(p, entry)


def _mark_column(p: Cursor, it: t.TLocal) -> t.Cond_ | None:
    """A column of marks used as an adjective: `a Reach Weapon`, `each WEAPON card`."""
    for length, entry in sorted(p.here(COLUMN_OF), key=lambda found: found[1].owner != t.FACE):
        if entry.symbol.type == "mark":
            p.at += length
            return t.Compare("!=", t.ReadColumn(entry.owner, entry.symbol.name, it), t.Num(0, "-"))
    return None


QUANTIFIERS = {word: word for word in "every each some no random the an a first".split()} | {
    "any": "some", "all": "every", "All": "every", "Single": "a",
}  # fmt: skip
"""The words that say how many, and the word that means the same."""


def parse_quantifier(p: Cursor, default: str) -> tuple[str, t.Num_ | None]:
    """How many: the word, and the number if one is written."""
    token = p.now
    if token.kind == NUMBER:
        return "up to", parse_number(p)
    if token.is_("["):
        return "up to", parse_bracket(p)
    if p.take("up", "to"):
        return "up to", parse_number(p)
    word = QUANTIFIERS.get(token.text) if token.kind == WORD else None
    if word is None:
        return "the" if token.is_("nearest") else default, None
    p.next()
    if word == "the":
        p.take("first")
    random = token.is_("a", "an") and p.take("random")
    return "random" if random else word, None
