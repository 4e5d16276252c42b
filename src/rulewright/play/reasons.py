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
from rulewright.play.refusals import Answer, ask
from rulewright.play.words import name_of, question

NOT_NOW = "not allowed now"
HIDDEN = "it needs something else, which you may not know"


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
    program, slots, seat = match.program, match.slots(), decision.seat
    legal = _asked(match, seat, code.legal, actor)
    if legal is None or not legal.holds:
        told = missing(program, slots, seat, legal) if legal is not None else ""
        return told or barred(program, slots, seat, code.legal, actor) or NOT_NOW
    none_said, one_said = code.steps
    if thing and one_said:
        return _with(match, code, actor, thing, seat)
    answer = _asked(match, seat, none_said, actor)
    if answer is not None and answer.holds:
        return f"now something else is asked: {question(program, decision.prompt, decision.options)}"
    return (missing(program, slots, seat, answer) if answer is not None else "") or HIDDEN


def _with(match: Match, code: ActionCode, actor: int, thing: str, seat: int) -> str:
    """Why it cannot be done with what was named."""
    named = _things(match, code, thing, seat)
    if not named:
        return f"there is no {thing} to do it with"
    found = [_asked(match, seat, code.steps[1], actor, number) for number in named]
    if all(answer is not None and not answer.holds for answer in found):
        told = [missing(match.program, match.slots(), seat, answer) for answer in found if answer is not None]
        return f"with {thing}: {next(filter(None, told), HIDDEN)}"
    return f"{thing} is not among what it can be done with now"


def _asked(match: Match, seat: int, name: str, *said: int) -> Answer | None:
    """Ask a function of the rules; what was not said yet is not declared."""
    function = match.program.functions[name]
    rest = len(function.params) - len(said)
    return ask(match.program, match.slots(), seat, function, *said, *[-1] * rest)


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
