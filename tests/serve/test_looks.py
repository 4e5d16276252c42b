"""What front matter says of a book's looks, and what is left out of it."""

from __future__ import annotations

from rulewright.serve.looks import looks_of


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
