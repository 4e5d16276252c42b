"""Tokens -> what is kept from the others: `secretly ..`, and choices that are made at the same time.

In:  tokens from `secretly` or `together` on.
Out: t.Secretly around a choice or a roll, t.Together.

What is secret is the choice or the roll itself. What a rule does with it is told as it is everywhere: to
whoever may see what changes.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.grammar.choosing import choose
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import begins, parse_block, parse_number, parse_selector
from rulewright.book.grammar.scope import Mistake
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import NUMBER, WORD, Token
from rulewright.book.walk import nodes, parts

KEPT = (t.Choose, t.ChooseMany, t.LetChoose, t.LetTally)


# ------------------------------------------------------------ secretly
def secret(p: Cursor, made: t.Stmt_, token: Token) -> t.Stmt_:
    """The statement, its outcome told to whoever decides, or to whoever self is."""
    match made:
        case t.Secretly():
            return made
        case t.SetNumber(target=t.ReadLocal()) | t.SetThing(target=t.TLocal()):
            return t.Secretly(made, line=made.line)
        case t.SetNumber(target=target, op=op, value=value, until=until, count=count):
            # The roll is secret, and then something changes that others may see.
            p.scope.fresh += 1
            name = f"secret{p.scope.fresh}"
            p.scope.locals[name] = t.NUMBER
            rolled = t.SetNumber(t.ReadLocal(name), "=", value, None, None, line=made.line)
            stored = t.SetNumber(target, op, t.ReadLocal(name), until, count, line=made.line)
            return t.Inline([t.Secretly(rolled, line=made.line), stored], line=made.line)
        case t.ForEach(body=body) if len(body) == 1:
            return replace(made, body=[secret(p, body[0], token)])
        case _ if isinstance(made, KEPT):
            return t.Secretly(made, line=made.line)
        case _:
            raise Mistake(
                "unexecutable", token, "only a choice or a roll can be made secretly",
                "write `secretly choose ..`, `X secretly chooses ..`, `let [N] = secretly roll ..`",
            )  # fmt: skip


# ------------------------------------------------------------ together
@begins("together")
def s_together(p: Cursor, line: int) -> t.Stmt_:
    """`together each SELECTOR [secretly] chooses ..`"""
    token = p.now
    if not token.is_("each", "every"):
        raise p.fail("missing-part", "say who: `together each Player chooses ..`")
    selector = parse_selector(p)
    if selector.type != t.ACTOR:
        raise Mistake("wrong-kind", token, "only actors choose")
    kept = p.take("secretly")
    if not p.take("chooses") and not p.take("choose"):
        raise p.fail("missing-part", "expected `chooses` after those who choose at the same time")
    outer, looking = dict(p.scope.locals), list(p.scope.it)
    p.scope.locals["self"] = t.ACTOR
    try:
        choice, body = _choice(p, line)
    finally:
        p.scope.it[:] = looking
        inner = dict(p.scope.locals)
        p.scope.locals = {name: type_ for name, type_ in inner.items() if name in outer}
    made = t.Together(selector, choice, body, kept, line=line)
    _stays_inside(made, outer, token)
    return made


def _choice(p: Cursor, line: int) -> tuple[t.Choose | t.LetChoose, t.Block_]:
    token = p.now
    if p.take("a", "number"):
        name = _number_name(p)
        p.expect("from")
        low = parse_number(p)
        p.expect("to")
        high = parse_number(p)
        p.expect(":")
        p.scope.locals[name] = t.NUMBER
        return t.LetChoose(name, t.NUMBER, None, "", low, high, None, line=line), parse_block(p)
    made = choose(p, None, line)
    if isinstance(made, t.ChooseMany):
        raise Mistake(
            "unexecutable", token, "at the same time everybody chooses one thing",
            "for several: `repeat 3 times: together each Player chooses ..`",
        )  # fmt: skip
    assert isinstance(made, t.Choose)
    if any(option.selector is not None and not option.body for option in made.options):
        raise Mistake("missing-part", token, "say what follows: `together each X chooses a Y: ..`")
    return made, []


def bracketed_name(p: Cursor) -> str:
    """`[N]`: the words of a new name, without spaces."""
    p.expect("[")
    words: list[str] = []
    while not p.now.is_("]"):
        if p.now.kind not in (WORD, NUMBER):
            raise p.fail("unexecutable", "a local number is a name in brackets")
        words.append(p.next().text)
    p.expect("]")
    return "".join(words)


def _number_name(p: Cursor) -> str:
    """`[N]`, what the chosen number is called."""
    name = bracketed_name(p)
    p.scope.numbers.add(name)
    return norm(name).lower()


def _stays_inside(made: t.Together, outer: dict[str, str], token: Token) -> None:
    """What follows from a choice is done once for each of them, so it cannot leave what is around it, nor
    change what was let outside."""
    follows: list[object] = [made.body]
    if isinstance(made.choice, t.Choose):
        follows += [option.body for option in made.choice.options]
    for node in nodes(follows):
        match node:
            case t.Give():
                words = "`give` cannot stand in what is chosen at the same time: there are several who choose"
                raise Mistake("unexecutable", token, words)
            case t.SetNumber(target=t.ReadLocal(name=name)) | t.SetThing(target=t.TLocal(name=name)) if (
                norm(name).lower() in outer
            ):
                words = f"'{name}' belongs to what is around `together` and cannot be changed in it"
                raise Mistake("unexecutable", token, words, "keep it in a resource")
            case _:
                pass
    if _stops(follows):
        raise Mistake("unexecutable", token, "`stop` cannot leave what is chosen at the same time")


def _stops(part: object) -> bool:
    """Whether a `stop` in it belongs to no loop in it."""
    if isinstance(part, t.Stop):
        return True
    if isinstance(part, t.ForEach | t.Repeat):
        return False
    return any(_stops(inner) for inner in parts(part))
