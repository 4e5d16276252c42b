"""What front matter says of a book's looks, and what is left out of it."""

from __future__ import annotations

import re
from pathlib import Path

from rulewright.serve.looks import looks_of

ROOT = Path(__file__).parents[2]


def test_looks_are_read_from_front_matter() -> None:
    front = {
        "life": "HP",
        "company": "2",
        "accent": "#1f6b4a",
        "icons": "Deep Water waves, Jack of Hearts J♥, Old Gate gate",
        "tints": "Deep Water water",
        "textures": "Deep Water ripples",
        "cover": "crown gem ♠",
        "pictures": "gate M3 21V9a9 9 0 0 1 18 0v12; bird M1 1l2 2z",
    }
    assert looks_of(front) == {
        "life": "HP",
        "company": 2,
        "accent": "#1f6b4a",
        "icons": {"Deep Water": "waves", "Jack of Hearts": "J♥", "Old Gate": "gate"},
        "tints": {"Deep Water": "water"},
        "textures": {"Deep Water": "ripples"},
        "cover": ["crown", "gem", "♠"],
        "pictures": {"gate": "M3 21V9a9 9 0 0 1 18 0v12", "bird": "M1 1l2 2z"},
    }


def test_what_could_do_more_than_be_drawn_is_left_out() -> None:
    front = {
        "company": "<2>",
        "accent": "red;background:url(x)",
        "icons": 'Wall <script>, Gate "onload=x',
        "cover": "<b> ../x",
        "pictures": "a M0 0<script>; b <path d='M0 0'/>; c M0 0\" onload=\"x",
    }
    assert looks_of(front) == {}


def test_the_docs_name_every_icon_tint_and_texture() -> None:
    """Nobody should have to look into the page for what a book may say."""
    page = ROOT / "src/rulewright/serve/page"
    told = (ROOT / "docs/language.md").read_text("utf-8")
    names = re.findall(r'^ "([a-z0-9-]+)":', (page / "vendor/icons.js").read_text("utf-8"), re.MULTILINE)
    assert len(names) > 80
    ground = (page / "ground.js").read_text("utf-8")
    for kind in ("TINTS", "TEXTURES"):
        listed = re.search(rf"const {kind} = \[(.*)\]", ground)
        assert listed
        names += re.findall(r'"([a-z]+)"', listed[1])
    missing = [name for name in names if not re.search(rf"\b{name}\b", told)]
    assert not missing
