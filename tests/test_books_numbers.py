"""What a shipped book says in words and tables, its rules do: number by number.

Where a sentence can read its figure from a definition (`{[Hand Size]}`) it does. These tests hold the rest:
tables that people read beside tables and formulas that are played.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BOOKS = Path(__file__).parent.parent / "books"
NUMBER = re.compile(r"\d+d\d+|\d+")


def text(name: str) -> str:
    return (BOOKS / name).read_text(encoding="utf-8")


def rows(page: str, first: str) -> list[list[str]]:
    """The cells of the table whose head begins with this cell."""
    lines = page.splitlines()
    start = next(n for n, line in enumerate(lines) if re.match(rf"\|\s*{re.escape(first)}\s*\|", line))
    found: list[list[str]] = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return [found[0], *found[2:]]


def records(page: str, first: str) -> dict[str, dict[str, str]]:
    """The rows of that table by their first cell, each cell by its column."""
    head, *body = rows(page, first)
    return {row[0]: dict(zip(head, row, strict=True)) for row in body}


SUITS = {"hearts": "Hearts", "diamonds": "Diamonds", "spades": "Spades", "clubs": "Clubs"}
COURT = {"J": "Jack", "Q": "Queen", "K": "King"}


def enemy_in_words(row: dict[str, str]) -> dict[str, str]:
    """A row of the played table as the people's table writes it; without the names of attacks."""
    levels, over, plus = row["Blow Levels"], row["Blow Over"], int(row["Blow Plus"])
    times = "" if levels == "1" else levels
    harm = f"{over} x O + L" if over != "1" else f"{times}L+O" + (f"+{plus}" if plus else "")
    blow = f"{row['Blow T']}-L; {harm}"
    fades = "-R" if row["Shot Fades"] == "1" else ""
    shot = f"{row['Shot T']}-L+R; {row['Shot Levels']}L+O{fades}"
    base = row["Initiative Base"]
    return {
        "HP": f"L x {row['HP per Level']}",
        "Melee: T; damage": "-" if row["Blow"] == "-" else blow,
        "Ranged: T; damage": "-" if row["Shot"] == "-" else shot,
        "Initiative": f"L+{base}" if base != "0" else "first",
        "Move": row["Stride"],
        "D-Me": signed(row["Guard Melee"]),
        "D-Rg": signed(row["Guard Shots"]),
    }


def signed(cell: str) -> str:
    return f"+{cell}" if int(cell) > 0 else cell


def test_enemies_of_p52_are_what_their_table_says() -> None:
    page = text("p52/foes.md")
    head, *told = rows(page, "Card")
    played = records(page, "Enemy")
    assert len(told) == len(played) == 14
    for cells in told:
        row = dict(zip(head, cells, strict=True))
        rank, _, suit = row["Card"].partition(" ")
        name = f"{COURT[rank]} of {SUITS[suit]}" if suit else rank
        words = enemy_in_words(played[name])
        for column in ("Melee: T; damage", "Ranged: T; damage"):  # the name of the attack stands first
            row[column] = row[column].partition("; ")[2] or row[column]
        assert {column: row[column] for column in words} == words, name
        assert row["D-Mg"].split(",")[0] == signed(played[name]["Guard Magic"]), name


LETTERS = (
    (r"\[Skill In of [^\]]*\]", "aLv"),
    (r"\[distance from [^\]]*\]", "R"),
    (r"\[number of [^\]]*\]", "#"),
    (r"\[F\] \* 2", "(F x 2)"),
)


def test_knacks_of_p52_need_what_their_table_says() -> None:
    page = text("p52/magic.md")
    told = {name: row["T"] for name, row in records(page, "Ability").items()}
    tried: dict[str, str] = {}
    for name, formula in re.findall(r"#Try with ([A-Z][\w ]*), (.+)", page):
        for code, letter in LETTERS:
            formula = re.sub(code, letter, formula)
        tried[name] = formula
    assert tried == told


def test_defences_of_p52_need_what_their_table_says() -> None:
    page = text("p52/combat.md")
    code = page[page.index("## 15. Defending") :]
    played = {name: row["Gives"] for name, row in records(page, "Ability").items()}
    for name, row in records(code, "Defence").items():
        base = int(NUMBER.findall(row["T"])[0])
        assert re.search(rf"\b{base} - ", row["T"]), name
        assert defence_base(code, name) == base, name
        assert name not in played


