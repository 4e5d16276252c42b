"""Odds: right, compared with going through everything that can happen, and blind to what is hidden."""

from __future__ import annotations

import itertools
import math
import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from players.test_search import DUEL, at_decision
from rulewright import Match, Program, load
from rulewright.ir.events import ROLL
from rulewright.ir.program import RNG_HI, RNG_LO, SEATS
from rulewright.native.engine import NativeEngine
from rulewright.play.engine import Engine
from rulewright.play.faults import Fault
from rulewright.play.knowledge import find_field
from rulewright.play.match import MatchError
from rulewright.play.reference import ReferenceEngine
from rulewright.players.bots import Position, position, position_of
from rulewright.players.fair import filled
from rulewright.players.foretell import foretell
from rulewright.players.guess import Guess, guess
from rulewright.players.odds import Effect, Odds, odds, odds_of
from rulewright.players.trial import settled
from rulewright.players.watched import NUMBER, PLACE, PLAY, Watched

PLENTY = 1e9
"""Milliseconds: the clock cuts nothing short."""


@pytest.fixture(scope="module")
def duel() -> Program:
    return load(DUEL)


def chances(found: Odds) -> dict[tuple[str, str], float]:
    return {(effect.what.who, effect.what.name): effect.chance for effect in found.effects}


def means(found: Odds) -> dict[tuple[str, str], float]:
    return {(effect.what.who, effect.what.name): effect.mean for effect in found.effects}


class TooMany(Exception):
    """More ways than a test can wait for."""


def with_dice(
    engine: Engine, state: bytes, option: int, read: Callable[[], int]
) -> Iterator[tuple[int, float]]:
    """What `read` gives after an option, for every way the dice can fall, by the reference engine."""
    waiting: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    runs = 0
    while waiting:
        faces, weight = waiting.pop()
        runs += 1
        if runs > 300:
            raise TooMany
        engine.load(state)
        engine.options()
        engine.script(faces)
        try:
            engine.step(option)
        except Fault as fault:
            sides = int(fault.detail.split("to ")[1].split()[0]) + 1
            waiting += [((*faces, face), weight / sides) for face in range(sides)]
        else:
            yield read(), weight


def test_a_small_throw_is_exact(duel: Program) -> None:
    match = Match(duel, seed=4)
    attack = next(i for i, option in enumerate(match.decision.options) if "Attack" in option.text)  # pyright: ignore[reportOptionalMemberAccess]
    (found,) = odds(match, [attack])
    assert found.exact
    assert found.lines == 6 + 14 * 8
    target = next(e for e in found.effects if e.what.name == "Health")
    assert target.chance == pytest.approx(14 / 20)  # 1d20 + 5 >= 12
    assert target.mean == pytest.approx(-0.7 * 7.5)
    assert (target.low, target.high) == (-11, -4)
    assert target.values[-1] == (30, pytest.approx(6 / 20))
    told = foretell(duel, found)
    assert [one.text for one in told.sure] == ["Fighter 1 loses 1 Action Points"]
    assert (told.sure[0].who, told.sure[0].what) == ("Fighter 1", "Action Points \N{MINUS SIGN}1")
    assert told.may[0].text == "70 %: Fighter 2 loses 4 to 11 Health (7.5 on average)"
    assert told.may[0].short == "70 % Health \N{MINUS SIGN}7.5"


def test_what_no_dice_decide_is_sure(duel: Program) -> None:
    match = Match(duel, seed=4)
    for option, found in zip(match.decision.options, odds(match), strict=True):  # pyright: ignore[reportOptionalMemberAccess]
        assert found.option == option.index
        if "Attack" not in option.text:
            assert found.exact, option.text
            assert found.sure, option.text


