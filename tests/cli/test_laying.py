"""Spots that players lay: they are drawn while nobody stands on them yet, with the glyphs of the book."""

from __future__ import annotations

from rulewright import Match, load
from rulewright.cli.map_text import MapDrawing
from rulewright.cli.screen import slots_of


def test_spots_are_drawn_as_they_are_laid():
    match = Match(load("p52"), 1, 3, {"Layout": "by hand"}, engine="native")
    for _ in range(60):
        assert match.decision is not None
        if match.decision.prompt == "place":
            break
        match.choose(0)
    match.choose("(0,1)")
    match.choose("(1,1)")
    drawing = MapDrawing(match.program, slots_of(match), match.view(0))
    lines = [line.plain.rstrip() for line in drawing.lines(70)]
    assert lines == ["  1 ?   ?", "  0 ?", "    0   1"]
    assert "? Face Down" in drawing.key().plain
