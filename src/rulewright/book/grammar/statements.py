"""Tokens -> statements, blocks, moments.

In:  tokens of a body.
Out: a Block of statements; each mistake becomes one diagnostic and the rest of its line is skipped,
     so that one run reports many.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.calls import component_call, count_args, parse_arguments
from rulewright.book.grammar.checks import number_starts
from rulewright.book.grammar.choosing import choose, may
from rulewright.book.grammar.cursor import Cursor, at_end
from rulewright.book.grammar.dispatch import (
    BEGINNINGS,
    begins,
    parse_bracket,
    parse_check,
    parse_number,
    parse_selector,
    parse_thing,
    placed,
    reads,
)
from rulewright.book.grammar.forms import statement
from rulewright.book.grammar.moments import parse_until, sequence_word
from rulewright.book.grammar.moving import becomes, gain, lose
from rulewright.book.grammar.otherwise import STATEMENTS, instead
from rulewright.book.grammar.owners import me
from rulewright.book.grammar.results import end_match
from rulewright.book.grammar.scope import Mistake, tell
from rulewright.book.grammar.secretly import secret
from rulewright.book.grammar.things import simple_thing
from rulewright.book.grammar.wording import find_wording, meant, run_title
from rulewright.book.grammar.words import local_thing, parse_held, sequence_name
from rulewright.book.index import ACTION, COMPONENT, MAP
from rulewright.book.phrases.match import AFTER_EFFECT, BEHAVIOR, EFFECT
from rulewright.book.phrases.whole import sifted
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import DEDENT, END, INDENT, NEWLINE, STRING, WORD, Token
from rulewright.diagnostics import Diagnostic

VALUES = 3
"""What a line of the log has room for."""
ASSIGN = ("=", "+=", "-=", "*=", "/=")
CONDITION_FIRST = (
    "a condition stands first: `if CHECK: ..`; one of two values in brackets: `(A if CHECK else B)`"
)


# ------------------------------------------------------------ blocks
def parse_body(p: Cursor) -> t.Block_:
    """Everything there is."""
    made: t.Block_ = []
    _lines(p, made, END)
    return made


def _lines(p: Cursor, made: t.Block_, *ends: str) -> None:
    """Statements up to one of these tokens."""
    while p.now.kind not in ends:
        if p.now.kind in (NEWLINE, INDENT, DEDENT) or p.now.is_(",", ";", "."):
            p.next()
            continue
        _one(p, made)


def _one(p: Cursor, made: t.Block_) -> None:
    """One statement; on a mistake report it and skip the line."""
    try:
        made.append(parse_statement(p))
        if p.now.kind not in (NEWLINE, INDENT, DEDENT, END) and not p.now.is_(",", ";", ".", "else"):
            help_ = CONDITION_FIRST if p.now.is_("if") else ""
            raise p.fail("unexecutable", f"'{p.now.text}' does not fit here", help=help_)
    except Mistake as mistake:
        tell(p.problems, mistake)
        _skip(p)


def _skip(p: Cursor) -> None:
    """To the end of the line, or to where another effect surely begins; what is else goes with it."""
    depth = 0
    while p.now.kind != END:
        if depth == 0 and p.now.kind == NEWLINE and not p.ahead().is_("else"):
            return
        if closed.next_effect(p):
            return
        if p.now.kind == INDENT:
            depth += 1
        if p.now.kind == DEDENT:
            depth -= 1
            if depth < 0:
                return
        p.next()


@reads("block")
def read_block(p: Cursor) -> t.Block_:
    """After a colon: the rest of the line and the deeper lines under it."""
    made: t.Block_ = []
    while p.now.kind not in (NEWLINE, INDENT, DEDENT, END) and not p.now.is_("else"):
        if p.now.is_(",", ";", "."):
            p.next()
            continue
        if p.now.kind == STRING and p.ahead().is_(":", "if"):
            break
        _one(p, made)
    if p.now.kind == INDENT and _option_ahead(p):
        return made  # the next option of a choose whose first one stands on the line above
    if p.now.kind == INDENT:
        p.next()
        _lines(p, made, DEDENT, END)
        p.next()
    return made


def _option_ahead(p: Cursor) -> bool:
    """`"label": ..` or `each SELECTOR: ..`; no statement begins like that."""
    return (p.ahead().kind == STRING and p.ahead(2).is_(":", "if")) or p.ahead().is_("each")


# ------------------------------------------------------------ one statement
@placed
def parse_statement(p: Cursor) -> t.Stmt_:
    """Any statement."""
    token = p.now
    line = token.line
    if token.is_("["):
        return _assignment(p)
    if token.is_("#"):
        return _run(p)
    wording = _worded(p)
    if wording is not None:
        return wording
    if token.kind == STRING:
        return _say(p, p.next())
    method = BEGINNINGS.get(token.text) if token.kind == WORD else None
    if method is not None:
        p.next()
        return method(p, line)
    return _of_actor(p, line)


def _worded(p: Cursor) -> t.Stmt_ | None:
    """What a phrase or title of the book stands for. It goes before words of the language."""
    at = p.now
    found = find_wording(p, BEHAVIOR, AFTER_EFFECT) if p.scope.behavior else None
    found = found or find_wording(p, EFFECT, AFTER_EFFECT)
    if found is None:
        return None
    if found.phrase.component is not None:
        return t.RunStmt(run_title(p, found), None, line=at.line)
    problems: list[Diagnostic] = []
    made = parse_body(Cursor(meant(p, found), p.symbols, p.scope, problems))
    p.problems += sifted(problems, at) if not found.phrase.broken else ()
    return t.Inline(made, line=at.line)


def _assignment(p: Cursor) -> t.Stmt_:
    token = p.now
    target = parse_bracket(p)
    op = p.now
    if op.is_("<", "<=", ">", ">=", "!=", "=="):
        raise p.fail("unexecutable", "a comparison is no statement")
    if op.text not in ASSIGN:
        raise p.fail(
            "unexecutable", f"expected '=', '+=' or '-=', found '{op.text or 'the end of the line'}'"
        )
    computed = isinstance(target, t.ReadRes) and (target.maximum or target.stored)
    if computed or not isinstance(target, (t.ReadRes, t.ReadLocal, t.ReadKept, t.StatusNum)):
        raise Mistake("wrong-kind", token, "this number is computed and cannot be set").up_to(
            p.tokens[p.at - 1]
        )
    p.next()
    kept = p.take("secretly")
    value = closed.final(p, parse_number(p), op)
    until, count = parse_until(p)
    made = t.SetNumber(target, op.text, value, until, count, line=token.line)
    return secret(p, made, token) if kept else made


def _run(p: Cursor) -> t.Stmt_:
    line = p.now.line
    at = p.at
    p.next()
    name = p.name(COMPONENT)
    if name is not None and p.now.is_("on") and p.ahead().is_("each", "every"):
        p.next()
        selector = parse_selector(p)
        component = p.component_named(name)
        args = parse_arguments(p, component) if p.take("with") else []
        count_args(p, component, args)
        it = t.TLocal(selector.it, t.ACTOR)
        return t.RunStmt(t.Run(component, it, args, line), selector, line=line)
    p.at = at
    run = component_call(p, ("Effect", "Table", "Sequence", "Value"))
    return t.RunStmt(run, None, line=line)


def _say(p: Cursor, token: Token) -> t.Stmt_:
    """A text for the log; up to three values stand in braces."""
    args: list[object] = []
    out: list[str] = []
    column = token.column + 1
    for piece in re.split(r"(\{[^{}]*\})", token.text[1:-1]):
        if piece.startswith("{") and piece.endswith("}"):
            place = token._replace(text=piece, column=column)
            if len(args) == VALUES:
                words = f"a text names at most {VALUES} values in braces"
                raise Mistake("too-large", place, words, "say the rest in a second `say`")
            out.append(f"{{{len(args)}}}")
            args.append(_inner(p, place))
        else:
            _bare(p, token._replace(text=piece, column=column))
            out.append(piece)
        column += len(piece)
    return t.Say("".join(out), args, line=token.line)


def _bare(p: Cursor, place: Token) -> None:
    """A number of the book in brackets, but without braces around them, would be printed as it is written."""
    for found in re.finditer(r"\[([^\[\]{}]+)\]", place.text):
        if norm(found[1].partition(" of ")[0]) in p.resources:
            at = place._replace(text=found[0], column=place.column + found.start())
            raise Mistake("unexecutable", at, "a value in a text stands in braces", f"write `{{{found[0]}}}`")


def _inner(p: Cursor, place: Token) -> object:
    from rulewright.book.text.source import Line
    from rulewright.book.text.tokens import tokenize

    text = place.text[1:-1]
    lines = [Line(place.file, place.line, place.column + 1, text)]
    parser = Cursor(tokenize(lines, [], place.closed), p.symbols, p.scope, [])
    number = text.strip().startswith("[")
    made = parse_number(parser) if number else parse_thing(parser)
    at_end(parser)
    return made


def _of_actor(p: Cursor, line: int) -> t.Stmt_:
    """`X becomes ...`, `X may ...`, `X chooses ...`, `X controls ...`"""
    token = p.now
    try:
        every = None
        if token.is_("every", "each"):
            every = parse_selector(p)
            who: t.Thing_ = t.TLocal(every.it, every.type)
        else:
            who = parse_thing(p)
    except Mistake:
        raise _no_statement(p, token) from None
    made: t.Stmt_
    if p.take("becomes") or p.take("become"):
        made = becomes(p, who, line)
    elif p.take("may"):
        made = may(p, who, line)
    elif p.take("secretly"):
        p.expect("chooses")
        made = secret(p, choose(p, who, line), token)
    elif p.take("chooses") or p.take("choose"):
        made = choose(p, who, line)
    elif p.take("controls"):
        whom = parse_thing(p, t.ACTOR)
        until, _ = parse_until(p)
        made = t.TakeControl(who, whom, until, line=line)
    elif p.take("gains"):
        made = gain(p, who, line)
    elif p.take("loses"):
        made = lose(p, who, line)
    else:
        raise _no_statement(p, token)
    return t.ForEach(every, [made], line=line) if every is not None else made


def _no_statement(p: Cursor, token: Token) -> Mistake:
    words = f"'{_rest(p, token)}' is no statement that this book knows"
    return Mistake("unexecutable", token, words, instead(STATEMENTS, token, p.now))


def _rest(p: Cursor, token: Token) -> str:
    words = [x.text for x in p.tokens if x.line == token.line and x.column >= token.column and x.text]
    return " ".join(words[:8])


# ------------------------------------------------------------ keywords
SETS = {t.FacingOf: t.SetFacing, t.TerrainOf: t.SetTerrain, t.SideOf: t.SetSide}
"""What sets a thing that is somebody's or something's."""


@begins("set")
def s_set(p: Cursor, line: int) -> t.Stmt_:
    token = p.now
    if token.is_("["):
        raise p.fail("unexecutable", "numbers are set with '='; `set` is for things")
    if p.take("the", "map", "to"):
        name = p.need(MAP)
        return t.UseMap(p.symbols.maps[name].index, line=line)
    if token.kind == WORD and p.scope.local(token.text) is None and p.ahead().is_("to"):
        held = {norm(r.name).lower() for r in p.resources.values() if r.holds}
        if norm(token.text).lower() not in held:
            raise p.unknown("thing", list(p.scope.locals))
    target = simple_thing(p, None)
    if not isinstance(target, (t.TLocal, t.THold, t.TKept)):
        if isinstance(target, t.FacingOf | t.TerrainOf | t.SideOf):
            p.expect("to")
            of = target.space if isinstance(target, t.TerrainOf) else target.who
            return SETS[type(target)](of, parse_thing(p, target.type), line=line)
        raise Mistake(
            "wrong-kind", token, "only a local, a parameter or a resource that holds a thing can be set"
        )
    p.expect("to")
    return t.SetThing(target, parse_thing(p, target.type), line=line)


@begins("secretly")
def s_secretly(p: Cursor, line: int) -> t.Stmt_:
    """`secretly choose ..`, `secretly let ..`, `secretly [R] = ..`"""
    token = p.now
    return secret(p, parse_statement(p), token)


@begins("give")
def s_give(p: Cursor, line: int) -> t.Stmt_:
    at = p.at
    if number_starts(p) or p.now.is_("("):
        try:
            return t.Give(parse_number(p), line=line)
        except Mistake as mistake:
            if not p.tokens[at].is_("(") or mistake.code != "type-mismatch":
                raise
            p.at = at
    return t.Give(parse_thing(p), line=line)


@begins("perform")
def s_perform(p: Cursor, line: int) -> t.Stmt_:
    local = local_thing(p) or parse_held(p)
    if local is not None:
        target = parse_thing(p) if p.take("on") else None
        return t.Perform(None, local, target, None, line=line)
    name = p.need(ACTION)
    p.take("action")
    target = parse_thing(p) if p.take("on") else None
    if isinstance(target, t.TSelect):
        one = t.TLocal(target.selector.it, target.selector.type)
        can = t.CanPerform(me(p), p.symbols.actions[name], one)
        target = replace(target, selector=replace(target.selector, tests=[*target.selector.tests, can]))
    return t.Perform(p.symbols.actions[name], None, target, None, line=line)


@begins("if")
def s_if(p: Cursor, line: int) -> t.Stmt_:
    test = parse_check(p)
    p.expect(":")
    then = read_block(p)
    orelse: t.Block_ = []
    at = p.at
    while p.now.kind == NEWLINE:
        p.next()
    if p.take("else"):
        if p.now.is_("if"):
            inner = p.now.line
            p.next()
            orelse = [s_if(p, inner)]
        else:
            p.expect(":")
            orelse = read_block(p)
    else:
        p.at = at
    return t.IfStmt(test, then, orelse, line=line)


@begins("repeat")
def s_repeat(p: Cursor, line: int) -> t.Stmt_:
    if p.take("while"):
        test = parse_check(p)
        p.expect(":")
        return t.Repeat(None, test, read_block(p), line=line)
    sequence = sequence_name(p)
    if isinstance(sequence, t.Component):
        args = parse_arguments(p, sequence) if p.take("with") else []
        return t.Restart(sequence, args, line=line)
    times = parse_number(p)
    p.expect("times")
    if p.take("over"):
        return _over(p, times, line)
    p.expect(":")
    return t.Repeat(times, None, read_block(p), line=line)


def _over(p: Cursor, times: t.Num_, line: int) -> t.Stmt_:
    """`repeat N times over SPACE, SPACE: ..` with `spot` the space; the last for all that are left."""
    spots = [parse_thing(p, t.SPACE)]
    while p.take(","):
        spots.append(parse_thing(p, t.SPACE))
    p.expect(":")
    p.scope.locals["spot"] = t.SPACE
    body = read_block(p)
    made: t.Block_ = []
    for i in range(times.value if isinstance(times, t.Num) else 1):
        made += [t.SetThing(t.TLocal("spot", t.SPACE), spots[min(i, len(spots) - 1)], line=line), *body]
    return t.Inline(made, line=line)


@begins("for")
def s_for(p: Cursor, line: int) -> t.Stmt_:
    if not p.now.is_("each"):
        help_ = "for one only: `let x = the ..` before, or `#Effect on (the ..)`"
        if p.now.is_("every", "all"):
            help_ = "write `for each ..`"
        raise p.fail("unexecutable", f"expected 'each', found '{p.now.text}'", help=help_)
    p.next()
    selector = parse_selector(p, default="each")
    p.expect(":")
    with p.scope.looking_at(t.TLocal(selector.it, selector.type)):
        return t.ForEach(selector, read_block(p), line=line)


statement("stop", t.Stop)


@begins("end")
def s_end(p: Cursor, line: int) -> t.Stmt_:
    token = p.now
    if p.take("the", "match"):
        return end_match(p, token, line)
    return t.EndSeq(sequence_word(p), None, line=line)


@begins("skip")
def s_skip(p: Cursor, line: int) -> t.Stmt_:
    p.expect("to")
    token = p.now
    steps: dict[str, list[tuple[t.Component, int]]] = {}
    for component in p.components.values():
        for n, (name, _, _) in enumerate(component.steps):
            steps.setdefault(norm(name), []).append((component, n))
    name = p.among(steps)
    if name is None:
        raise p.unknown("step", list(steps), token)
    found = steps[name]
    if p.take("of"):
        sequence = sequence_word(p)
        found = [(c, n) for c, n in found if c is sequence]
    elif p.scope.sequence is not None:
        own = [(c, n) for c, n in found if c is p.scope.sequence]
        found = own or found
    if len(found) != 1:
        raise Mistake("unknown-name", token, f"say of which sequence: `skip to {name} of ...`")
    return t.EndSeq(found[0][0], found[0][1], line=line)


@begins("say")
def s_say(p: Cursor, line: int) -> t.Stmt_:
    if p.now.kind != STRING:
        raise p.fail("missing-part", "say needs a text in quotation marks")
    return _say(p, p.next())


@begins("first")
def s_first(p: Cursor, line: int) -> t.Stmt_:
    p.expect("possible", ":")
    lines: list[tuple[t.Cond_ | None, t.Block_]] = []
    if p.now.kind == INDENT:
        p.next()
    while p.now.kind not in (DEDENT, END):
        if p.now.kind == NEWLINE:
            p.next()
            continue
        test = None
        if p.take("if"):
            test = parse_check(p)
            p.expect(":")
        made: t.Block_ = []
        while p.now.kind not in (NEWLINE, DEDENT, END, INDENT):
            if p.now.is_(",", ";"):
                p.next()
                continue
            _one(p, made)
        if p.now.kind == INDENT:
            made += read_block(p)
        lines.append((test, made))
    if p.now.kind == DEDENT:
        p.next()
    return t.FirstPossible(lines, line=line)