def test_who_goes_unhurt_leaves_the_board_and_who_falls_leaves_play(duel: Program) -> None:
    """A scene that ends takes people off the board; it does not read as if they died."""
    book = replace(duel, sheet=replace(duel.sheet, front={"life": "Health"}))
    gone = [Watched(n, PLAY, "Actor", n, f"Fighter {n + 1}", "") for n in (0, 1)]
    hurt = Watched(2, NUMBER, "Actor", 1, "Fighter 2", "Health")
    half = ((0, 0.5), (1, 0.5))
    effects = [Effect(one, 0.5, -0.5, -1, -1, half, 1) for one in (*gone, hurt)]
    told = foretell(book, Odds(0, True, 2, tuple(effects)))
    said = {one.text for one in told.may}
    assert {"50 %: Fighter 1 leaves the board", "50 %: Fighter 2 leaves play"} <= said


def test_spaces_laid_in_play_are_called_by_where_they_lie() -> None:
    program = load("p52")
    column, row = find_field(program, "Space", "x"), find_field(program, "Space", "y")
    assert column is not None
    assert row is not None
    slots = [0] * (max(column.base, row.base) + column.counts[0])
    slots[column.base + 14], slots[row.base + 14] = 1, -1
    moved = Effect(Watched(0, PLACE, "Actor", 0, "Hero 1", "place", "Space"), 1.0, 0, 0, 0, ((14, 1.0),), 8)
    found = Odds(0, True, 1, (moved,))
    assert [one.text for one in foretell(program, found, slots=slots).sure] == ["Hero 1: at (1,-1)"]
    assert not foretell(program, found, text="step to (1,-1)", slots=slots).sure  # the option says it itself


def test_there_must_be_such_an_option(duel: Program) -> None:
    match = Match(duel, seed=4)
    with pytest.raises(MatchError):
        odds(match, [99])


def classed(pool: int) -> Iterator[tuple[tuple[int, ...], float]]:
    """Every throw of ten-sided dice as far as the book tells faces apart: 1, 2 to 7, 8 to 10."""
    sorts = ((0, 0.1), (3, 0.6), (8, 0.3))
    for throw in itertools.product(sorts, repeat=pool):
        yield tuple(face for face, _ in throw), math.prod(weight for _, weight in throw)


def test_attacks_of_vigil() -> None:
    """Sampled, against all throws of both pools."""
    program = load("vigil")
    engine = at_decision(program, 3, 6)
    assert engine is not None
    now = position_of(engine, 0)
    texts = [program.sheet.verbs[offer[0]].text for offer in now.offers]
    life = find_field(program, "Actor", "HP")
    assert life is not None
    engine.record(True)
    seen = 0
    for option in [i for i, text in enumerate(texts) if text.startswith(("Throw", "Netting Shot"))][::4]:
        target = now.offers[option][1]
        state = struct.pack(f"<{len(now.slots)}i", *now.slots)
        engine.load(state)
        engine.events()
        engine.step(option)
        pool = sum(event[2] == 10 for event in engine.events() if event[0] == ROLL)
        engine.record(False)
        exact = 0.0
        for throw, weight in classed(pool):
            engine.load(state)
            engine.script((*throw, *[0] * 20))
            engine.step(option)
            exact += weight * (engine.peek(life.base + target) < now.slots[life.base + target])
        engine.script(None)
        engine.record(True)
        (found,) = odds_of(now, [option], PLENTY)
        who = program.sheet.things["Actor"][target]
        assert not found.exact
        assert found.lines == 4000
        assert chances(found)[who, "HP"] == pytest.approx(exact, abs=4 * math.sqrt(0.25 / 4000))
        seen += 1
    assert seen >= 2


def rolling(program: Program, book_seeds: range, steps: int) -> Iterator[tuple[NativeEngine, Position, int]]:
    """Decisions with an option that throws a few six-sided dice."""
    for seed in book_seeds:
        for much in range(10, steps, 3):
            engine = at_decision(program, seed, much)
            if engine is None:
                break
            now = position_of(engine, 0)
            state = engine.state()
            for option in range(now.options):
                engine.load(state)
                engine.record(True)
                engine.events()
                engine.step(option)
                rolls = [event[2] for event in engine.events() if event[0] == ROLL]
                engine.load(state)
                if 1 <= len(rolls) <= 2:
                    yield engine, now, option


