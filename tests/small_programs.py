"""Small Programs written by hand, for tests of everything that runs one."""

from __future__ import annotations

from dataclasses import replace

from rulewright.ir import reader
from rulewright.ir.link import blank, link
from rulewright.ir.nodes import Function
from rulewright.ir.program import HEADER, Program
from rulewright.ir.sheet import Field, OptionSheet, OrderSheet, Sheet, Site, StatusSheet, Verb, Zone


def functions(text: str) -> dict[str, Function]:
    """Functions by name, from text in the subset."""
    return {function.name: function for function, _ in reader.functions(text)}


# A race to a number: each turn, a player adds 1 to 3 or rolls for it; then the other may double.
RACE = """
def add(n):
    old = S[24]
    S[24] = old + n  # site 1
    emit(2, 1, 0, 0, old, S[24])
    return S[24]
def target():
    return P[0] + S[27] * 10
def answer(seat, n):
    with ask(seat, 1):  # site 2
        opt(3, 0, 0, 0)
        opt(4, n, 0, 0)
    if S[9] == 4:
        add(n)
        return 1
    return 0
def turn(seat):
    while 1:
        with ask(seat, 0):
            i = 1
            while i <= 3:
                if S[24] + i <= target():
                    opt(0, i, 0, 0)
                i = i + 1
            opt(1, 0, 0, 0)
            if S[25] == 0:
                opt(2, 0, 0, 0)
        if S[9] == 2:
            S[25] = 1
            continue
        n = S[10]
        if S[9] == 1:
            n = roll(6, 1)
        break
    add(n)
    doubled = answer(1 - seat, n)
    S[25] = 0
    return doubled
def main():
    S[24] = S[26]
    seat = 0
    while S[24] < target():
        again = turn(seat)
        if not again:
            seat = 1 - seat
    S[28] = 1
    S[29 + seat] = 1
    emit(14, 2, 0, seat, 0, 0)
    return seat
"""


def program() -> Program:
    """The race. Slots: 24 total, 25 warned, 26 start, 27 the option, 28 ending, 29 and 30 scores."""
    sheet = Sheet(
        things={"Actor": ("Ada", "Bo")},
        fields=(Field("Total", (), 24), Field("Warned", (), 25, seen="nobody")),
        verbs=(
            Verb("add {0}", ("number",), 1),
            Verb("roll"),
            Verb("warn"),
            Verb("let it be"),
            Verb("double {0}", ("number",)),
        ),
        prompts=("your turn", "double it?"),
        sites=(Site("", 0), Site("race.md", 4, "Adding", ("R-1",)), Site("race.md", 9, "Answer")),
        options=(OptionSheet("Length", 27, ("short", "long")),),
        endings=("reached",),
        result={"ending": 28, "score": 29},
    )
    tables = replace(
        blank("race", (0,) * 7, sheet=sheet), params=(12,), param_names=("target",), seats=(2, 2), bound=500
    )
    return link(tables, functions(RACE))


# Draw a card, then play or keep one: hidden deck, own hands, an open table.
DECK, HANDS, TABLE, KNOWN, CONTROLLER, PURSE, ORDER, WET = 24, 33, 51, 60, 68, 70, 72, 76
CARDS = """
def draw(actor):
    card = zone_top(24)
    if card < 0:
        return -1
    zone_remove(24, card)
    zone_put(33 + actor * 9, 8, card)
    emit(4, 1, card, 1, 2 + actor, actor)
    return card
def main():
    i = 0
    while i < 8:
        zone_put(24, 8, i)
        i = i + 1
    zone_shuffle(24)
    emit(11, 1, 0, -1, 0, 0)
    order_clear(72)
    order_add(72, 2, 0)
    order_add(72, 2, 1)
    rounds = 0
    while rounds < 3:
        S[73] = -1
        while S[73] + 1 < S[72]:
            S[73] = S[73] + 1
            actor = S[74 + S[73]]
            draw(actor)
            left = 2
            while left > 0:
                with ask(S[68 + actor], 0):
                    k = 0
                    while k < S[33 + actor * 9]:
                        opt(0, S[34 + actor * 9 + k], 0, 0)
                        k = k + 1
                    opt(1, 0, 0, 0)
                    opt(2, S[24 + S[24]], 0, 0)
                left = left - 1
                if S[9] == 0:
                    zone_remove(33 + actor * 9, S[10])
                    zone_put(51, 8, S[10])
                    emit(4, 1, S[10], 2 + actor, 4, -1)
                    S[76 + actor * 4 + 1] = S[76 + actor * 4 + 1] + 1
                elif S[9] == 2:
                    draw(actor)
                else:
                    S[70 + actor] = S[70 + actor] + 1
                    emit(2, 0, 1, actor, S[70 + actor] - 1, S[70 + actor])
        rounds = rounds + 1
    return 0
"""


def cards() -> Program:
    """Two hands and a deck of eight cards with four faces, two of each."""
    sheet = Sheet(
        things={"Actor": ("Ada", "Bo"), "Face": ("Sun", "Moon", "Star", "Sea")},
        fields=(
            Field("controller", ("Actor",), CONTROLLER, (2,)),
            Field("Purse", ("Actor",), PURSE, (2,), seen="owner"),
        ),
        zones=(
            Zone("Deck", None, DECK, 9, 8, seen="nobody"),
            Zone("Hand", "Actor", HANDS, 9, 8, seen="owner"),
            Zone("Table", None, TABLE, 9, 8),
        ),
        faces=(0, 0, 1, 1, 2, 2, 3, 3),
        known_base=KNOWN,
        statuses=(StatusSheet("Wet", WET, stacked=True),),
        templates=("Player", "Player"),
        sides=(0, 1),
        orders=(OrderSheet("Turns", ORDER, 2),),
        verbs=(Verb("play {0}", ("Card",)), Verb("save"), Verb("take {0}", ("Card",))),
        prompts=("play or save",),
        sites=(Site("", 0), Site("cards.md", 3, "Draw", ("C-2",))),
    )
    start = [0] * 60
    start[CONTROLLER - HEADER + 1] = 1
    return link(replace(blank("cards", tuple(start), sheet=sheet), seats=(2, 2)), functions(CARDS))
