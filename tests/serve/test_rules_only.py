"""A book that only holds rules for others: on the shelf, readable, and never at a table."""

from __future__ import annotations

from pathlib import Path

from rulewright.compiler import compile_book
from rulewright.serve.api import build
from rulewright.serve.library import Library, Volume
from rulewright.serve.store import Store
from serve.tables_kit import OPEN, client, sqlite_url

BLOCKS = "Poke\ndo: [Target Health] -= 1\n"


def test_it_is_shown_and_refused(tmp_path: Path) -> None:
    book = tmp_path / "blocks.md"
    book.write_text(BLOCKS)
    program = compile_book(book)
    app = build(Store(sqlite_url(tmp_path)), Library(("blocks",), lambda name: Volume(name, program)), OPEN)
    with client(app) as web:
        (card,) = web.get("/api/books").json()
        assert (card["name"], card["rules_only"]) == ("blocks", True)
        refused = web.post("/api/tables", json={"book": "blocks", "seats": [{"kind": "you"}]})
        assert (refused.status_code, refused.json()["error"]) == (422, "book/rules-only")
        assert web.get("/api/tables").json() == []
