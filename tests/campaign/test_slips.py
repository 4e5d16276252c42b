"""Slips of the pen in a whole campaign: each is one mistake, reported once, at the line to edit.

The campaign is The Raven Road. A case is a piece of it, what is written instead, and the line at which
that is to be reported: the line that changed, or the last line at or before it that begins with the text
given. Every third case runs always, the others in the long run.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulewright.compiler import check

ROOT = Path(__file__).resolve().parents[2]

SLIPS: list[tuple[str, str, str | None]] = [
    (
        "do: [Target Health] -= 1d6\nthen: [ActionPoints]",
        "do: [Target Heath] -= 1d6\nthen: [ActionPoints]",
        None,
    ),
    ("if: #Has ActionPoint\ndo: Move", "if: #Has ActionPoin\ndo: Move", None),
    (
        "if: #Has ActionPoint AND #Hits\ndo: [Target Health] -= 1d8",
        "if: #Has ActionPoint AND #Hit\ndo: [Target Health] -= 1d8",
        None,
    ),
    ("Range: 8 spaces", "Range: 8 spacs", None),
    ("Range: Adjacent\nTarget: Single enemy", "Range: Adjacnt\nTarget: Single enemy", None),
    ("Target: Single ally", "Target: Single aly", None),
    ("Features: Strict Costs", "Features: Strict Cost", None),
    ("Move, Basic Attack", "Move, Basic Atack", None),
    ("No Stacking", "No Stackin", None),
    ("do: Swap positions with target\n", "", "Trade Places"),
    ('"Smoke at the Ford"\nCommon', '"Smoke on the Ford"\nCommon', None),
    ("[Strength] + 1,", "[Strenght] + 1,", None),
    ("Initial value", "Initial valeu", None),
    ("if self is poisoned", "if self is poisond", None),
    ("gains +2 Defense", "gains +2 Defence", None),
    ("Strategy: Panicked.", "Strategy: Panicky.", None),
    ("Actor: Goblin (uses Template: Goblin Kind)", "Actor: Goblin (uses Template: Goblin Kin)", None),
    ("Actor: Goblin (uses Template: Goblin Kind)", "Actor: Goblin (use Template: Goblin Kind)", None),
    ("Strategy: Aggressive\nResources", "Strategy: Agressive\nResources", None),
    ("Members: Raven", "Members: Ravn", None),
    ("Members: Goblin Chief (Leader)", "Members: Goblin Chief (Leaedr)", None),
    ("Controller: Player", "Controler: Player", None),
    ("Controller: Player", "Controller: Plyer", None),
    ("Controller: Strategy (Aggressive)", "Controller: Strategy (Agressive)", None),
    ("Priority: 1", "Priority: one", None),
    (
        "when: An enemy is adjacent\nif: [Action Points] >= 1\ndo: Perform Stab",
        "when: An enemy is ajacent\nif: [Action Points] >= 1\ndo: Perform Stab",
        None,
    ),
    ("Perform Stab on", "Perform Stabb on", None),
    (
        "Perform Stab on adjacent enemy with lowest Health",
        "Perform Stab on adjacent enemy with lowest Helth",
        None,
    ),
    ("Perform Stab on adjacent enemy", "Perform Stab on adjacnt enemy", None),
    (
        "Move toward nearest enemy\nBehavior: Done\nPriority",
        "Move towards nearest enemy\nBehavior: Done\nPriority",
        None,
    ),
    ("when: number of allies within 3 spaces >= 2", "when: number of allies within 3 spaces > = 2", None),
    ("Dimensions: 7 x 6", "Dimensions: 7 x 7", "Picture:\n  #"),
    ("Dimensions: 7 x 6", "Dimensions: 7 by 6", None),
    ("  #..~..#\n  #..~..#\n", "  #..~..#\n  #..~.#\n", "Picture:\n  #"),
    ("~ = Difficult Terrain", "~ = Dificult Terrain", None),
    ("Exit: 7N 7E", "Exit: 8N 7E", None),
    ("Exit: 7N 7E", "Exit: 7E 7N", None),
    ("0N 2E to 1N 5E", "0N 2E to 1N 50E", None),
    ("Type: Narrative + Choice + Check", "Type: Narative + Choice + Check", None),
    ("Lead: Raven\nNarrative:\nSmoke", "Lead: Revan\nNarrative:\nSmoke", None),
    ("1d20 + [Accuracy] >= 14", "1d20 + [Acuracy] >= 14", None),
    ("1d20 + [Accuracy] >= 14", "1d20 + [Accuracy] => 14", None),
    ("1d20 + [Accuracy] >= 14", "1d0 + [Accuracy] >= 14", None),
    ("1d20 + [Accuracy] >= 14", "1d20 + [Accuracy >= 14", None),
    ('Gain feature "Unseen" for', 'Gain feature "Unsen" for', None),
    ('Gain feature "Unseen" for next encounter', 'Gain feature "Unseen" until end of encounter', None),
    ("Failure: [Health] -= 1d4", "Failure: [Target Health] -= 1d4", None),
    (
        'A) Walk straight in\n   Transition: Encounter "Ford Ambush"',
        'A) Walk straight in\n   Transition: Encounter "Ford Ambosh"',
        None,
    ),
    (
        'A) Walk straight in\n   Transition: Encounter "Ford Ambush"',
        "A) Walk straight in\n   Transition: Encounter Ford Ambush",
        None,
    ),
    ("(Cost: 10 Gold)", "(Cost: 10 Gould)", None),
    ("(Cost: 10 Gold)", "(Cost: ten Gold)", None),
    ('(requires flag "Took the Ferry" is not set)', '(requires flg "Took the Ferry" is not set)', None),
    ('Set flag "Took the Ferry"', 'Set flg "Took the Ferry"', None),
    ("Lead: Raven\nNarrative:\nA healer", "Leda: Raven\nNarrative:\nA healer", None),
    ("Effect: Add Wren", "Effcet: Add Wren", None),
    ("Roll 1d6:", "Roll 1d7:", None),
    ("     1-3:", "     1-2:", "Roll 1d6"),
    ("     4-5:", "     3-5:", "Roll 1d6"),
    ("4-5: Gain 2 Arrows", "4-5: Gain 2 Arows", None),
    ("Map: The Ford\nActors", "Map: The Fjord\nActors", None),
    ("  Player Cast: Heroes\n  Enemy Actors", "  Player Cast: Heros\n  Enemy Actors", None),
    ("Enemy Actors: Goblin x2", "Enemy Actors: Gobln x2", None),
    ("Raven at 1N 1E facing N", "Raven at 1N 1E facing X", None),
    ("Raven at 1N 1E facing N", "Raven at 0N 0E facing N", None),
    ("Raven at 1N 1E facing N", "Raven at 9N 9E facing N", None),
    ("Raven at 1N 1E facing N", "Raven at 1N 1F facing N", None),
    ("Raven at 1N 1E facing N", "Ravn at 1N 1E facing N", None),
    ("  Goblin 2 at 2N 5E facing W\n", "", "Encounter: Ford Ambush"),
    (
        "  Victory: All enemies defeated\n  Defeat: All players defeated\nTransitions:\n  Victory: Scene",
        "  Victory: All enemys defeated\n  Defeat: All players defeated\nTransitions:\n  Victory: Scene",
        None,
    ),
    ('  Defeat: Ending "The Raven Falls"\n\nScene', "\nScene", "Encounter: Ford Ambush"),
    (
        "Completion:\n  Victory: All enemies defeated\n  Defeat: All players defeated\nTransitions:\n  Victory: Scene",  # noqa: E501
        "Transitions:\n  Victory: Scene",
        "Encounter: Ford Ambush",
    ),
    ("Trigger: Round 3 begins", "Trigger: Round three begins", None),
    ("Deploy Goblin x1 at 7N 0E", "Deploy Gobbo x1 at 7N 0E", None),
    ("Deploy Goblin x1 at 7N 0E", "Move up to 2 spaces", None),
    ("Chief's Guard cast", "Chief's Gaurd cast", None),
    ("Ending: Slipped Past\n", "", "Escape: Ending"),
    ("Sub-Initiative: 1d20", "Sub-Initiative: 1d0", None),
    ("Limit: Once per encounter", "Limit: Once per encouter", None),
    ("Line of sight: required", "Line of sight: requird", None),
    ("do: Swap positions with target", "do: Swap position with target", None),
    ("do: Push target 2 spaces away from actor", "do: Push target 2 spaces away from the actor", None),
    ("[Defense] += 2 until start of next turn", "[Defense] += 2 until start of the next turn", None),
    ("then: #Pay ActionPoint, [Attacks Made] += 1", "then: #Hits, [Attacks Made] += 1", None),
    (
        "do: [Target Attack] += 2 until end of encounter\nthen: #Pay ActionPoint",
        "do: [Target Attack] += 2 until end of encounter\nthen: [Target Attack] -= 1",
        None,
    ),
    (
        "Behavior: Attack\nPriority: 1\nwhen: An enemy is adjacent\n",
        "Behavior: Attack\nPriority: 1\n",
        "Behavior: Attack",
    ),
    ("Actions: Cleave, War Cry", "Actions: Cleave, War Crie", None),
    ("Features: Light Feet", "Features: Light Foot", None),
    ("Features: Inspiring Presence, Morale Break", "Features: Inspiring Presence, Moral Break", None),
    ("Resources: Health: 20, Strength: 4", "Resources: Health: 20, Strenght: 4", None),
    ("Resources: Health: 20, Strength: 4", "Resources: Health: 20, Health: 4", None),
    ("Resources: Health: 20, Strength: 4", "Resources: Health: twenty, Strength: 4", None),
    ("Feature: Poison (Global)", "Feature: Poison (Globel)", None),
    ("Effect: Add Wren to Heroes cast", "Effect: Add Wrn to Heroes cast", None),
    ("Effect: Gain 3 Arrows", "Effekt: Gain 3 Arrows", None),
    ("Options:\nA) Walk", "Option:\nA) Walk", None),
    ("Move up to 2 spaces per turn.", "Move up to 2 spaces each turn.", None),
    ("While the cast leader is active, all other", "While the cast leader is alive, all other", None),
    ("Hits (Check)", "Hits (Chek)", None),
    ("[ActionPoints] -= 1\n\nHits", "[ActionPoints] - 1\n\nHits", None),
    ("1d20 + [Attack] >= [Target Defense]", "1d20 + [Attack] [Target Defense]", None),
    (
        "Cast: Chief's Guard\nController: Strategy (Aggressive)\nMembers: Goblin Chief (Leader), Goblin x2, Goblin Archer",  # noqa: E501
        "Cast: Chief's Guard\nController: Strategy (Aggressive)\nMembers: Goblin Chief (Leader), Goblin x2, Goblin Archer, Raven",  # noqa: E501
        None,
    ),
    ("Heroes in zone South Edge", "Heroes in zone South Edg", None),
    ("Origin: southwest corner\nPicture:\n  #", "Origin: southeast corner\nPicture:\n  #", None),
    (
        "Escape: A player actor ends their turn on Exit",
        "Escape: A player actor ends their turn on Exitt",
        None,
    ),
    ("Nightfall: Round 8 begins\nTr", "Nightfall: Round 8 begin\nTr", None),
    ("Maximums: Health", "Maximum: Health", None),
    ("Shared Resources: Renown", "Shared Resources: Renown, Gold", None),
    ("do: [Target Gold] += 5", "do: [Target Distance] += 5", None),
    ("[Target Health] < [Target Health Maximum]", "[Target Tonics] < [Target Tonics Maximum]", None),
    (
        "do: [Target Health] += 1d6 + [Wisdom], [Tonics] -= 1",
        "do: [Target Health Maximum] += 1d6, [Tonics] -= 1",
        None,
    ),
]


def campaign() -> str:
    """The rules of the book as one file of blocks."""
    text = (ROOT / "books" / "raven-road" / "raven-road.md").read_text()
    return "\n".join(re.findall(r"^```rules\n(.*?)^```$", text, re.S | re.M))


def wanted_line(text: str, changed: int, said: str | None) -> int:
    if said is None:
        return changed
    starts = [text.count("\n", 0, m.start()) + 1 for m in re.finditer(rf"^ *{re.escape(said)}", text, re.M)]
    before = [line for line in starts if line <= changed]
    return (before or starts)[-1]


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [pytest.param(*slip, marks=() if n % 3 == 0 else pytest.mark.long) for n, slip in enumerate(SLIPS)],
)
def test_a_slip_is_one_mistake_at_its_line(right: str, wrong: str, said: str | None, tmp_path: Path) -> None:
    before = campaign()
    assert right in before
    text = before.replace(right, wrong, 1)
    lines = zip(before.split("\n"), text.split("\n"), strict=False)
    changed = 1 + next(n for n, (old, new) in enumerate(lines) if old != new)
    path = tmp_path / "slip.md"
    path.write_text(text)
    found = [(d.span.file, d.span.line) for d in check(path).diagnostics]
    assert found == [("slip.md", wanted_line(text, changed, said))]


def test_without_a_slip_it_is_right(tmp_path: Path) -> None:
    path = tmp_path / "slip.md"
    path.write_text(campaign())
    assert check(path).diagnostics == ()
