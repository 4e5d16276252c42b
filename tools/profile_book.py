"""Which rules of a book take the time: a table on the screen, and a picture.

In:  the name of a book of the shelf, or the path of one.
Out: build/profile-NAME.svg, and its busiest rows on the screen.

Usage: python tools/profile_book.py BOOK [--matches N] [--rows N]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from rulewright.compiler import compile_book, find_book
from rulewright.native.profile import picture, profile

BUILD = Path(__file__).resolve().parents[1] / "build"


def main() -> None:
    reader = argparse.ArgumentParser(description="Which rules of a book take the time.")
    reader.add_argument("book")
    reader.add_argument("--matches", type=int, default=24)
    reader.add_argument("--rows", type=int, default=25)
    wanted = reader.parse_args()
    path = find_book(wanted.book) or Path(wanted.book)
    if not path.is_file():
        reader.error(f"no book is called '{wanted.book}'")
    program = compile_book(path)
    rows = profile(program, wanted.matches)
    for row in rows[: wanted.rows]:
        place = f"{row.file}:{row.line}" if row.file else "(engine)"
        print(f"{100 * row.share:5.1f} %  {row.entered:>12,} times  {row.title}  {place}")
    BUILD.mkdir(exist_ok=True)
    target = BUILD / f"profile-{program.name}.svg"
    target.write_text(picture(program.title, rows, wanted.rows))
    print(f"written to {target.relative_to(BUILD.parent)}")


if __name__ == "__main__":
    main()
