"""What an author calls an option -> the option.

In:  the options on offer, or that were forced; the words of a `choose`, `refuse` or `expect offered`.
Out: the index of the option that is meant, or None.

Options are equal without spaces, case and colons: `Play: Lunge`, `play Lunge`. A declared thing may be named
with its role or without (`target: Ash`, `Ash`), and ` at ` or ` on ` may stand for the colon. What an action
is done with may be left out when there is only one such option (`Attack` for `Attack: Ash`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulewright.ir.program import Program
from rulewright.play.engine import OptionRow
from rulewright.play.words import verb_text, verb_things
from rulewright.testing.names import Names, norm

SLOT = re.compile(r"\{(\d)(?:[:|][^}]*)?\}")


def option_text(program: Program, row: OptionRow, slots: Sequence[int]) -> str:
    """What an option says, to somebody who may see everything."""
    return verb_text(program, row[0], verb_things(program, row, slots))


def plain(text: str) -> str:
    """The words of an option without what authors may leave out."""
    return norm(text.replace(":", " "))


def readings(text: str) -> list[str]:
    """The ways in which an author may call an option with this text, the fullest first."""
    found = [plain(text)]
    _, colon, rest = text.partition(":")
    if colon and rest.strip():
        found.append(plain(rest))
    return found


def pick(
    program: Program, rows: Sequence[OptionRow], slots: Sequence[int], wanted: str, actor: int
) -> int | None:
    """The option that is meant; of equals the one of this actor, then the first. Others' deeds are not."""
    texts = [option_text(program, row, slots) for row in rows]
    actors = [norm(name) for name in program.sheet.things.get("Actor", ())]
    doers = [norm(head) if rest.strip() else "" for head, _, rest in (text.partition(":") for text in texts)]
    known = 0 <= actor < len(actors)
    mine = [i for i, doer in enumerate(doers) if not known or doer not in actors or doer == actors[actor]]
    for call in (plain(wanted), plain(re.sub(r" (?:at|on) ", ": ", wanted))):
        for level, among in ((0, range(len(texts))), (1, mine)):  # a whole text may name somebody else
            found = [i for i in among if call in readings(texts[i])[level : level + 1]]
            if found:
                return min(found, key=lambda i: (rows[i][2] != actor, i))
    for level in (0, 1):
        heads = [i for i in mine if plain(wanted) == plain([*texts[i].split(":"), ""][level])]
        if len(heads) == 1 and (level == 0 or doers[heads[0]] in actors):
            return heads[0]
    return None


def matching(
    program: Program, rows: Sequence[OptionRow], slots: Sequence[int], wanted: str, actor: int
) -> list[int]:
    """Every option that these words may mean, all forms of one action among them."""
    one = pick(program, rows, slots, wanted, actor)
    found: set[int] = set() if one is None else {one}
    for index, row in enumerate(rows):
        parts = option_text(program, row, slots).split(":")
        if plain(wanted) in (plain(":".join(parts[:size])) for size in range(1, len(parts) + 1)):
            found.add(index)
    return sorted(found)


def exists(names: Names, wanted: str) -> bool:
    """Whether any option of the book could ever read like this, so that `refuse` does not pass by a typo."""
    calls = [plain(wanted), plain(re.sub(r" (?:at|on) ", ": ", wanted))]
    for verb in names.sheet.verbs:
        head, _, tail = verb.text.partition(":")
        for text in dict.fromkeys((verb.text, tail.strip() or verb.text, head)):
            shape = "".join(
                "(.*)" if i % 2 else re.escape(plain(part))
                for i, part in enumerate(re.split(r"(\{\d[^}]*\})", text))
            )
            for call in calls:
                fit = re.fullmatch(shape, call)
                if fit is not None and _things_exist(names, text, verb.args, fit.groups()):
                    return True
    return False


def _things_exist(names: Names, text: str, kinds: Sequence[str], given: Sequence[str]) -> bool:
    for slot, word in zip(SLOT.finditer(text), given, strict=False):
        index = int(slot[1])
        kind = kinds[index] if index < len(kinds) else "number"
        orelse = slot[0].partition("|")[2].rstrip("}")
        if orelse and norm(orelse) == word:
            continue
        if kind == "number":
            if not re.fullmatch(r"-?\d+", word):
                return False
        elif names.words(kind) and names.find(kind, word) is None:
            return False
    return True