def defence_base(code: str, name: str) -> int:
    """What T of a defence begins with: 10 for those that are named so, 8 for the others."""
    high = re.search(r"\(10 if ability is ([^)]*?) else 8\)", code)
    assert high is not None
    return 10 if name in re.split(r", | or ", high[1]) else 8


def test_remedies_of_p52_heal_what_their_text_says() -> None:
    for name, row in records(text("p52/items.md"), "Item").items():
        said = re.search(r"heal (\d+) x Lv", row["Special"])
        assert row["Heals"] == (said[1] if said else "0"), name


PRICES = r"\[Action ?Points\] (?:>=|-=) 1|\[(?:Arrows|Tonics)\] (?:>=|-=) 1|\[Attacks Made\] \+= 1"
"""What every action pays and counts, which its line does not repeat."""


def test_actions_of_raven_road_do_what_their_lines_say() -> None:
    page = text("raven-road/raven-road.md")
    actions = page[page.index("## What anybody can do") : page.index("**Health** is")]
    told = dict(re.findall(r"^- \*\*([^*]+)\*\*: (.+)$", actions, re.M))
    blocks: dict[str, str] = {}
    for fence in re.findall(r"```rules\n(.*?)```", page, re.S):
        title = ""
        for line in fence.splitlines():
            name = re.sub(r"^Feature: | \((?:Actor|Check|Effect)\)$", "", line)
            if name != line or name in told:
                title, blocks[name] = name, ""
            elif title:
                blocks[title] += f"{line}\n"
    assert len(told) >= 14
    for name, line in told.items():
        body = re.sub(PRICES, "", blocks[name].replace("#Hits", "1d20"))
        assert set(NUMBER.findall(line)) == set(NUMBER.findall(body)), name


@pytest.mark.parametrize("name", ["p52", "penance-1", "penance-2", "vigil"])
def test_sentences_read_their_figures(name: str) -> None:
    """At least some do: whoever turns them back into plain numbers is told."""
    pages = [p.read_text(encoding="utf-8") for p in sorted((BOOKS / name).glob("*.md"))]
    prose = "\n".join(re.sub(r"```.*?```", "", page, flags=re.S) for page in pages)
    assert len(re.findall(r"\{\[[^\]]+\]\}", prose)) >= 4


def test_people_of_raven_road_are_what_their_table_says() -> None:
    page = text("raven-road/raven-road.md")
    kind = re.search(r"^Template: Goblin Kind\nResources: (.+)$", page, re.M)
    assert kind is not None
    for name, row in records(page, "Who").items():
        block = re.search(rf"^Actor: {name}(?: (\(uses.*\)))?\n((?:\w.*\n)+)", page, re.M)
        assert block is not None, name
        lines = dict(line.split(": ", 1) for line in block[2].splitlines())
        numbers = figures(kind[1]) | figures(lines["Resources"]) if block[1] else figures(lines["Resources"])
        said = figures(row["Other numbers"]) | {"Health": row["Health"], "Defense": row["Defense"]}
        assert said == numbers, name
        can = "; ".join(lines[key] for key in ("Actions", "Features") if key in lines)
        assert row["Can do"] == can, name


def figures(line: str) -> dict[str, str]:
    """`Health: 20, Gold: 6`, with or without colons."""
    return dict(re.findall(r"(\w+):? (\d+)", line))


def test_sides_of_penance_2_count_what_the_list_of_factors_says() -> None:
    page = text("penance-2/penance-2.md")
    facing = {side: row["T"] for side, row in records(page, "Side").items()}
    told = {row[0]: row[1] for row in rows(page, "Factor")[1:]}
    sides = next(name for name in told if name.startswith("the side of the defender"))
    assert dict(zip(re.findall(r"\d", sides), told[sides].split(" / "), strict=True)) == {
        side: number for side, number in facing.items() if side != "6"
    }


def cards_of_penance_2() -> dict[str, dict[str, str]]:
    """Every card of the tables by its name, with `code`: all that its definitions say."""
    page = text("penance-2/cards.md")
    found: dict[str, dict[str, str]] = {}
    for table in re.findall(r"^\| Card .*\n\|[-| ]+\n(?:\|.*\n)+", page, re.M):
        if "| Effect" in table:
            found |= records(table, "Card")
    for fence in re.findall(r"```rules\n(.*?)```", page, re.S):
        names: list[str] = []
        for line in fence.splitlines():
            title = re.match(r"(\S.*?) \(Card\)(?= |$)(.*)", line)
            if title is not None:
                names = title[1].split(" / ")
            elif re.match(r"\S.* \((?:Check|Value|Effect|List)\)", line):
                names = []
            for name in names:
                if name in found:
                    found[name]["code"] = found[name].get("code", "") + (title[2] if title else line) + "\n"
    return found


