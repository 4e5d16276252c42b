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
from rulewright.book.index import COMPONENT, LIST_NOUN, TEMPLATE_NOUN, WORD_OF
from rulewright.book.symbols import ListSym
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
    longest = p.at + max((n for n, entry in p.here(WORD_OF) if _in_lists(p, entry.table)), default=0)
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
    words_at = p.at
    columns = _mark_column(p, it)
    marked = p.at
    p.at = words_at
    for table in (*p.symbols.lists.values(), p.symbols.terrains, p.symbols.sides, p.symbols.faces):
        word = p.word(table)
        short = p.at < longest  # another list has a longer name here, and that is the one meant
        if word is not None and (short or (columns is not None and p.at <= marked)):
            p.at = words_at
            continue
        if word is not None:
            number = table.numbers[word]
            made = t.IsWord(it, table.name, number)
            return t.Never(made) if negated else made
    if columns is not None:
        p.at = marked
        return t.Never(columns) if negated else columns
    p.at = at
    return None


def _in_lists(p: Cursor, table: ListSym | None) -> bool:
    """Is it a list of the book's own, or that of the cards?"""
    return table is p.symbols.faces or any(table is x for x in p.symbols.lists.values())


def _mark_column(p: Cursor, it: t.TLocal) -> t.Cond_ | None:
    """A column of marks used as an adjective: `a Reach Weapon`, `each WEAPON card`."""
    for table in (p.symbols.faces, *p.symbols.lists.values(), p.symbols.terrains, p.symbols.status_list):
        key = p.column(table, lambda c: c.type == "mark")
        if key is not None:
            column = t.ReadColumn(table.name, table.columns[key].name, it)
            return t.Compare("!=", column, t.Num(0, "-"))
    return None


def parse_quantifier(p: Cursor, default: str) -> tuple[str, t.Num_ | None]:
    """How many: the word, and the number if one is written."""
    token = p.now
    if token.kind == NUMBER:
        return "up to", parse_number(p)
    if token.is_("["):
        return "up to", parse_bracket(p)
    if p.take("up", "to"):
        return "up to", parse_number(p)
    for word in (
        "every",
        "each",
        "some",
        "no",
        "random",
        "the",
        "an",
        "a",
        "first",
        "any",
        "all",
        "All",
        "Single",
    ):
        if token.is_(word):
            p.next()
            if word == "the":
                p.take("first")
            if word in ("a", "an") and p.now.is_("random"):
                p.next()
                return "random", None
            return {"all": "every", "All": "every", "any": "some", "Single": "a"}.get(word, word), None
    if token.is_("nearest"):
        return "the", None
    return default, None
