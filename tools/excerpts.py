"""Copy the excerpts of docs/language.md anew from the books they stand in.

In:  docs/language.md, whose fences `rules from books/...` hold definitions of that file.
Out: the same page, each definition as its book has it now. Run after changing a quoted page of a book;
     tests/test_docs.py fails until then.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "language.md"
FENCE = re.compile(r"^```rules from (\S+)\n(.*?)^```$", re.S | re.M)


def blocks(text: str) -> Iterator[str]:
    """What stands between blank lines."""
    return (block for block in re.split(r"\n\s*\n", text.strip("\n")) if block)


def title(block: str) -> str:
    """The first line without what it cites."""
    return re.split(r"\s{2,}", block.partition("\n")[0].rstrip())[0]


def fresh(quoted: str, book: str) -> str:
    """The same blocks in the book's words; each is looked for after the one before, then from the top."""
    found: list[str] = []
    known = list(blocks(re.sub(r"^```.*$", "", book, flags=re.M)))
    at = 0
    for block in blocks(quoted):
        places = [i for i, other in enumerate(known) if title(other) == title(block)]
        if not places:
            raise SystemExit(f"no block of the book begins with '{title(block)}'")
        at = next((i for i in places if i >= at), places[0])
        found.append(known[at])
    return "\n\n".join(found) + "\n"


def main() -> int:
    text = PAGE.read_text("utf-8")
    made = FENCE.sub(
        lambda m: f"```rules from {m[1]}\n{fresh(m[2], (ROOT / m[1]).read_text('utf-8'))}```", text
    )
    PAGE.write_text(made, "utf-8")
    print("nothing to copy" if made == text else f"{PAGE.relative_to(ROOT)} is up to date again")
    return 0


if __name__ == "__main__":
    sys.exit(main())