WORDED_AND_PLAYED = (
    (r"[Mm]ove up to (\d)", r"#Free Move with (\d)"),
    (r"[Dd]raws? (\d)", r"#Draw (?:on target )?with (\d)"),
    (r"Push (\d)", r"#Shove with defender of Attack, (\d)"),
    (r"Recover (\d)", r"#Recover with (\d)"),
    (r"[Rr]educe (?:this attack's )?damage by (\d)", r"\[Reduction of Attack\] \+= (\d)"),
    (r"\+(\d) Defense against this attack", r"\[Guard of Attack\] \+= (\d)"),
    (r"next attack this turn deals \+(\d)", r"\[Next Damage\] \+= (\d)"),
    (r"gain (\d) Heat", r"#Gain Heat with (\d)"),
    (r"Remove (\d) Heat", r"\[Heat\] -= (\d)"),
    (r"Self-harm (\d)", r"#Self-Harm with (\d)"),
    (r"HP is (\d+) or less", r"\[HP of target\] <= (\d+)"),
    (r"HP is below (\d+)", r"\[HP\] < (\d+)"),
    (r"up to (\d) (?:different |adjacent )*enemies", r"choose up to (\d) enemies"),
    (r"up to (\d) adjacent hexes", r"choose up to (\d) spaces"),
)
"""How a card's effect words a figure, and how its definition does."""


def test_cards_of_penance_2_do_what_their_effects_say() -> None:
    cards, compared = cards_of_penance_2(), 0
    assert len(cards) >= 60
    for name, card in cards.items():
        if name == "Grappling Hook":  # it jumps: its reach says how far
            continue
        for said, done in WORDED_AND_PLAYED:
            told, played = re.findall(said, card["Effect"]), re.findall(done, card.get("code", ""))
            assert told == played, (name, said)
            compared += len(told)
    assert compared >= 38


def test_columns_of_penance_2_are_what_their_effects_say() -> None:
    for name, card in cards_of_penance_2().items():
        ignores = re.findall(r"^Ignores (\d)", card["Effect"])
        assert ignores == re.findall(r"\d", card.get("Ignores", "-")), name
        heat = [f"+{n}" for n in re.findall(r"gain (\d) Heat", card["Effect"])]
        heat += [f"-{n}" for n in re.findall(r"Remove (\d) Heat", card["Effect"])]
        assert "Heat" not in card or (heat or ["-"]) == [card["Heat"]], name
        attacks = re.findall(r"attacks of (\d) damage", card["Effect"])
        assert not attacks or attacks == [card["Damage"]], name


def test_climbs_of_penance_2_cost_what_both_tables_say() -> None:
    ground = records(text("penance-2/arena.md"), "Terrain")
    extra = {row[0]: row[1] for row in rows(text("penance-2/penance-2.md"), "Surcharge")[1:]}
    for name, level, starts in (("Elevation 1", "1", "0"), ("Elevation 2", "2", "01")):
        assert ground[name]["Level"] == level
        for start in starts:
            climb = int(ground[name][f"From Level {start}"])
            assert extra[f"from level {start} up to level {level}"] == f"+{climb}"
            assert re.search(rf"\b{1 + climb}(?: SP)? from level {start}", ground[name]["To enter"]), name
    for name, row in ground.items():
        if row["Level"] == "-" and row["Impassable"] == "-":
            assert row["To enter"] == f"{1 + (row['Rough'] == 'x')} SP", name


def test_guards_of_penance_2_are_worth_what_their_cards_say() -> None:
    statuses = records(text("penance-2/penance-2.md"), "Status")
    for name, card in cards_of_penance_2().items():
        given = re.search(r"self becomes (Braced|Walled|Fortified)", card.get("code", ""))
        if given is not None:
            assert card["Effect"].startswith(f"{statuses[given[1]]['[Defense]']} Defense"), name


def test_taint_of_penance_2_costs_what_both_tables_say() -> None:
    page = text("penance-2/taint.md")
    told = {row[1]: row[0] for line in page.splitlines() if len(row := cells(line)) == 4 and row[0].isdigit()}
    assert len(told) == 11
    for name, cost in told.items():
        price = re.search(rf'"{name}" if .*?(?:#Exploitable with victim, |#Desperate with )(\d)', page)
        block = re.search(rf"^{name} \((?:Action|Reaction|Effect)\).*?(?=\n\n|```)", page, re.M | re.S)
        asked = (
            [price[1]]
            if price
            else re.findall(r"(?:Exploitable with \w+, |#Desperate with )(\d)", (block or [""])[0])
        )
        assert asked == [cost], name


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []


