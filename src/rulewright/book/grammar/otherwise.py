"""Words that rulebooks and other languages use for what is said otherwise here.

In:  the word where a text could not be read any further.
Out: a help, or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.book.grammar.closed import may_be_helped
from rulewright.book.text.tokens import Token

STATEMENTS = {
    **dict.fromkeys(("while", "loop", "until"), "write `repeat while CHECK: ..`"),
    **dict.fromkeys(("increase", "add", "raise"), "write `[R] += N`"),
    **dict.fromkeys(("decrease", "reduce", "subtract", "lower", "spend", "pay"), "write `[R] -= N`"),
    **dict.fromkeys(("place", "put"), "write `move X to SPACE`, or `put X in play at SPACE`"),
    **dict.fromkeys(("roll", "throw"), "what is rolled has a name, as in `let [N] = 2d6`"),
    **dict.fromkeys(("draw", "discard"), "write `move the top card of ZONE to ZONE`"),
    **dict.fromkeys(("print", "log", "show", "tell", "announce"), 'write `say "..."`'),
    **dict.fromkeys(("call", "run", "do", "resolve"), "a component is run by its name: `#Name`"),
    "return": "write `give E`",
    "break": "write `stop`",
    "is": "a check is no statement; `X becomes STATUS`, `set R of X to ..` and `[R] = N` change something",
}
"""Where a statement was looked for."""
CHECKS = {
    "all": "write `every X is ..`, or `every X has CHECK`",
    "any": "write `some X where ..`",
    "between": "write `[R] is A to B`",
    "contains": "write `some X in ZONE`",
    "=": "what a thing is stands after `is`; `=` is for numbers",
}
"""Where a check was looked for."""


def instead(table: dict[str, str], *tokens: Token) -> str:
    """What the first of these words that there is a help for should be."""
    if not may_be_helped(*tokens):
        return ""
    return next((table[x.text.lower()] for x in tokens if x.text.lower() in table), "")


def half(tokens: Sequence[Token], token: Token) -> str:
    """What follows AND and OR is a check of its own, and not the rest of the one before it."""
    at = next(i for i, x in enumerate(tokens) if x is token)
    word = tokens[at - 1].text.upper() if at else ""
    if word not in ("AND", "OR") or not may_be_helped(token):
        return ""
    return f"a whole check stands on both sides of {word}: `X is A {word} X is B`, `[X] > 1 {word} [X] < 4`"