def test_dice_of_penance() -> None:
    """Cards are hidden there, so odds are sampled; taken are throws that hidden cards do not change."""
    program = load("penance-1")
    reference = ReferenceEngine(program)
    reference.record(False)
    heat = find_field(program, "Actor", "Heat")
    assert heat is not None
    compared = 0
    for _, now, option in rolling(program, range(40), 60):
        open_ = guess(program, now.slots, now.seat, native=True)
        for actor in range(2):
            slot = heat.base + actor

            def read(slot: int = slot, before: int = now.slots[slot]) -> int:
                return reference.peek(slot) - before

            exact: list[list[tuple[int, float]]] = []
            for seed in range(24):
                slots = filled(open_, now.slots, random.Random(seed))
                state = struct.pack(f"<{len(slots)}i", *slots)
                try:
                    exact.append(sorted(with_dice(reference, state, option, read)))
                except (Fault, TooMany, IndexError):
                    break
            if (
                len(exact) < 24
                or any(cases != exact[0] for cases in exact)
                or exact[0][0][0] == exact[0][-1][0]
            ):
                continue
            (found,) = odds_of(now, [option], PLENTY)
            who = program.sheet.things["Actor"][actor]
            chance = sum(weight for value, weight in exact[0] if value)
            assert chances(found).get((who, "Heat"), 0.0) == pytest.approx(chance, abs=0.035)
            mean = sum(value * weight for value, weight in exact[0])
            assert means(found).get((who, "Heat"), 0.0) == pytest.approx(mean, abs=0.1)
            compared += 1
        if compared >= 3:
            return
    pytest.fail(f"only {compared} throws were found")


def flips(program: Program, wanted: int) -> Iterator[tuple[Position, int, int, int]]:
    """Decisions of p52 with an option that flips one card: position, option, the deck's slot, its size."""
    deck = next(zone for zone in program.sheet.zones if zone.name == "Action Deck")
    found = 0
    for seed in range(60):
        for steps in range(20, 120, 4):
            engine = at_decision(program, seed, steps, 1)
            if engine is None:
                break
            now = position_of(engine, 0)
            state = engine.state()
            for option in range(now.options):
                engine.load(state)
                before = engine.peek(deck.base)
                engine.step(option)
                if before - engine.peek(deck.base) == 1 and before > 20:
                    yield now, option, deck.base, before
                    found += 1
                    if found >= wanted:
                        return
                    break


def topped(open_: Guess, now: Position, top: int, others: int) -> Iterator[list[list[int]]]:
    """For every card that could lie on top: states with it there, everything else drawn anew in each."""
    group = next(group for group in open_.classes if top in group.cards)
    chance = random.Random(now.options)
    for row in group.rows:
        states: list[list[int]] = []
        for _ in range(others):
            slots = filled(open_, now.slots, chance)
            lies = next(card for card in group.cards if row == _row(open_, slots, card))
            for card, values in ((lies, _row(open_, slots, top)), (top, row)):
                for (base, apart), value in zip(open_.columns, values, strict=True):
                    slots[base + card * apart] = value
            slots[RNG_LO], slots[RNG_HI] = now.slots[RNG_LO], now.slots[RNG_HI]
            states.append(slots)
        yield states


def _row(open_: Guess, slots: list[int], card: int) -> tuple[int, ...]:
    return tuple(slots[base + card * apart] for base, apart in open_.columns)