def test_zones_of_heat_of_penance_2_begin_where_the_rules_say() -> None:
    page = text("penance-2/penance-2.md")
    values = dict(re.findall(r"^([A-Z][\w ]+) \(Value\) (\d+)", page, re.M))
    zones = records(page[page.index("## 8. Heat") :], "Heat")
    assert list(zones) == [
        f"0-{int(values['Danger Heat']) - 1}",
        f"{values['Danger Heat']}-{int(values['Critical Heat']) - 1}",
        f"{values['Critical Heat']}+",
    ]


def test_heroes_of_vigil_have_what_their_text_says() -> None:
    page = text("vigil/heroes.md")
    callings = records(page, "Archetype")
    said = page[page.index("So Brynja") : page.index("*Kits.*")].replace("\n", " ")
    told: dict[str, list[str]] = {}
    for part in said.split(";"):
        numbers = NUMBER.findall(part)
        for name in re.findall(r"(?:So |and |^ )([A-Z]\w+) the", part):
            told[name] = numbers
    for name, row in records(page, "Hero").items():
        stat = {key: int(row[key]) for key in ("FINESSE", "WITS", "WILL", "STURDINESS")}
        calling = callings[row["Archetype"]]
        life = (50 + 10 * stat["STURDINESS"]) * (100 + int(calling["Vigor"] or 0)) // 100
        breath = 50 + 5 * stat["STURDINESS"] + 2 * stat["FINESSE"]
        numbers = [stat["FINESSE"] + stat["WITS"], life, breath]
        if calling["Attunement"]:
            numbers.append(50 + 10 * stat["WILL"] + int(calling["Attunement"]))
        assert told[name] == [str(number) for number in numbers], name


def test_kits_of_vigil_hold_what_their_text_says() -> None:
    page = text("vigil/heroes.md")
    said = (
        page[page.index("*Kits.*") : page.index("Pack (Effect)")]
        .replace("\n", " ")
        .replace("Poultices", "Poultice")
    )
    told = {
        name: {item.removesuffix("s"): n for n, item in re.findall(r"(\d) ([A-Z][\w -]+)", things)}
        for name, things in re.findall(r"(\w+): ([^.]+)\.", said)
    }
    code = page[page.index("Pack (Effect)") : page.index("## What they can do")]
    packed = {
        name: dict(re.findall(r"\[Kit of ([^\]]+)\] = (\d)", body))
        for name, body in re.findall(r"if self is (\w+):(.*?)(?=if self is|```)", code, re.S)
    }
    assert len(packed) == 5
    assert told == packed


def test_the_boss_of_vigil_changes_as_its_table_says() -> None:
    page = text("vigil/foes.md")
    fury = re.search(r"\(100 if \[Phase\] = 1 else \((\d+) if \[Phase\] = 2 else (\d+)\)\)", page)
    assert fury is not None
    guard = dict(re.findall(r"while: \[Phase\] = (\d)\nmodify: \[Defence Bonus\] (\+\d)", page))
    mending = dict(re.findall(r"if \[Phase\] = (\d): #Heal on self with (\d)", page))
    for phase, row in records(page, "Phase").items():
        if phase != "1":
            assert row["Damage"] == f"x {int(fury[int(phase) - 1]) / 100:g}"
            assert (row["Defence dice"], row["Heals in step 3"]) == (guard[phase], mending[phase])


def test_menace_of_vigil_is_what_the_text_says() -> None:
    told = re.findall(r"(Warrior|Skirmisher|Mystic|Adept) (\d)\.(\d)", text("vigil/foes.md"))
    menace = {name: row["Menace"] for name, row in records(text("vigil/heroes.md"), "Archetype").items()}
    assert {name: str(int(whole + tenth)) for name, whole, tenth in told} == menace


