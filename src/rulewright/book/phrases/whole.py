"""A text that is one phrase as a whole: a field, a sentence, a line of a block.

In:  its tokens, the phrases of the book.
Out: the phrase with what stands in its gaps; what it stands for, as lines that were read already.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.match import Captured, Phrase
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Line
from rulewright.book.text.tokens import DEDENT, END, INDENT, NEWLINE, Token, tokenize
from rulewright.diagnostics import Diagnostic, suggest


class TokenLines(list[Line]):
    """Lines that were already read as tokens: a field made by a phrase."""

    def __init__(self, tokens: Iterable[Token]) -> None:
        self.tokens = list(tokens)
        first = self.tokens[0] if self.tokens else Token(END, "", "", 0, 0)
        if not self.tokens or self.tokens[-1].kind != END:
            last = self.tokens[-1] if self.tokens else first
            self.tokens.append(Token(END, "", last.file, last.line, last.column))
        super().__init__([Line(first.file, first.line, first.column, "phrase")])


def whole(book: phrases.Book, place: str, tokens: list[Token]) -> tuple[Phrase, Captured] | None:
    """The phrase that the whole of the tokens is."""
    found = book.find(place, tokens, 0, lambda token: token.kind == END)
    return (found.phrase, found.captured) if found is not None else None


def flat(lines: list[Line], problems: list[Diagnostic], closed: bool = True) -> list[Token]:
    """The tokens of a field as one line."""
    return [x for x in tokenize(lines, problems, closed) if x.kind not in (INDENT, DEDENT, NEWLINE)]


def worded(
    symbols: Symbols, place: str, tokens: list[Token], what: str, problems: list[Diagnostic]
) -> tuple[Phrase, Captured] | None:
    """The phrase that the tokens are, perhaps with a full stop; a wording that there is not is reported."""
    if not tokens or tokens[0].kind == END:
        return None
    if len(tokens) > 1 and tokens[-2].is_("."):
        del tokens[-2]
    found = whole(symbols.phrases, place, tokens)
    if found is None:
        text = shown(tokens)
        help_ = suggest(text, plain_titles(symbols, place))
        words = f"'{text}' is no {what} that this book knows"
        problems.append(Diagnostic("unexecutable", tokens[0].span, words, help_))
    return found


def plain_titles(symbols: Symbols, place: str) -> list[str]:
    """Phrases for a place that have no gaps."""
    return [p.title for p in symbols.phrases.phrases.get(place, ()) if "{" not in p.title]


def shown(tokens: list[Token]) -> str:
    """Tokens as text again."""
    made = ""
    for token in tokens:
        if token.kind == END:
            break
        tight = token.is_("]", ")", ",", ".", ";", ":") or made.endswith(("[", "(", "#"))
        made += ("" if not made or tight else " ") + token.text
    return made.strip()[:90]


def sifted(problems: list[Diagnostic], at: Token) -> list[Diagnostic]:
    """Of what went wrong in a phrase, what its author can mend: mistakes in its slots, else one for all."""
    own = [d for d in problems if (d.span.line, d.span.column) != (at.line, at.column + 1)]
    return own or problems[:1]
