"""Why an action is not offered: which of its tests fails.

In:  a match that stands at a decision, the name of an action, perhaps with what it should be done with.
Out: Reasons in plain words, and the site of the action's rule.

A test may look at hidden things, as the rules themselves do when they offer an action. So nothing is said
that the offer does not say already: only which kind of test failed, never for which hidden card.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulewright.ir.program import Program
from rulewright.ir.sheet import ActionCode
from rulewright.play.barred import barred
from rulewright.play.knowledge import Knowledge, find_field
from rulewright.play.match import Decision, Match
from rulewright.play.needs import missing
from rulewright.play.words import name_of

ACT = "act"
"""The prompt of a decision between actions."""
NOT_NOW = "not allowed now"
TRIED = 40
"""Things that an action is tried with, to see whether the same is missing each time."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """One sentence for each actor that could act, and where the rule is (0: nowhere)."""

    told: tuple[str, ...]
    action: str = ""
    site: int = 0


def why_not(match: Match, wanted: str, seat: int | None = None) -> Reasons:
    """Why an action is not offered to the seat that decides: who may not, what is missing."""
    decision = match.decision if seat is None else match.decision_of(seat)
    if match.decision is None or decision is None:
        return Reasons(("The match has ended.",) if match.decision is None else ("It is not your decision.",))
    word = _norm(wanted)
    if any(_norm(option.text).startswith(word) for option in decision.options):
        return Reasons((f"'{wanted}' is on offer.",))
    action = _action(match.program, wanted)
    if action is None and (card := _card(match, wanted, decision)) is not None:
        return card
    if action is None:
        known = ", ".join(sorted(actions(match.program)))
        return Reasons((f"No action is called '{wanted}'. The book has: {known or 'none'}.",))
    name, code, site = action
    told: list[str] = []
    for actor in _mine(match, decision.seat):
        reason = _reason(match, code, actor, wanted[len(name) :].strip(" :"), decision)
        told.append(f"{name_of(match.program, 'Actor', actor)}: {reason}")
    return Reasons(tuple(told) or ("You control nobody who is in play.",), name, site)


def _card(match: Match, wanted: str, decision: Decision) -> Reasons | None:
    """The same for the name of a card the seat knows: what keeps each action from being done with it."""
    program = match.program
    know = Knowledge(program, match.slots(), decision.seat)
    if all(_norm(name_of(program, "Card", card, know.slots)) != _norm(wanted) for card in know.cards):
        return None
    for option in decision.options:
        if any(thing.kind == "Card" and _norm(thing.name) == _norm(wanted) for thing in option.things):
            return Reasons((f"'{option.text}' is on offer.",))
    known, verbs = actions(program), program.sheet.verbs
    names = [verb.text.partition(":")[0].strip() for verb in verbs if verb.args[:1] == ("Card",)]
    found = [
        why_not(match, f"{name}: {wanted}", decision.seat) for name in dict.fromkeys(names) if name in known
    ]
    told = dict.fromkeys(f"{one.action}: {text}" for one in found for text in one.told)
    if not told:
        return Reasons((f"No action is done with {wanted}.",))
    return Reasons(tuple(told), found[0].action, found[0].site)


def _norm(text: str) -> str:
    return "".join(text.split()).replace(":", "").casefold()


def actions(program: Program) -> dict[str, tuple[ActionCode, int]]:
    """Actions by name: their functions, and the site of their text."""
    codes = {_joined(code.name): code for code in program.sheet.actions if code.legal in program.functions}
    named = [(verb.text.partition(":")[0].strip(), verb.site) for verb in program.sheet.verbs]
    return {name: (codes[_joined(name)], site) for name, site in named if _joined(name) in codes}


def _action(program: Program, wanted: str) -> tuple[str, ActionCode, int] | None:
    """The action whose name the words begin with, the longest one."""
    word = _norm(wanted)
    fits = [name for name in actions(program) if word.startswith(_norm(name)) or _norm(name).startswith(word)]
    if not fits:
        return None
    name = max(fits, key=lambda n: (word.startswith(_norm(n)), len(n)))
    code, site = actions(program)[name]
    return name, code, site


def _mine(match: Match, seat: int) -> list[int]:
    """The actors of a seat that are in play."""
    control, playing = (find_field(match.program, "Actor", name) for name in ("controller", "in play"))
    everyone = range(len(match.program.sheet.things.get("Actor", ())))
    peek = match.engine.peek
    return [
        actor
        for actor in everyone
        if (control is None or peek(control.base + actor) == seat)
        and (playing is None or peek(playing.base + actor))
    ]


def _reason(match: Match, code: ActionCode, actor: int, thing: str, decision: Decision) -> str:
    """Which of the tests fails: legality, then declaring and requiring, then whether it is asked for now.

    `thing`: what it should be done with, if that was named.
    """
    why, prompt = _Asking(match, decision.seat), decision.prompt
    if (told := why.fails(code.legal, actor)) is not None:
        return told or barred(match.program, match.slots(), decision.seat, code.legal, actor) or NOT_NOW
    named = _things(match, code, thing, decision.seat) if thing else []
    none_said, one_said = code.steps
    declares = one_said in match.program.functions
    if named and declares:
        found = [why.fails(one_said, actor, number) for number in named]
        if all(told is not None for told in found):
            numbers = next((told for told in found if told), "")
            cannot = f"with {thing} the rest cannot be declared or paid, or what it requires does not hold"
            return f"with {thing}: {numbers}" if numbers else cannot
        return f"{thing} is not among what it can be done with now"
    if thing and declares:
        return f"there is no {thing} to do it with"
    if none_said not in match.program.functions:
        fails = "" if prompt == ACT else None  # when actions are asked for, every possible one is on offer
    else:
        fails = why.fails(none_said, actor)
    if fails is None:
        return f"now something else is asked{f': {prompt}' if prompt else ''}"
    if fails:
        return fails
    if declares and (told := _alike(match, why, code, actor)):
        return told
    lacking = "there is nothing it can be done with or to, or " if declares else ""
    return f"{lacking}what it requires does not hold"


class _Asking:
    """Functions of the rules that say yes or no, asked about the state of a match."""

    def __init__(self, match: Match, seat: int) -> None:
        self.program, self.slots, self.seat = match.program, match.slots(), seat

    def fails(self, name: str, *said: int) -> str | None:
        """None: it says yes. Otherwise why not, as far as one number says it."""
        rest = len(self.program.functions[name].params) - len(said)
        told = missing(self.program, self.slots, self.seat, name, *said, *[-1] * rest)
        return None if told == "" else told or ""


def _alike(match: Match, why: _Asking, code: ActionCode, actor: int) -> str:
    """The one condition that fails whatever it would be done with, if it is the same one each time."""
    kind = _kind(match.program, code)
    things = match.program.sheet.things.get(kind, ()) if kind else ()
    if kind == "Card" or not things:
        return ""
    told = [why.fails(code.steps[1], actor, number) for number in range(min(len(things), TRIED))]
    return told[0] if told[0] and len(set(told)) == 1 else ""


def _kind(program: Program, code: ActionCode) -> str:
    """What the first thing that an action declares is."""
    name = _joined(code.name)
    verb = next((v for v in program.sheet.verbs if v.args and _joined(v.text) == name), None)
    return verb.args[0] if verb is not None else ""


def _things(match: Match, code: ActionCode, wanted: str, seat: int) -> list[int]:
    """The things with this name that the first declaration of an action could mean."""
    program = match.program
    kind = _kind(program, code)
    if not kind:
        return []
    slots = match.slots()
    reader = Knowledge(program, slots, seat)
    count = len(program.sheet.things.get(kind, ()))
    return [
        number
        for number in range(count)
        if _norm(name_of(program, kind, number, slots)) == _norm(wanted)
        and (kind != "Card" or reader.knows(number))
    ]


def _joined(text: str) -> str:
    """The name of an action in the text of a verb, without spaces."""
    return "".join(text.partition(":")[0].split())
