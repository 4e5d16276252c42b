"""Closed text: what differs where a base book lets only its own wording, references and lines stand.

In:  the cursor, or a token of the text.
Out: an answer, or a Mistake for what closed text cannot say.

This is the one module that asks whether text is closed. All else is one language for every text.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import RESOURCE
from rulewright.book.symbols import ListSym, norm
from rulewright.book.text.tokens import STRING, WORD, Token


def worded(p: Cursor) -> bool:
    """Do phrases of the base stand here?"""
    return p.closed and bool(p.symbols.phrases)


def may_be_helped(*tokens: Token) -> bool:
    """Is it told how open text says what is said otherwise here? Closed text says things its own way."""
    return not any(token.closed for token in tokens)


def referring(opening: Token) -> bool:
    """Is a name in these brackets one of the base's references (`[R]`, `[Target R]`) before all else?"""
    return opening.closed


def means_any(token: Token) -> bool:
    """May a noun by itself mean any one of its kind? In open text it is more likely a slip."""
    return token.closed


def joins(p: Cursor, word: str) -> bool:
    """AND or OR, or the same in small letters; closed text may mix them."""
    text = p.now.text
    return p.now.kind == WORD and (text in (word, word.upper()) or (p.closed and text.lower() == word))


def denies(p: Cursor) -> bool:
    """Does a `not` stand here that closed text cannot say by itself?"""
    return p.closed and p.now.text.lower() == "not"


def only_phrases(p: Cursor) -> bool:
    """Must a condition that begins with a word be one of the base's, or plainly a comparison?"""
    return p.closed and p.now.kind == WORD


def calls_checks_only(p: Cursor, token: Token, component: t.Component) -> None:
    """A component in a condition is a Check; only open text compares what others give."""
    if token.closed:
        words = f"'{component.name}' is an {component.kind} and cannot stand here"
        raise Mistake("wrong-kind", token, words).up_to(p.tokens[p.at - 1])


def unsigned(p: Cursor) -> None:
    """No sign before a number."""
    if p.closed:
        raise p.fail("unexecutable", "a number has no sign of its own; write `0 - ...`")


def dice_of_numbers(p: Cursor) -> bool:
    """May the sides of a die be a number in brackets?"""
    return not p.closed


def final(p: Cursor, value: t.Num_, token: Token) -> t.Num_:
    """A whole number of a book: where its numbers are never below 0, this is where that holds."""
    never = token.closed and str(p.symbols.front.get("numbers", "")).startswith("never")
    return t.Final(value) if never else value


def no_role(p: Cursor, token: Token) -> None:
    """A role that nobody has here is said to be missing; it cannot be part of another name."""
    if p.closed and token.text in ("Target", "Attacker") and not p.ahead().is_("]", "of"):
        raise Mistake("wrong-kind", token, f"there is no {token.text.lower()} here")


def limited(p: Cursor, resource: t.Resource, maximum: bool, token: Token) -> None:
    """Only a number that somebody limits has a maximum to read."""
    if maximum and token.closed and norm(resource.name) not in p.symbols.limited:
        raise Mistake("unknown-name", token, f"'{resource.name}' has no maximum")


def bare_number(p: Cursor) -> str | None:
    """The name of a number without brackets: `with lowest Health`."""
    if not p.closed or p.now.kind != WORD or p.now.is_("max", "min", "abs", "roll"):
        return None
    return p.need(RESOURCE)


def small_word(p: Cursor, table: ListSym) -> t.Thing_ | None:
    """A word of a list in small letters."""
    if not p.closed or p.now.kind != WORD or not p.now.text.islower():
        return None
    low = [norm(w).lower() for w in table.words]
    name = p.among(set(low))
    return t.TConst(table.name, low.index(name)) if name is not None else None


def quotes(p: Cursor) -> bool:
    """Does a name in quotation marks stand here?"""
    return p.closed and p.now.kind == STRING


def next_effect(p: Cursor) -> bool:
    """Does another effect surely begin after this comma, whatever went wrong before it?"""
    return p.closed and p.now.is_(",", ";") and p.ahead().is_("[", "#")