def test_ground_and_stances_of_vigil_do_what_their_words_say() -> None:
    page = text("vigil/vigil.md")
    for name, row in records(page, "Ground").items():
        dice = re.findall(r"(\d)d10", row["In words"])
        assert dice == [row[key] for key in ("Burn", "Shock") if row[key]], name
        for column, words in (
            ("Dread", r"(\d) Stress"),
            ("Shelter", r"\+(\d) defence"),
            ("[Attack Bonus]", r"([+-]\d) attack"),
        ):
            found = re.search(words, row["In words"])
            assert row[column] == (found[1] if found else ""), name
    for name, row in records(page, "Stance").items():
        for column, words in (
            ("Zeal", r"\+(\d) attack damage"),
            ("Guard", r"\+(\d) parry"),
            ("Breath", r"(\d) Stamina less"),
        ):
            found = re.search(words, row["In words"])
            assert row[column].lstrip("-") == (found[1] if found else ""), name


def test_the_series_of_vigil_repeats_what_was_measured() -> None:
    measured = {
        (row[0], row[1], row[2]): float(row[3].split("%")[0])
        for row in rows(text("vigil/bots.md"), "Encounter")[1:]
    }
    for _, where, difficulty, _, heroes, _, won in rows(text("vigil/encounters.md"), "Step")[1:]:
        assert float(won.split()[0]) == pytest.approx(measured[where, difficulty, heroes], abs=0.051)


def test_fields_of_vigil_are_as_their_table_says() -> None:
    page = text("vigil/encounters.md")
    for name, row in records(page, "Encounter").items():
        block = re.search(rf"^{name} \(Encounter\).*?\n((?:[A-Z ].*\n)+)", page, re.M)
        assert block is not None, name
        laid = {
            (place, ground)
            for place, ground in re.findall(r"(\w+ \w+ \d) becomes (.+)", block[1])
            if ground != "Closed"
        }
        said: set[tuple[str, str]] = set()
        for part in row["Field"].split(", "):
            ground, _, places = part.partition(" at ")
            row_name = ""
            for place in places.split(" and "):
                row_name = place[:-2] if len(place) > 1 else row_name
                said.add((f"{row_name} {place[-1]}", ground))
        assert said == laid, name
        stands = re.findall(r"(Front|Back) ([\d and]+)", row["Foes"])
        spots = {f"{line} {n}" for line, numbers in stands for n in re.findall(r"\d", numbers)}
        assert spots == set(re.findall(r"#Post with .*, Enemy (\w+ \d)", block[1])), name


FIXED = {
    "Action Point Refresh": r"\[starting Action Points\].* else (\d)\)",
    "Cover": r"Cover \(Feature\).*\nmodify: \[Defense\] \+(\d)",
    "Hazardous, Hazardous (2d4 damage)": r"starting their turn on this tile take (1d6) damage",
    "Flanking": r"Flanking \(Feature\).*\nmodify: \[Attack\] \+(\d)",
    "Regeneration": r"start of this actor's turn, restore (\w+) Health",
    "Critical Hits": r"\[natural die\] = (\d+)",
}
"""Where the rules of the framework's own features have the figure that their line in the table names."""


def test_standard_features_of_methuen_do_what_their_table_says() -> None:
    page = text("methuen/standard.md")
    rules = page + text("methuen/encounters.md") + text("methuen/actions.md")
    table = records(page, "Name")
    for name, pattern in FIXED.items():
        figure = re.search(pattern, rules)
        assert figure is not None, name
        assert figure[1] in NUMBER.findall(re.sub(r"\(MT-[^)]*\)", "", table[name]["Rule"])), name


SAID_AND_DONE_1 = (
    (r"Defense \+(\d)", r"(?:#Raise Guard with|\[Guard(?: of \w+)?\] \+=) (\d)"),
    (r"[Dd]raws? (\d)", r"#Draw(?: on target)? with (\d)"),
    (r"Push (\d)", r"#Shove with Struck of self, (\d)"),
    (r"(\d) Taint for you", r"(?:#Gain Taint with|\[Own Taint of Attack\] \+=) (\d)"),
    (r"damage:? -(\d)", r"\[Reduction of (?:Attack|Direct Damage)\] \+= (\d)"),
    (r"([Mm]ove) up to (\d)", r"\[Stride with (\d)\] steps"),
    (r"([Ff]ly) up to (\d)", r"\[Stride with (\d)\] of self"),
)
"""What the text of a card promises, and the code that keeps it."""


