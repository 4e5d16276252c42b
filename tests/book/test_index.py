"""Names as a cursor finds them: the longest, of the kind that is asked for, and what a message suggests."""

from __future__ import annotations

import pytest

from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.scope import Mistake, Scope
from rulewright.book.index import ACTION, COMPONENT, LIST_NOUN, RESOURCE, SEQUENCE, index_of
from rulewright.book.symbols import Symbols
from rulewright.book.text.source import Line
from rulewright.book.text.tokens import tokenize
from rulewright.compiler import check

BOOK = """# B
```rules
Health (Resource) of: Actor; starts: 3
Health Bonus (Resource) of: Actor
Mood (List)
words: Calm, Very Calm, Health
Turn (Sequence)
1. Act: do: act once
Strike (Action)
do: [Health] -= 1
Harm (Effect)
do: [Health] -= 1
```
"""


@pytest.fixture(scope="module")
def symbols(tmp_path_factory: pytest.TempPathFactory) -> Symbols:
    path = tmp_path_factory.mktemp("index") / "b.md"
    path.write_text(BOOK)
    return check(path).symbols


def over(symbols: Symbols, text: str) -> Cursor:
    return Cursor(tokenize([Line("b.md", 1, 0, text)], []), symbols, Scope(), [])


def test_the_longest_name_is_taken(symbols: Symbols) -> None:
    p = over(symbols, "Health Bonus of self")
    assert p.peek_name(RESOURCE) == "HealthBonus"
    assert p.at == 0
    assert p.name(RESOURCE) == "HealthBonus"
    assert p.now.text == "of"


def test_a_name_goes_no_further_than_it_is_one(symbols: Symbols) -> None:
    p = over(symbols, "Health Potion")
    assert p.name(RESOURCE) == "Health"
    assert p.now.text == "Potion"


def test_one_word_may_name_things_of_several_kinds(symbols: Symbols) -> None:
    p = over(symbols, "Health")
    assert p.name(ACTION) is None
    assert p.word(symbols.lists["Mood"]) == "Health"
    p.at = 0
    assert p.name(RESOURCE) == "Health"


def test_words_of_a_list_are_found_by_their_list(symbols: Symbols) -> None:
    p = over(symbols, "Very Calm")
    assert p.word(symbols.faces) is None
    assert p.word(symbols.lists["Mood"]) == "VeryCalm"


def test_sequences_and_nouns_have_plurals_and_small_letters(symbols: Symbols) -> None:
    assert over(symbols, "turns").name(SEQUENCE) == "Turn"
    assert over(symbols, "moods").name(LIST_NOUN) == "Mood"


def test_a_fitting_thing_is_asked_for(symbols: Symbols) -> None:
    p = over(symbols, "Harm")
    assert p.name_of(COMPONENT, lambda c: c.kind == "Value") is None
    assert p.name_of(COMPONENT, lambda c: c.kind == "Effect") == "Harm"


def test_what_is_missing_is_suggested_from_the_same_index(symbols: Symbols) -> None:
    with pytest.raises(Mistake) as caught:
        over(symbols, "Strkie").need(ACTION)
    assert caught.value.diagnostic.message == "no action is called 'Strkie'"
    assert caught.value.diagnostic.help == "did you mean 'Strike'?"


def test_the_index_is_made_once(symbols: Symbols) -> None:
    assert index_of(symbols) is index_of(symbols)
