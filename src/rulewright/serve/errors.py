"""Errors at the edge: one shape, string codes.

In:  whatever a request did wrong.
Out: `{"error": "area/code", "message": "one sentence"}` with a fitting HTTP status.
"""

from __future__ import annotations

import logging
from types import MappingProxyType

logger = logging.getLogger("rulewright.serve")

CODES = MappingProxyType(
    {
        "book/broken": (500, "The book has mistakes; `rulewright check` shows them."),
        "book/rules-only": (422, "The book only holds rules for other books; it cannot be played by itself."),
        "book/unknown": (404, "No book of that name is on the shelf."),
        "choice/foreign": (403, "Another seat decides now."),
        "choice/over": (409, "The match is over."),
        "choice/stale": (409, "The table has moved on since you looked."),
        "choice/unknown": (422, "That option is not on offer."),
        "hint/refused": (403, "There are no hints where other people play."),
        "match/fault": (500, "The rules of the book failed on that choice; nothing was changed."),
        "match/slow": (503, "The rules of the book take too long on that; nothing was changed."),
        "replay/hidden": (403, "The match is not over; its replay would show hidden cards."),
        "request/host": (
            403,
            "This server does not answer to that name; whoever runs it can allow it with RULEWRIGHT_HOSTS.",
        ),
        "request/invalid": (422, "The request does not say what this address needs."),
        "request/method": (405, "This address does not take that method."),
        "request/too-large": (413, "The request is too large."),
        "request/too-many": (429, "Too many requests; wait a little."),
        "request/unknown": (404, "There is no such address."),
        "seats/wrong": (422, "The seats do not fit the book."),
        "server/fault": (500, "The server failed on this request; nothing was changed."),
        "setting/unknown": (422, "The book has no such option or word."),
        "store/unavailable": (503, "The database does not answer; look again before you choose again."),
        "table/broken": (500, "The stored match cannot be read."),
        "table/unknown": (404, "There is no such table."),
        "token/unknown": (403, "That link belongs to no seat of this table."),
        "undo/refused": (409, "Nothing can be taken back now."),
        "why/unknown": (404, "There is no such line in the log."),
    }
)
"""Every code: HTTP status and what it says when there is nothing better to say."""


class EdgeError(Exception):
    """A request that gets one clear answer and changes nothing."""

    def __init__(self, code: str, message: str = "") -> None:
        self.code = code
        self.status, default = CODES[code]
        self.message = message or default
        super().__init__(self.message)

    @property
    def body(self) -> dict[str, str]:
        """The answer."""
        return {"error": self.code, "message": self.message}


def as_edge(failure: BaseException) -> EdgeError:
    """What is said of a failure: its own answer, or that the database does not answer, which is noted."""
    if isinstance(failure, EdgeError):
        return failure
    logger.warning("the database fails: %s", failure)
    return EdgeError("store/unavailable")
