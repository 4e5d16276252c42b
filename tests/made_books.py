"""Small books made by chance: a few definitions of each kind that fit together, with numbers and names of any
sort.

In:  a number.
Out: the text of a book that `check` has nothing to say against, most of the time; the same for the same
     number.

Names hold letters of several scripts and signs, counts go from nothing to a lot, and what one definition
gives another uses, so that what checks clean runs through most of the language in a few moves.
"""

from __future__ import annotations

import random

NAMES = ("Gold", "Énergie", "Hit-Points", "Ärger", "Луна", "力", "Rock and Roll", "A/B", "Ñu", "Grit")
HANDS = ("Hand", "Réserve", "Low Pile", "Куча")
DEEDS = ("Strike", "Prier", "Wait-and-See", "Über", "Roll Up", "Save", "Rost", "Give", "Scout", "Dig")


def made(number: int) -> str:
    """The text of book `number`."""
    return _Book(random.Random(number)).text()


class _Book:
    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.numbers = chance.sample(NAMES, chance.randint(1, 4))
        self.deeds = chance.sample(DEEDS, chance.randint(1, 4))
        self.hand = chance.choice(HANDS)
        self.seats = chance.choice((1, 2, 2, 2, 3, 4, 9, 12, 30))
        self.cards = chance.random() < 0.6
        self.status = chance.random() < 0.4
        self.value = chance.random() < 0.5
        self.own: list[str] = []

    def pick(self, *words: str) -> str:
        return self.chance.choice(words)

    def text(self) -> str:
        low = self.chance.randint(1, self.seats)
        title = self.pick("Made", "Fabriqué", "Сделано", "造", 'It\'s "made"', "Made: 2")
        front = [f"title: {title!r}" if ":" in title else f"title: {title}"]
        front.append(f"seats: {low}-{self.seats}" if low < self.seats else f"seats: {low}")
        front.append(f"bound: {self.pick('50', '400', '100000')}")
        if self.cards:
            front.append(f"cards: {self.pick('8', '60', '400')}")
        parts = [self.declared(), self.faces() if self.cards else "", self.played()]
        return "\n".join(["---", *front, "---", "# A book by chance", "", *filter(None, parts)]) + "\n"

    def declared(self) -> str:
        lines = [self.number(name, n) for n, name in enumerate(self.numbers)]
        lines.append("Round Number (Resource) of: Match")
        if self.cards:
            lines.append("Stock Pile (Zone) of: Match; seen by: nobody")
            lines.append(f"{self.hand} (Zone) seen by: {self.pick('owner', 'all', 'nobody')}")
        if self.status:
            lines.append(f"Dazed (Status){self.pick('', ' again: add; stacks: 3')}")
            lines.append(f"at start of own Turn: [{self.numbers[0]}] += 1")
        lines.append(f"Player (Template) box: {self.seats}; seat: each")
        if self.value:
            a, b = self.chance.choice(self.own), self.chance.choice(self.own)
            more = self.chance.randint(-3, 9)
            lines += ["", "Might (Value)", f"[{a}] {self.pick('+', '-', '*')} [{b}] + {more}"]
        return "\n".join(["```rules", *lines, "```"])

    def number(self, name: str, place: int) -> str:
        whose = "" if place == 0 or self.chance.random() < 0.7 else " of: Match"
        if not whose:
            self.own.append(name)
        extra: list[str] = []
        if self.chance.random() < 0.6:
            low = self.pick("0", "-5", "-99")
            extra.append(f"range: {low} to {self.pick('9', '30', '1000000')}")
            if self.chance.random() < 0.5:
                extra.append(f"starts: {self.pick('0', '3', '9')}")
        if not whose and self.chance.random() < 0.3:
            extra.append(f"seen by: {self.pick('owner', 'nobody', 'all')}")
        if whose:
            extra.insert(0, "of: Match")
        return f"{name} (Resource) {'; '.join(extra)}".strip()

    def faces(self) -> str:
        rows = [f"| {name} | {self.chance.randint(-2, 12)} |" for name in ("One", "Deux", "Три")]
        copies = [f"| {name} | {self.chance.randint(1, 3)} |" for name in ("One", "Deux", "Три")]
        head = ["**Faces (Card)**", "", "| Card | Worth |", "|---|---|", *rows, ""]
        return "\n".join([*head, "**Stock (Deck)**", "", "| Card | Copies |", "|---|---|", *copies, ""])

    def played(self) -> str:
        setup = ["put every actor out of play in play"]
        if self.cards:
            setup += ["build Stock Pile from Stock", "shuffle Stock Pile"]
            setup.append(f"for each actor: move the top card of Stock Pile to {self.hand} of it")
        begin = "\n             ".join(setup)
        lines = [
            "Match (Sequence)",
            f"1. Set up    {begin}",
            f"2. Rounds    repeat while [Round Number] < {self.pick('1', '3', '5')}: #Round",
            "3. End       #Settle",
            "",
            "Round (Sequence)",
            "1. Begin     [Round Number] += 1",
            "2. Turns     for each actor: #Turn on it",
            "",
            "Turn (Sequence)",
            f"1. Act       {self.pick('act until pass', 'act', 'repeat 2 times: act')}",
        ]
        for deed in self.deeds:
            lines += ["", *self.deed(deed)]
        best = self.chance.choice(self.own)
        ending = self.pick(f"the Player with highest [{best}]", f"every Player with highest [{best}]")
        lines += ["", "Settle (Effect)", f"do: end the match with Settled won by {ending}"]
        lines += ["", "Settled (Ending)"]
        if self.chance.random() < 0.5:
            lines += ["", "Plain (Strategy) plays: a seat", f"prefer: {self.deeds[0]}", "        pass"]
        return "\n".join(["```rules", *lines, "```"])

    def deed(self, name: str) -> list[str]:
        number = self.chance.choice(self.own)
        lines = [f"{name} (Action)"]
        whom = self.seats > 1 and self.chance.random() < 0.4
        carded = self.cards and self.chance.random() < 0.5
        if carded:
            lines.append(f"declare: card = a card in {self.hand}")
        elif whom:
            lines.append("declare: target = a Player other than self")
        if self.chance.random() < 0.6:
            lines.append(f"requires: [{number}] {self.pick('<=', '<')} {self.chance.randint(1, 12)}")
        lines.append("Limit: once per Turn")
        return [*lines, f"do: {self.effect(number)}", *(f"    {self.effect(number)}" for _ in range(2))]

    def effect(self, number: str) -> str:
        n = self.chance.randint(0, 7)
        choices = [
            f"[{number}] += {n}",
            f"[{number}] -= {n}",
            f"[{number}] += 1d6",
            f"[{number}] = {n}d{self.pick('4', '6', '100')}",
            f"if [{number}] >= {n}: [{number}] -= 1",
            f"repeat {n} times: [{number}] += 1",
            f"for each actor: if [{number}] > {n}: [{number}] -= 1",
            f'say "{{[{number}]}} now"',
        ]
        if self.value:
            choices.append("if [Might] > 500: [Round Number] += 1")
            choices.append(f"[{number}] = [Might]")
        if self.status:
            choices += ["self becomes Dazed", "remove Dazed from self"]
        if self.cards:
            choices.append(f"if some card in Stock Pile: move the top card of Stock Pile to {self.hand}")
        return self.chance.choice(choices)