def by_top(
    engine: NativeEngine, open_: Guess, now: Position, option: int, deck: int, watch: list[int]
) -> list[tuple[int, ...]] | None:
    """What the watched slots are for each card that could lie on top; None where that card does not decide
    everything: where a second one does, of whatever pile, or dice."""
    found: list[tuple[int, ...]] = []
    for states in topped(open_, now, now.slots[deck + now.slots[deck]], 6):
        seen: set[tuple[int, ...]] = set()
        for slots in states:
            engine.load(struct.pack(f"<{len(slots)}i", *slots))
            engine.step(option)
            if engine.peek(RNG_LO) != slots[RNG_LO] or slots[deck] - engine.peek(deck) != 1:
                return None
            seen.add(tuple(map(engine.peek, watch)))
        if len(seen) > 1:
            return None
        found += seen
    return found


def test_flips_of_p52() -> None:
    """Every card that could lie on top, one after the other."""
    program = load("p52")
    engine = NativeEngine(program)
    engine.record(False)
    compared = 0
    for now, option, deck, count in flips(program, 400):
        open_ = guess(program, now.slots, now.seat, native=True)
        if not any(now.slots[deck + count] in group.cards for group in open_.classes):
            continue
        (found,) = odds_of(now, [option], PLENTY)
        watch = [e.what for e in found.effects if e.what.sort == "number"]
        cases = by_top(engine, open_, now, option, deck, [what.slot for what in watch])
        if cases is None:
            continue
        exact = {
            (what.who, what.name): sum(case[k] != now.slots[what.slot] for case in cases) / len(cases)
            for k, what in enumerate(watch)
        }
        chancy = [key for key, chance in exact.items() if 0.02 < chance < 0.98]
        for key in chancy:
            assert chances(found)[key] == pytest.approx(exact[key], abs=0.04), (key, option)
        compared += bool(chancy)
        if compared >= 3:
            return
    pytest.fail(f"only {compared} flips were found")


@pytest.mark.parametrize("name", ["p52", "penance-1", "penance-2"])
def test_hidden_things_do_not_show(name: str) -> None:
    """Two states that look alike to the seat have the same odds, number by number."""
    program = load(name)
    compared = 0
    for seed in range(240):
        engine = at_decision(program, seed, 30)
        if engine is None:
            continue
        now = position_of(engine, 0)
        open_ = guess(program, now.slots, now.seat, native=True)
        if open_.sure:
            continue
        first = odds_of(now, range(min(4, now.options)), PLENTY, lines=96)
        if not any(0 < chance < 1 for shown in first for chance in chances(shown).values()):
            continue  # no odds are shown, so none could differ
        chance = random.Random(seed)
        for _ in range(2):
            slots = filled(open_, now.slots, chance)
            slots = shuffled(program, slots, now, chance)
            engine.load(struct.pack(f"<{len(slots)}i", *slots))
            if tuple(engine.options()) != now.offers:
                continue  # the seat could tell by what it is offered
            other = position_of(engine, 1)
            assert odds_of(other, range(min(4, now.options)), PLENTY, lines=96) == first
            compared += 1
        if compared >= 5:
            return
    pytest.fail(f"odds were shown and compared only {compared} times")


def shuffled(program: Program, slots: list[int], now: Position, chance: random.Random) -> list[int]:
    """The state with unknown cards of hidden piles in another order."""
    open_ = guess(program, now.slots, now.seat, native=True)
    order = settled(program, slots, now.seat, open_)
    unknown = {card for group in open_.classes for card in group.cards}
    for zone in program.sheet.zones:
        for owner in range(len(program.sheet.things.get(zone.of, ())) if zone.of else 1):
            base = zone.base + owner * zone.stride
            pile = range(base + 1, base + 1 + order[base])
            if zone.seen == "nobody" and all(order[place] in unknown for place in pile):
                cards = [order[place] for place in pile]
                chance.shuffle(cards)
                for place, card in zip(pile, cards, strict=True):
                    order[place] = card
    return order


def test_a_match_is_not_moved(duel: Program) -> None:
    match = Match(duel, seed=4)
    before = match.engine.state()
    odds(match)
    assert match.engine.state() == before
    assert position(match).slots[SEATS] == 2
