"""A cursor over the tokens of a field: looking ahead, taking words, joining them into names.

In:  tokens, Symbols, a Scope.
Out: what every function of the grammar moves along.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

from rulewright.book import tree as t
from rulewright.book.grammar.scope import STOP_WORDS, Mistake, Scope
from rulewright.book.index import COLUMN_OF, COMPONENT, WORD_OF, Entry, index_of
from rulewright.book.symbols import ListSym, Symbols, norm
from rulewright.book.text.tokens import DICE, END, MARK, NUMBER, WORD, Token
from rulewright.diagnostics import Diagnostic, nearest

INSIDE = ("/", ".", "&", "!", "(", ")", ",")
"""Marks that may stand inside a name."""

NAMING = (WORD, NUMBER, DICE)
"""Tokens of which names are made."""

LONGEST = 9
"""Tokens in a name, at most."""


def _runs(tokens: Sequence[Token], at: int, starts: Collection[str] | None = None) -> list[tuple[int, str]]:
    """What stands here as names are written, without spaces: how many tokens, and the words as one, as long
    as a name starts so."""
    joined, found = "", list[tuple[int, str]]()
    for n, token in enumerate(tokens[at : at + LONGEST], 1):
        kind, text = token[0], token[1]
        if kind not in NAMING and not (joined and kind == MARK and text in INSIDE):
            break
        joined += text.replace("’", "'")
        if starts is not None and joined not in starts:
            break
        found.append((n, joined))
    return found


class Cursor:
    """Where a parser is. The grammar itself is functions of it, in the modules named after what they read."""

    def __init__(
        self, tokens: list[Token], symbols: Symbols, scope: Scope, problems: list[Diagnostic]
    ) -> None:
        self.tokens = tokens
        self._found: dict[int, dict[str, list[tuple[int, Entry]]]] = {}
        self.index = index_of(symbols)
        self.at: int = 0
        self.symbols = symbols
        self.scope = scope
        self.problems = problems

    # ------------------------------------------------------------ cursor
    @property
    def now(self) -> Token:
        """The token to look at next."""
        return self.tokens[self.at]

    @property
    def closed(self) -> bool:
        """Is the text here closed: may only what a base book lays open stand in it?"""
        return self.tokens[self.at].closed

    @property
    def resources(self) -> dict[str, t.Resource]:
        """The resources that the text here may name."""
        return self.symbols.resources_for(self.closed)

    @property
    def components(self) -> dict[str, t.Component]:
        """The components that the text here may name."""
        return self.symbols.components_for(self.closed)

    def ahead(self, n: int = 1) -> Token:
        """The token n further on."""
        return self.tokens[min(self.at + n, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Take the token."""
        token = self.tokens[self.at]
        if token.kind != END:
            self.at += 1
        return token

    def take(self, *texts: str) -> bool:
        """Take this sequence of words or marks if it stands here."""
        tokens, at = self.tokens, self.at
        if tokens[at].text != texts[0]:  # nearly always
            return False
        last = len(tokens) - 1
        for n, text in enumerate(texts):
            token = tokens[min(at + n, last)]
            if token.text != text or token.kind not in (WORD, MARK):
                return False
        self.at += len(texts)
        return True

    def expect(self, *texts: str) -> Token:
        """Take it or complain."""
        token = self.now
        for text in texts:
            if not self.now.is_(text):
                shown = self.now.text or "the end of the line"
                here = self.now if self.now.text or not self.at else self.tokens[self.at - 1]
                raise Mistake(
                    "unexecutable", here if here.text else token, f"expected '{text}', found '{shown}'"
                )
            self.next()
        return token

    def fail(self, code: str, message: str, token: Token | None = None, help: str = "") -> Mistake:
        """A mistake at the cursor."""
        return Mistake(code, token or self.now, message, help)

    # ------------------------------------------------------------ names
    def here(self, kind: str) -> Sequence[tuple[int, Entry]]:
        """The names of a kind that stand here and how many tokens they take, the longest first."""
        found = self._found.get(self.at)
        if found is None:
            found = self._found[self.at] = self._look()
        return found.get(kind, ())

    def _look(self) -> dict[str, list[tuple[int, Entry]]]:
        """All names that stand here, by kind: every place is asked for dozens of them, and looked at once."""
        view = self.index.view(self.closed)
        names = view.names
        found: dict[str, list[tuple[int, Entry]]] = {}
        for length, joined in reversed(_runs(self.tokens, self.at, view.starts)):
            for entry in names.get(joined, ()):
                found.setdefault(entry.kind, []).append((length, entry))
        if COMPONENT in found:
            self.index.met.update((entry.symbol, None) for _, entry in found[COMPONENT])
        return found

    def name(self, kind: str) -> str | None:
        """Take the longest name of a kind; gives its key."""
        for length, entry in self.here(kind):
            return self._taken(entry.key, length)
        return None

    def need(self, kind: str) -> str:
        """The same, and a mistake if there is none."""
        found = self.name(kind)
        if found is None:
            raise self.unknown(kind, self.titles(kind))
        return found

    def titles(self, kind: str) -> list[str]:
        """Every name of a kind that may stand here."""
        return list(self.index.view(self.closed).titles[kind]())

    def name_of(self, kind: str, fits: Callable[[Any], bool]) -> str | None:
        """Take the longest name of something that fits."""
        for length, entry in self.here(kind):
            if fits(entry.symbol):
                return self._taken(entry.key, length)
        return None

    def word(self, table: ListSym) -> str | None:
        """Take the longest word of a list."""
        return self._part(table, WORD_OF, lambda _: True)

    def column(self, table: ListSym, fits: Callable[[t.Column], bool] = lambda _: True) -> str | None:
        """Take the longest name of a column of a list."""
        return self._part(table, COLUMN_OF, fits)

    def _part(self, table: ListSym, kind: str, fits: Callable[[Any], bool]) -> str | None:
        for length, entry in self.here(kind):
            if entry.table is table and fits(entry.symbol):
                return self._taken(entry.key, length)
        return None

    def among(self, words: Collection[str]) -> str | None:
        """Take the longest run of words that is one of these: locals, steps, the words of an option."""
        found = [(length, joined) for length, joined in _runs(self.tokens, self.at) if joined in words]
        return self._taken(found[-1][1], found[-1][0]) if found else None

    def _taken(self, name: str, length: int) -> str:
        self.named_closed = self.closed
        self.at += length
        return name

    named_closed = False
    """Was the name that was taken last in closed text?"""

    def resource_named(self, name: str) -> t.Resource:
        """The resource whose name was just taken."""
        return self.symbols.resources_for(self.named_closed)[name]

    def component_named(self, name: str) -> t.Component:
        """The component whose name was just taken."""
        return self.symbols.components_for(self.named_closed)[name]

    def peek_name(self, kind: str) -> str | None:
        """The name that stands here, without taking it."""
        return next((entry.key for _, entry in self.here(kind)), None)

    def unknown(
        self, what: str, names: Collection[str], token: Token | None = None, otherwise: str = ""
    ) -> Mistake:
        """A name nobody declared, with the nearest one that somebody did, or else what might be wrong."""
        at = token or self.now
        words: list[str] = []
        n = 0
        while self.ahead(n).kind in (WORD, NUMBER) and n < 5 and not (n and self.ahead(n).text in STOP_WORDS):
            words.append(self.ahead(n).text)
            n += 1
        shown = " ".join(words) or at.text

        def help() -> str:
            close = nearest(shown, names)
            return f"did you mean '{close}'?" if close else otherwise

        made = Mistake("unknown-name", at, f"no {what} is called '{shown}'", help)
        made.follows = at.text.lower() in self.scope.lost or norm(shown).lower() in self.scope.lost
        return made


def at_end(p: Cursor) -> None:
    """Nothing may stand here any more."""
    if p.now.kind != END:
        raise p.fail("unexecutable", f"'{p.now.text}' does not fit here")
