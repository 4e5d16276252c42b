"""What names mean inside one body, and the mistakes an author can make in it.

In:  nothing.
Out: Scope (locals, roles, whose numbers bare ones are) and Mistake (one diagnostic on its way up).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rulewright.book import tree as t
from rulewright.book.text.tokens import Token, across
from rulewright.diagnostics import Diagnostic

COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
ONE = ("the", "a", "an", "first", "random", "nearest", "Single", "single")
STOP_WORDS = frozenset(
    "of with on to from by until for in at as where then and or else is where if AND OR chooses may"
    " becomes among per toward within adjacent other".split()
)


class Mistake(Exception):
    """One mistake of the author, with the place to point at."""

    def __init__(self, code: str, token: Token, message: str, help: str | Callable[[], str] = "") -> None:
        super().__init__(message)
        self.code = code
        self.token = token
        self.last = token
        """The last word of what is wrong, for whoever knows how far it goes."""
        self.follows = False
        """It only follows from another one, which has been told."""
        self._message = message
        self._help = help

    def up_to(self, last: Token) -> Mistake:
        """The same, and it goes on up to this word."""
        self.last = last
        return self

    @property
    def diagnostic(self) -> Diagnostic:
        """For the author. Most mistakes never get there: what cannot be read one way is tried in another,
        and looking for the nearest name takes long."""
        help = self._help if isinstance(self._help, str) else self._help()
        return Diagnostic(self.code, across(self.token, self.last), self._message, help)


def tell(problems: list[Diagnostic], mistake: Mistake) -> None:
    """One mistake is one message."""
    if not mistake.follows:
        problems.append(mistake.diagnostic)


@contextmanager
def reported(problems: list[Diagnostic]) -> Generator[None, None, None]:
    """A mistake that is made here is one problem, and the book is read on behind it."""
    try:
        yield
    except Mistake as mistake:
        tell(problems, mistake)


class Scope:
    """What names mean inside one body: locals and their types, and whose numbers bare ones are."""

    def __init__(self, /, **locals_: str) -> None:
        self.locals: dict[str, str] = dict(locals_)
        self.numbers: set[str] = set()
        self.owner: t.Thing_ | None = None
        self.it: list[t.TLocal] = []
        self.sequence: t.Component | None = None
        self.open = False
        """An abbreviation: a role that is not there yet becomes a parameter."""
        self.wanted: dict[str, str] = {}
        self.fresh = 0
        self.status: int = -1
        self.behavior = False
        """A strategy's behavior: phrases that only strategies know may stand here."""
        self.scene = False
        """A scene, where no turns are taken."""
        self.nobody = False
        """What happens here is nobody's doing: words that mean whoever acts have no meaning."""
        self.demands: list[list[Token]] = []
        """What the phrases used here require of the action they stand in."""
        self.lost: set[str] = set()
        """Names that would be known here, had what they are to be not been a mistake."""
        self.hiding: set[tuple[int, str]] = set()
        """Lines and candidates of which it was told that they hide another: once is enough."""
        self.things: dict[str, t.Thing_] = {}
        """Words that stand for one certain thing in this text."""
        self.checks: dict[str, t.Cond_] = {}
        """Words that stand for a condition that was read already."""

    def local(self, word: str) -> tuple[str, str] | None:
        """The local with this name (case does not matter) and its type."""
        low = word.lower()
        if low in self.locals:
            return low, self.locals[low]
        return None

    def new_it(self, type_: str) -> t.TLocal:
        """A fresh candidate variable."""
        self.fresh += 1
        made = t.TLocal(f"it{self.fresh}", type_)
        self.locals[made.name] = type_
        return made

    @contextmanager
    def looking_at(self, it: t.TLocal) -> Generator[None, None, None]:
        """Here `it` is this one."""
        self.it.append(it)
        try:
            yield
        finally:
            self.it.pop()

    @contextmanager
    def about(self, it: t.TLocal) -> Generator[None, None, None]:
        """The same, and bare numbers are its numbers."""
        before, self.owner = self.owner, it
        try:
            with self.looking_at(it):
                yield
        finally:
            self.owner = before
