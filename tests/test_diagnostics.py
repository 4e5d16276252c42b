"""Diagnostics: the rendered form, the nearest name, order, and the error that carries them."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulewright import diagnostics
from rulewright.diagnostics import CODES, BookError, Diagnostic, Span, error, nearest, render, warning

SOURCE = "\n" * 40 + "do: [Target Heath] -= 1d6\n"
HEATH = error(
    "unknown-name",
    Span("duel.md", 41, 13, 5),
    "no resource is called 'Heath'",
    "did you mean 'Health', declared on line 12?",
)


def test_the_form_in_the_documents() -> None:
    assert render(HEATH, SOURCE) == (
        "duel.md:41:13: error[unknown-name]: no resource is called 'Heath'\n"
        "   41 | do: [Target Heath] -= 1d6\n"
        "      |             ^^^^^\n"
        "   help: did you mean 'Health', declared on line 12?"
    )


def test_no_help_no_line() -> None:
    plain = warning("unreachable-row", Span("duel.md", 99, 1), "row 7 cannot come up")
    assert render(plain, SOURCE) == "duel.md:99:1: warning[unreachable-row]: row 7 cannot come up"
    assert render(HEATH, "").count("\n") == 1


@pytest.mark.parametrize(
    ("line", "column", "length", "carets"),
    [
        ("\t[Heath]", 3, 5, "  ^^^^^"),
        ("[Heath", 7, 1, "      ^"),  # just past the end: something is missing there
        ("[Heath", 2, 400, " ^^^^^"),
        ("火 Heath", 3, 5, "   ^^^^^"),
        ("e\u0301 Heath", 4, 5, "  ^^^^^"),
        ("", 1, 0, "^"),
    ],
)
def test_carets_stand_under_the_word(line: str, column: int, length: int, carets: str) -> None:
    shown = render(error("unknown-name", Span("b.md", 1, column, length), "what"), line + "\nnext").split(
        "\n"
    )
    assert shown[2] == "      | " + carets


def test_a_line_ends_only_where_an_editor_says_so() -> None:
    shown = render(error("unknown-name", Span("b.md", 2, 1, 3), "what"), "a\x0cb\u2028c\r\nfoo\r\n")
    assert shown.split("\n")[1] == "    2 | foo"


def test_a_very_long_line_is_cut_around_the_word() -> None:
    line = "x" * 5000 + "Heath" + "y" * 5000
    shown = render(error("unknown-name", Span("b.md", 1, 5001, 5), "what"), line).split("\n")
    start = shown[2].index("^")
    assert shown[1][start : start + 5] == "Heath"
    assert len(shown[1]) < 200


@given(st.text(max_size=400), st.integers(-2, 9), st.integers(-2, 400), st.integers(-2, 400))
def test_any_text_renders(text: str, line: int, column: int, length: int) -> None:
    render(error("unexecutable", Span("b.md", line, column, length), "what"), text)


def test_a_code_that_is_not_in_the_table_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="no-such-code"):
        error("no-such-code", Span("b.md", 1, 1), "what")


def test_codes_are_words_and_one_sentence() -> None:
    for code, sentence in CODES.items():
        assert code.replace("-", "").isalpha()
        assert code.islower()
        assert sentence.endswith(".")
        assert sentence.count(". ") == 0
    assert list(CODES) == sorted(CODES)


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("Heath", ["Health", "Wealth", "Strength"], "Health"),
        ("ActionPoint", ["Action Points", "Reaction Points"], "Action Points"),
        ("health", ["Health"], "Health"),
        ("Max Helth", ["Health", "Max Health"], "Max Health"),
        ("Movement Cost Total", ["Total Movement Cost", "Attack"], "Total Movement Cost"),
        ("AP", ["HP"], "HP"),
        ("AP", ["XY"], None),  # two letters, both different
        ("Zeppelin", ["Health", "Attack"], None),
        ("Heath", [], None),
        ("", ["Health"], None),
        ("abd", ["abe", "abc"], "abc"),
    ],
)
def test_nearest(name: str, candidates: list[str], expected: str | None) -> None:
    assert nearest(name, candidates) == expected
    assert nearest(name, set(candidates)) == nearest(name, reversed(candidates))


def test_a_book_error_shows_all_in_reading_order_and_survives_pickling() -> None:
    first = error("missing-part", Span("duel.md", 2, 1), "no title")
    problem = BookError([HEATH, first, HEATH], {"duel.md": SOURCE})
    assert problem.diagnostics == (first, HEATH)
    assert str(problem).index("no title") < str(problem).index("^^^^^")
    again = pickle.loads(pickle.dumps(problem))
    assert isinstance(again, BookError)
    assert again.diagnostics == problem.diagnostics
    assert str(again) == str(problem)


def test_only_errors_stop_a_book() -> None:
    slow = Diagnostic("empty-choice", Span("b.md", 1, 1), "may be empty", severity="warning")
    assert not diagnostics.has_errors([slow])
    assert diagnostics.has_errors([slow, HEATH])
