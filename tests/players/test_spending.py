"""What is spent for nothing: told by everything that a state has, whatever an option asks for afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright import Match, load
from rulewright.players.odds import odds

BOOK = """---
title: Herbs
summary: Somebody with herbs that help against wounds, and with nothing else to do.
designer: the tests
licence: MIT
length: a minute
seats: 1
bound: 500
life: Health
---
# Herbs

```rules
Health (Resource) range: 0 to 6; starts: 6; maximum: 6
Herbs (Resource) starts: 5
Heat (Resource) starts: 3
Vow (Resource) shown: no
Digger (Template) box: 2; seat: any

Match (Sequence)
1. Set up   put every actor out of play in play, for each Digger: seat 1 controls it
2. Digging  for each actor: #Turn on it
3. Close    end the match with Done, a draw

Turn (Sequence)
1. Actions  act until pass

Salve (Action)
cost: [Herbs] -= 1
do: [Health] += 1d4

Bind (Action)
declare: target = a Digger; other = a Digger
cost: [Herbs] -= 1
do: [Health of other] += 1

Brew (Action)
declare: target = a Digger
cost: [Herbs] -= 1
do: [Herbs of target] += (1 if target is not self)

Swear (Action)
cost: [Herbs] -= 1
do: [Vow] += 1

Cool (Action)
do: [Heat] -= 1

Done (Ending)
```
"""


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Match:
    path = tmp_path_factory.mktemp("herbs") / "herbs.md"
    path.write_text(BOOK, "utf-8")
    return Match(load(path), seed=1)


def spent(match: Match) -> dict[str, tuple[str, ...] | None]:
    assert match.decision is not None
    texts = [option.text for option in match.decision.options]
    return {texts[one.option]: one.spends for one in odds(match, milliseconds=1e9)}


def test_what_brings_nothing_but_its_price(match: Match) -> None:
    found = spent(match)
    assert found["Salve"] == ("Herbs",)
    assert found["Bind: Digger 1"] == found["Bind: Digger 2"] == ("Herbs",)  # all are well


def test_what_brings_something_is_no_waste(match: Match) -> None:
    found = spent(match)
    assert found["Brew: Digger 1"] == ("Herbs",)
    assert found["Brew: Digger 2"] is None
    assert found["Swear"] is None  # nobody sees what a book keeps for itself, but it counts
    assert found["Cool"] == ("Heat",)  # whether that is a price the book says
    assert found["pass"] is None


def test_a_wound_makes_herbs_worth_something(match: Match) -> None:
    field = next(field for field in match.program.sheet.fields if field.name == "Health")
    hurt = Match(match.program, seed=1)
    hurt.engine.poke(field.base, 3)
    found = spent(hurt)
    assert found["Salve"] is None
    assert found["Bind: Digger 2"] is None


def test_a_step_on_a_way_leads_on() -> None:
    """Nothing of a way is written down before it ends: a step is no choice of which nothing would come."""
    match = Match(load("raven-road"), seed=3)
    for wanted in ("A) Walk straight in", "Raven: Move"):
        assert match.decision is not None
        match.choose([option.text for option in match.decision.options].index(wanted))
    found = spent(match)
    steps = [text for text in found if text.startswith("step to")]
    assert len(steps) > 1
    assert all(found[step] is None for step in steps)


START = """---
title: Sentry
summary: Somebody who may act now or hold back.
designer: the tests
licence: MIT
length: a minute
seats: 1
bound: 500
---
# Sentry

```rules
Watched (Resource) range: 0 to 9
Sentry (Template) box: 1; seat: any

Match (Sequence)
1. Set up   put every actor out of play in play, for each Sentry: seat 1 controls it
2. Watch    for each actor: #Turn on it
3. Close    end the match with Done, a draw

Turn (Sequence)
1. Begin    choose "now, or after somebody else":
              "go":
              "wait": end Turn
2. Actions  act until pass

Look (Action)
do: [Watched] += 1

Done (Ending)
```
"""


def test_what_begins_a_turn_is_worth_something(tmp_path: Path) -> None:
    """Nothing changes when somebody goes on to act, but it is no choice of which nothing comes."""
    path = tmp_path / "sentry.md"
    path.write_text(START, "utf-8")
    assert spent(Match(load(path), seed=1)) == {"go": None, "wait": None}
