"""Rulebooks as HTML: safe to insert, and opened at the line of a rule."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright.cli.pages import render
from rulewright.cli.volumes import make_library, shelved
from rulewright.serve.rules import rule_at
from serve.tables_kit import BOOKS, program, volume

TEXT = (BOOKS / "hands.md").read_text("utf-8")
HTML = render({"hands.md": TEXT})

ALLOWED = set(
    "h1 h2 h3 h4 h5 h6 p ul ol li strong em code pre span table thead tbody tr th td "
    "blockquote a hr br details summary".split()
)
ATTRIBUTES = {"data-file", "data-line", "data-end", "class", "href", "rel", "target", "style", "start"}


class Parts(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def check(html: str) -> None:
    for tag, attributes in Parts(html).tags:
        assert tag in ALLOWED, tag
        assert set(attributes) <= ATTRIBUTES, attributes
        link = attributes.get("href")
        assert link is None or re.match(r"(?i)https?:|mailto:", link), link
        style = attributes.get("style")
        assert style is None or re.fullmatch(r"text-align:(left|right|center)", style), style


def test_markup_in_a_book_is_text() -> None:
    check(HTML)
    nasty = """# <img src=x onerror=alert(1)>

<script>alert(1)</script>

[a](javascript:alert(1)) [b](data:text/html,x) [c](other.md) [d](https://example.org/?a=1&b=2) ![e](f.png "g")

| <b>x</b> | y |
|:--|--:|
| "><script> | [z](JaVaScript:alert(1)) |

```rules
<script> (Effect) do: say "<b>"   HA-PLAY-01
Note: </span></pre><script>
```

```example
</summary><script>
```
"""
    html = render({'"><script>.md': nasty})
    check(html)
    assert "<script" not in html
    assert 'href="https://example.org/?a=1&amp;b=2"' in html
    assert html.count("href") == 1


@given(st.text(alphabet="<>\"'&`[]()|#*-_!:;=/ \nabjavscriptdo123.~", max_size=200))
def test_whatever_is_written_nothing_gets_out(text: str) -> None:
    check(render({"a.md": text}))


def test_rules_are_told_apart() -> None:
    assert '<span class="r-title">Play</span> <span class="r-kind">(Action)</span>' in HTML
    assert '<span class="r-field">declare:</span>' in HTML
    assert '<span class="r-number">[Effort]</span>' in HTML
    assert '<span class="r-run">#Round</span>' in HTML
    assert '<span class="r-cite">HA-PLAY-01</span>' in HTML
    assert '<span class="r-step">1. Set up</span>' in HTML
    assert '<details class="example"' in HTML
    assert "seats: 2" not in HTML  # front matter is no prose


def test_lines_are_the_lines_of_the_file() -> None:
    lines = TEXT.split("\n")
    found = re.findall(
        r'<span class="line" data-file="hands.md" data-line="(\d+)">(.*?)</span>(?=\n|</code>)', HTML
    )
    assert len(found) > 30
    for number, html in found:
        words = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html)).strip()
        plain = words.replace("&gt;", ">").replace("&lt;", "<").replace("&quot;", '"').replace("&#x27;", "'")
        assert plain == re.sub(r"\s+", " ", lines[int(number) - 1]).strip()


def test_every_site_of_a_program_has_its_rule() -> None:
    sites = program("hands").sheet.sites
    assert len(sites) > 10
    for site in sites[1:]:
        rule = volume("hands").rule(site.file, site.line)
        assert f'data-line="{site.line}"' in rule, site
        check(rule)


def test_a_rule_by_its_line() -> None:
    line = next(n for n, text in enumerate(TEXT.split("\n"), 1) if text.startswith("do: [Purse]"))
    rule = rule_at(HTML, "hands.md", line)
    assert rule.startswith("<pre")
    assert rule.endswith("</pre>")
    assert "Save" in rule
    assert "Throw" not in rule
    assert rule_at(HTML, "hands.md", 0) == ""
    assert rule_at(HTML, "other.md", line) == ""
    assert rule_at(HTML, "hands.md", 10**6) != ""
    assert rule_at("", "hands.md", 1) == ""


def test_tables_and_lists_carry_lines_too() -> None:
    rows = re.findall(r'<tr data-file="hands.md" data-line="(\d+)"', HTML)
    texts = [TEXT.split("\n")[int(row) - 1] for row in rows]
    assert any(text.startswith("| Seven") for text in texts)
    assert re.search(r'<li data-file="hands.md" data-line="\d+"', HTML)


def test_a_file_of_nothing_but_blocks() -> None:
    text = "# Camp\n\nWalk\ndo: [Steps] += 1\n\nRest\ndo: [Steps] = 0\n"
    html = render({"camp.md": text})
    assert '<h1 data-file="camp.md" data-line="1" data-end="1">Camp</h1>' in html
    assert html.count('<pre class="rules"') == 2
    assert "Walk" in rule_at(html, "camp.md", 4)


def test_a_file_beside_the_shelf(tmp_path: Path) -> None:
    mine = tmp_path / "mine.md"
    mine.write_text(TEXT)
    books, name = shelved(mine)
    assert name == "mine"
    assert books["mine"] == mine
    taken = next((book for book in books if book != "mine"), None)
    if taken is not None:
        (tmp_path / f"{taken}.md").write_text(TEXT)
        books, name = shelved(tmp_path / f"{taken}.md")
        assert name == f"{taken} (file)"
        assert shelved(books[taken])[1] == taken
    assert shelved()[1] is None


def test_a_book_is_opened_again_only_when_it_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "hands.md"
    path.write_text(TEXT)
    made = make_library({"hands": path})
    stamp = made.stamp("hands")
    assert made.stamp("hands") == stamp
    volume_ = made.open("hands")
    assert volume_.program.title == "Hands"
    path.write_text(TEXT + "\nMore.\n")
    assert made.stamp("hands") != stamp


def test_rulings_are_notes_apart_from_other_quotes() -> None:
    ruled = "> **Ruling** AB-CD-01: <b>So</b>.\n>\n> **Ruling (changed)** AB-CD-02: Else.\n"
    text = f'# Game\n\n> Said by somebody.\n\n{ruled}\n```rules\nFall (Effect) do: say "down"\n```\n'
    html = render({"a.md": text})
    check(html)
    assert html.count("<blockquote") == 1
    note = '<details class="ruling" data-file="a.md" data-line="5" data-end="7"><summary>2 rulings</summary>'
    assert note in html
    assert "&lt;b&gt;So" in html