def test_cards_of_penance_1_do_what_their_text_says() -> None:
    page = text("penance-1/cards.md")
    code: dict[str, str] = {}
    for fence in re.findall(r"```rules\n(.*?)```", page, re.S):
        for names, body in re.findall(r"^(\S[^\n]*?) \(Card\)([^\n]*\n(?:[^\n]+\n)*)", fence, re.M):
            code |= dict.fromkeys(names.split(" / "), body)
    told = re.findall(r"^\| ([A-Z][^|]*?) *\| (?:Action|Reactive) *\|.*\| *([^|]*?) *\|$", page, re.M)
    assert len(told) >= 60
    checked = 0
    for name, effect in told:
        if name == "Emergency Patch" or not effect:
            continue
        for say, do in SAID_AND_DONE_1:
            said = {found[-1] for found in re.findall(say, effect.split(". (")[0]) if found[-1]}
            if said:
                checked += 1
                assert said == set(re.findall(do, code[name])), (name, effect)
    assert checked >= 35


def test_statuses_of_vigil_last_as_long_as_their_words_say() -> None:
    """Whatever gives a status gives it for a time that its line names."""
    pages = [text(f"vigil/{name}.md") for name in ("vigil", "heroes", "foes")]
    given: dict[str, set[str]] = {}
    for page in pages:
        for name, turns in re.findall(r"becomes ([A-Z]\w+(?: Wall)?)(?: \d)? for (\d) turns", page):
            given.setdefault(name, set()).add(turns)
        for table in re.findall(
            r"^\| \w+ +\|(?:[^\n]*\|)? Inflicts +\|.*\n\|[-| ]+\n(?:\|.*\n)+", page, re.M
        ):
            for row in records(table, cells(table.splitlines()[0])[0]).values():
                if row["Inflicts"]:
                    given.setdefault(row["Inflicts"], set()).add(row["Lasting"])
    words = {name: row["In words"] for name, row in records(pages[0], "Status").items()}
    assert len(given) >= 17
    for name, turns in given.items():
        assert turns <= set(NUMBER.findall(words[name].partition(". ")[0])), name


def test_blows_that_fell_an_enemy_of_p52_are_worth_what_the_table_says() -> None:
    told = re.search(
        r"\| striking down a Jack, Queen, King; a boss \| \+(\d), \+(\d), \+(\d); \+(\d)",
        text("p52/heroes.md"),
    )
    assert told is not None
    for name, row in records(text("p52/foes.md"), "Enemy").items():
        rank = name.partition(" of ")[0]
        if rank in COURT.values():
            assert row["Worth"] == told[1 + list(COURT.values()).index(rank)], name


def deck_of_penance_2(title: str, column: str, copies: str) -> dict[str, int]:
    """How many cards of each sort a table of cards has."""
    page = text("penance-2/cards.md")
    table = re.search(rf"^\*\*{title} \(Card\)\*\*.*\n\n((?:\|.*\n)+)", page, re.M)
    assert table is not None, title
    head, _, *body = [cells(line) for line in table[1].splitlines()]
    found: dict[str, int] = {}
    for row in (dict(zip(head, line, strict=True)) for line in body):
        sort = row.get(column, title)
        found[sort] = found.get(sort, 0) + int(row[copies])
    return found


def test_decks_of_penance_2_are_as_large_as_the_text_says() -> None:
    said = " ".join(text("penance-2/cards.md").split())
    told = re.search(
        r"the (\d+) Universal cards and the (\d+) of your Casket: (\d+) Primary .*?, (\d+) Secondary .*?"
        r" (\d+) Tactic",
        said,
    )
    assert told is not None
    everybody, own, *slots = map(int, told.groups())
    assert deck_of_penance_2("Universal", "", "Qty") == {"Universal": everybody}
    for frame in ("Confessor", "Ironclad", "Warden", "Outrider"):
        assert deck_of_penance_2(frame, "Slot", "Qty") == dict(
            zip(("Primary", "Secondary", "Tactic"), slots, strict=True)
        ), frame
    assert sum(slots) == own
    rules = " ".join(text("penance-2/penance-2.md").split())
    assert f"A ready-made list starts at {everybody + own}." in rules
    assert f"the hull: {everybody + own} cards" in rules
    assert deck_of_penance_2("Pilot Wounds", "Severity", "Copies") == {"Minor": 5, "Severe": 3, "Trauma": 2}
    assert "has ten cards: 5 minor injuries, 3 severe ones, 2 traumas" in rules


def test_opportunists_of_penance_2_strike_as_hard_as_their_card_says() -> None:
    card = cards_of_penance_2()["Opportunist Strike"]
    more = re.search(r"\[Damage of card\] \+ \((\d) if", card["code"])
    assert more is not None
    assert card["Effect"].startswith(f"{int(card['Damage']) + int(more[1])} damage instead")
