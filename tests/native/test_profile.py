"""A profile counts: the same every time, by rule, and what runs more weighs more."""

from __future__ import annotations

from dataclasses import replace

from rulewright.ir.link import blank, link
from rulewright.ir.sheet import Sheet, Site
from rulewright.native.profile import OTHERS, SHARED, gathered, picture, profile
from small_programs import functions

CODE = """
def main():
    n = 0
    while n < 50:
        with ask(0, 0):  # site 1
            opt(0, busy(5), 0, 0)
            opt(1, 0, 0, 0)
        idle()
        n = n + 1
def busy(x):  # site 2
    i = 0
    while i < 200:  # site 2
        i = i + 1  # site 2
        x = x + i * i  # site 2
    return x % 7  # site 2
def idle():  # site 3
    return S[24] + S[25]  # site 3
def never():  # site 4
    return S[24] * S[25]  # site 4
"""


def test_what_runs_most_comes_first():
    sites = tuple(
        Site("book.md", line, title) for line, title in enumerate(("", "Ask", "Busy", "Idle", "Never"))
    )
    made = link(replace(blank("busy", (0,) * 4), sheet=Sheet(sites=sites)), functions(CODE))
    rows = profile(made, 4)
    assert rows == profile(made, 4)
    assert (rows[0].title, rows[0].file, rows[0].line) == ("Busy", "book.md", 2)
    assert rows[0].share > 0.8
    shares = {row.title: row.share for row in rows}
    assert 0 < shares["Idle"] < shares["Busy"]
    assert "Never" not in shares
    assert abs(sum(shares.values()) - 1) < 1e-9
    few = gathered(rows, 1)
    assert [row.title for row in few] == ["Busy", SHARED, OTHERS]
    assert abs(sum(row.share for row in few) - 1) < 1e-9
    drawn = picture("A <book>", rows)
    assert drawn.startswith("<svg")
    assert "Busy, book.md:2" in drawn
    assert "A &lt;book&gt;" in drawn
