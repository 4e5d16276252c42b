"""Lines of a field -> tokens with positions, indentation made explicit.

In:  source.Line objects of one field.
Out: Token list with NEWLINE, INDENT and DEDENT, as in Python.

Names are not recognised here: a name may have spaces, and only the book's own declarations tell
where it ends, so the parser joins words while it knows what it is looking for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rulewright.book.text.source import Line
from rulewright.diagnostics import Diagnostic, Span

WORD, NUMBER, DICE, STRING, MARK, NEWLINE, INDENT, DEDENT, END = (
    "word", "number", "dice", "string", "mark", "newline", "indent", "dedent", "end",
)  # fmt: skip

JOINS = {"&&": "AND", "||": "OR"}
"""What is meant by signs of other languages."""

PATTERN = re.compile(
    r"""(?P<space>\s+)
    |(?P<string>"[^"]*")
    |(?P<dice>\d*d\d+(?![A-Za-z0-9_]))
    |(?P<broken>\d+\.\d+(?![A-Za-z_0-9]))
    |(?P<number>\d+(?![A-Za-z_0-9]))
    |(?P<word>[^\W\d_](?:[\w'’]|-(?=[^\W\d_]|\d))*|\d+[^\W\d_][\w]*)
    |(?P<mark><=|>=|!=|==|\+=|-=|\*=|/=|=>|=<|[-+*/()=<>,;:\#.{}!\[\]])
    |(?P<bad>&&|\|\||.)""",
    re.X,
)


CONTINUES = re.compile(r"[+*/)]|-(?!=)|(?:AND|OR|and|or|then|where)\b")
"""A line that starts so goes on with the line above."""


class Token(NamedTuple):
    """A piece of text and where it stands. A tuple, since a book has many of them."""

    kind: str
    text: str
    file: str
    line: int
    column: int
    closed: bool = False
    """From a book whose base closes its text: only what the base lays open may stand there."""

    @property
    def span(self) -> Span:
        """Where to point when something is wrong with it."""
        return Span(self.file, self.line, self.column + 1, max(1, len(self.text)))

    def is_(self, *texts: str) -> bool:
        """A word or mark with one of these texts."""
        return self.text in texts and self.kind in (WORD, MARK)


def across(first: Token, last: Token) -> Span:
    """From one word to another; the first alone, if the other stands in another line."""
    if (last.line, last.file) != (first.line, first.file):
        return first.span
    length = last.column + len(last.text) - first.column
    return Span(first.file, first.line, first.column + 1, max(1, length))


def nests(sign: str) -> int:
    """1 for what opens a bracket, -1 for what closes one: the sum over a text says how deep it is."""
    return (sign in ("(", "[")) - (sign in (")", "]"))


def apart(text: str, at: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The pieces of a text between signs that stand outside of brackets and quotation marks, each with where
    it begins."""
    depth, start, quoted = 0, 0, False
    for i, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif not quoted:
            depth += nests(char)
        if depth <= 0 and not quoted and at.match(text, i):
            yield start, text[start:i]
            start = i + 1
    yield start, text[start:]


DIGITS = 9
"""What a slot of a match surely holds; sums of such numbers are the same on every engine."""
PARTNERS = {"(": "", "[": "", "{": "", ")": "(", "]": "[", "}": "{"}
"""What a bracket closes; nothing, if it opens one."""
NEVER = "'{}' is never closed"
TOO_LONG = re.compile(rf"\d{{{DIGITS + 1},}}")


DEEP, OPEN, LONG, BRANCHES = 24, 40, 120, 100
"""The most lines under each other, brackets in each other, signs between numbers or checks in a statement,
and `else if` in one field. Nobody reads more, and code made of more is beyond what compilers take."""


def tokenize(lines: list[Line], problems: list[Diagnostic], closed: bool = False) -> list[Token]:
    """The tokens of a field's lines; none of a field that is too deep or too long to be read."""
    short = sum(len(line.text) for line in lines) <= SHORT
    tokens, found = (_kept if short else _kept.__wrapped__)(tuple(lines), closed)
    problems += found
    return list(tokens)


SHORT = 1_500
"""Letters of a field whose tokens are kept; longer ones are rare, but a book may be full of them."""


@lru_cache(maxsize=4_096)
def _kept(lines: tuple[Line, ...], closed: bool) -> tuple[tuple[Token, ...], tuple[Diagnostic, ...]]:
    """Tokens and mistakes. A field that did not change since the book was last read is not cut again."""
    problems: list[Diagnostic] = []
    tokens = _tokens(lines, problems)
    if closed:
        tokens = [Token(kind, text, file, line, at, True) for kind, text, file, line, at, _ in tokens]
    found = _beyond(tokens)
    if found is not None:
        problems.append(Diagnostic("too-large", found[0].span, found[1]))
        tokens = tokens[-1:]
    return tuple(tokens), tuple(problems)


def _beyond(tokens: list[Token]) -> tuple[Token, str] | None:
    """The first token that goes beyond a limit, and which."""
    if len(tokens) <= min(DEEP, OPEN, LONG, BRANCHES) or _surely_within([token.text for token in tokens]):
        return None
    deep = opened = signs = branches = 0
    for token, after in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        if token.kind in (NEWLINE, INDENT, DEDENT):
            signs = 0
            deep += (token.kind == INDENT) - (token.kind == DEDENT)
            if deep > DEEP:
                return token, f"lines stand at most {DEEP} deep under each other: give the inner ones a name"
        elif token.is_("(", "["):
            opened += 1
            if opened > OPEN:
                return token, f"brackets stand at most {OPEN} deep in each other: give the inner part a name"
        elif token.is_(")", "]"):
            opened = max(0, opened - 1)
        elif token.is_("+", "-", "*", "/", "AND", "OR"):
            signs += 1
            if signs > LONG:
                return token, f"a statement joins at most {LONG} parts: give some of them a name"
        elif token.is_("else") and after.is_("if"):
            branches += 1
            if branches > BRANCHES:
                return token, f"a field has at most {BRANCHES} `else if`: a Table says it better"
        elif token.is_(",", ";"):
            signs = 0
    return None


def _surely_within(texts: list[str]) -> bool:
    """Whether there is so little of everything that it need not be counted one within the other."""
    opened = texts.count("(") + texts.count("[")
    signs = sum(map(texts.count, ("+", "-", "*", "/", "AND", "OR")))
    return max(opened / OPEN, signs / LONG, texts.count("else") / BRANCHES, texts.count("") / DEEP) <= 1


def _tokens(lines: Sequence[Line], problems: list[Diagnostic]) -> list[Token]:
    tokens: list[Token] = []
    shown = [line for line in lines if line.text.strip()]
    if not shown:
        return [Token(END, "", lines[0].file if lines else "", lines[0].number if lines else 0, 0)]
    columns = [line.column for line in shown]
    rest = columns[1:]
    if rest and min(rest) < columns[0]:
        columns[0] = min(rest)
    stack = [columns[0]]
    opened: list[Token] = []
    torn = ""
    for position, line in enumerate(shown):
        column = columns[position]
        joined = bool(opened) or bool(torn) or CONTINUES.match(line.text.strip()) is not None
        if position and joined:
            pass
        elif position:
            at = Token(NEWLINE, "", line.file, line.number, line.column)
            if column > stack[-1]:
                stack.append(column)
                tokens.append(Token(INDENT, "", line.file, line.number, line.column))
            else:
                while len(stack) > 1 and column < stack[-1]:
                    stack.pop()
                    tokens.append(Token(DEDENT, "", line.file, line.number, line.column))
                tokens.append(at)
        before = len(tokens)
        torn = _scan(line, tokens, problems, torn)
        for token in tokens[before:]:
            if token.text == "(":
                opened.append(token)
            elif token.text == ")" and opened:
                opened.pop()
            elif token.text == ")":
                problems.append(Diagnostic("unbalanced", token.span, "')' closes nothing"))
    for token in opened:
        problems.append(Diagnostic("unbalanced", token.span, NEVER.format("(")))
    last = shown[-1]
    for _ in stack[1:]:
        tokens.append(Token(DEDENT, "", last.file, last.number, last.column + len(last.text)))
    tokens.append(Token(END, "", last.file, last.number, last.column + len(last.text)))
    return tokens


def _scan(line: Line, tokens: list[Token], problems: list[Diagnostic], torn: str) -> str:
    """The tokens of a line. Gives the brackets it leaves open; what only closes such a one of the line
    before (`torn`) is no second mistake."""
    text = line.text
    lead = len(text) - len(text.lstrip())
    base = line.column - lead if text[:1].isspace() else line.column
    opened: list[tuple[str, int]] = []
    file, number = line.file, line.number
    for match in PATTERN.finditer(text):
        kind = match.lastgroup or "bad"
        if kind == "space":
            continue
        word, column = match.group(), base + match.start()
        if kind == "bad":
            what, code = f"'{word}' has no meaning here", "unexecutable"
            if word == '"':
                what, code = "a quotation mark without its partner", "unbalanced"
            help_ = f"write {JOINS[word]}" if word in JOINS else None
            problems.append(Diagnostic(code, Span(file, number, column + 1, len(word)), what, help_))
            if word in JOINS:  # what is joined is still read
                tokens.append(Token(WORD, JOINS[word], file, number, column))
            continue
        if kind == "broken":
            span = Span(file, number, column + 1, len(word))
            problems.append(Diagnostic("unexecutable", span, "numbers are whole"))
            kind, word = NUMBER, word.partition(".")[0]
        if kind == MARK and word in PARTNERS:
            partner = PARTNERS[word]
            if not partner:
                opened.append((word, column))
            elif opened and opened[-1][0] == partner:
                opened.pop()
            elif partner != "(" and [x for x, _ in opened[-2:]] in ([partner, "["], [partner, "{"]):
                sign, at = opened.pop()  # what stands between is not closed, and the rest is sound
                opened.pop()
                problems.append(Diagnostic("unbalanced", Span(file, number, at + 1, 1), NEVER.format(sign)))
            elif partner in torn:
                torn = torn.replace(partner, "", 1)
            elif partner != "(":
                span = Span(file, number, column + 1, 1)
                problems.append(Diagnostic("unbalanced", span, f"'{word}' closes nothing"))
        elif len(word) > DIGITS and kind in (NUMBER, DICE) and TOO_LONG.search(word):
            span = Span(file, number, column + 1, len(word))
            problems.append(Diagnostic("unexecutable", span, f"a number has at most {DIGITS} digits"))
            word = TOO_LONG.sub("1", word)
        tokens.append(Token(kind, word, file, number, column))
    for sign, column in opened:
        span = Span(line.file, line.number, column + 1, 1)
        if sign != "(":
            problems.append(Diagnostic("unbalanced", span, NEVER.format(sign)))
    return "".join(sign for sign, _ in opened if sign != "(")
