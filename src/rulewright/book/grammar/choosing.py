"""Tokens -> decisions and dice: choose, may, window, act, let with a choice or a tally.

In:  the expression grammar.
Out: statements at which a match stops.
"""

from __future__ import annotations

import re

from rulewright.book import tree as t
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import (
    begins,
    parse_block,
    parse_check,
    parse_factor,
    parse_number,
    parse_selector,
    parse_thing,
    tried,
)
from rulewright.book.grammar.scope import Mistake
from rulewright.book.index import ACTION, DIE
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import DEDENT, DICE, END, INDENT, NEWLINE, NUMBER, STRING, WORD


def may(p: Cursor, who: t.Thing_, line: int) -> t.Stmt_:
    label, test, body = _labelled(p)
    decline = t.ChoiceOption("no", None, None, [], line)
    return t.Choose([t.ChoiceOption(label, test, None, body, line), decline], who, label, line=line)


def _labelled(p: Cursor) -> tuple[str, t.Cond_ | None, t.Block_]:
    if p.now.kind != STRING:
        raise p.fail("missing-part", "an option needs a label in quotation marks")
    label = _label(p, ())
    test = parse_check(p) if p.take("if") else None
    p.expect(":")
    return label, test, parse_block(p)


def _label(p: Cursor, known: tuple[str, ...]) -> str:
    """A label in quotation marks. It is fixed when the book is read, but for what it chooses."""
    token = p.now
    if token.kind != STRING:
        raise p.fail("missing-part", "`as` needs a label in quotation marks")
    for found in re.finditer(r"\{[^{}]*\}", token.text):
        if found.group() not in known:
            place = token._replace(text=found.group(), column=token.column + found.start())
            words = "a label shows no value but `{it}`, the thing that is chosen"
            help_ = "" if known else "this option chooses nothing: `each X as ..` makes one option for each X"
            raise Mistake("unexecutable", place, words, help_)
    return p.next().text[1:-1]


def _named_option(p: Cursor) -> str:
    """`as "LABEL"`, in which `{it}` is the thing that is chosen; perhaps none."""
    return _label(p, ("{it}",)) if p.take("as") else ""


@tried
def decider(p: Cursor) -> t.Thing_ | None:
    try:
        who = parse_thing(p)
    except Mistake:
        return None
    return who if p.take("chooses") else None


def let_tally(p: Cursor, low: str, line: int) -> t.Stmt_:
    p.next()
    count: t.Num_ = t.Num(1)
    if not p.peek_name(DIE):
        if p.now.kind == DICE and p.now.text[0].isdigit():
            number, sides = p.next().text.split("d")
            p.scope.locals[low] = t.TALLY + "d" + sides
            return t.LetTally(low, "d" + sides, t.Num(int(number)), None, line=line)
        plain = p.now.kind == NUMBER and p.ahead().kind == DICE  # `4 d6` would be rolled and summed
        count = t.Num(int(p.next().text)) if plain else parse_factor(p)
    if p.now.kind == DICE:
        die = p.next().text
        p.scope.locals[low] = t.TALLY + die
        return t.LetTally(low, die, count, None, line=line)
    key = p.need(DIE)
    p.scope.locals[low] = t.TALLY + key
    return t.LetTally(low, key, count, None, line=line)


def let_choose(p: Cursor, low: str, line: int, who: t.Thing_ | None) -> t.Stmt_:
    if p.take("a", "number", "from"):
        a = parse_number(p)
        p.expect("to")
        b = parse_number(p)
        p.scope.locals[low] = t.NUMBER
        return t.LetChoose(low, t.NUMBER, None, "", a, b, who, line=line)
    selector = parse_selector(p, default="a")
    orelse = ""
    if p.now.is_(",") and p.ahead().is_("or") and p.ahead(2).kind == STRING:
        p.at += 2
        orelse = p.next().text[1:-1]
    p.scope.locals[low] = selector.type
    return t.LetChoose(low, selector.type, selector, orelse, None, None, who, line=line)


@begins("choose")
def s_choose(p: Cursor, line: int) -> t.Stmt_:
    return choose(p, None, line)


def choose(p: Cursor, who: t.Thing_ | None, line: int) -> t.Stmt_:
    if p.now.is_(":") or p.now.kind == STRING:
        prompt = p.next().text[1:-1] if p.now.kind == STRING else ""
        p.expect(":")
        return _options(p, who, prompt, line)
    if p.take("up", "to"):
        most = parse_number(p)
        selector = parse_selector(p, default="each")
        least = None
        if p.take(",", "at", "least"):
            least = parse_number(p)
        label = _named_option(p)
        p.expect(":")
        return t.ChooseMany(selector, most, least, _with_it(p, selector), who, label, line=line)
    selector = parse_selector(p, default="a")
    label = _named_option(p)
    body: t.Block_ = []
    if p.take(":"):
        body = _with_it(p, selector)
    else:
        # `choose X` alone: later statements of the block speak of it.
        p.scope.it.append(t.TLocal(selector.it, selector.type))
    return t.Choose([t.ChoiceOption(label, None, selector, body, line)], who, "", line=line)


def _with_it(p: Cursor, selector: t.Selector) -> t.Block_:
    with p.scope.looking_at(t.TLocal(selector.it, selector.type)):
        return parse_block(p)


def _options(p: Cursor, who: t.Thing_ | None, prompt: str, line: int) -> t.Stmt_:
    options: list[t.ChoiceOption] = []
    before = reversed(p.tokens[: p.at])
    begun = next((x for x in before if x.is_("choose", "chooses")), p.now)
    indented = p.now.kind == INDENT
    if indented:
        p.next()
    while p.now.kind not in (DEDENT, END):
        if p.now.kind == NEWLINE or p.now.is_(";", ","):
            if (
                p.now.kind == NEWLINE
                and not indented
                and p.ahead().kind != STRING
                and not p.ahead().is_("each")
            ):
                break
            p.next()
            continue
        if p.now.kind == INDENT and not indented:
            indented = True
            p.next()
            continue
        at = p.now.line
        if p.now.kind == STRING:
            label, test, body = _labelled(p)
            options.append(t.ChoiceOption(label, test, None, body, at))
        elif p.take("each"):
            selector = parse_selector(p, default="each")
            label = _named_option(p)
            p.expect(":")
            options.append(t.ChoiceOption(label, None, selector, _with_it(p, selector), at))
        else:
            break
    if indented and p.now.kind == DEDENT:
        p.next()
    if not options:
        raise p.fail("empty-choice", "a choose has no options", begun)
    return t.Choose(options, who, prompt, line=line)


@begins("window")
def s_window(p: Cursor, line: int) -> t.Stmt_:
    words: list[str] = []
    while not p.now.is_(":"):
        if p.now.kind != WORD:
            raise p.fail("missing-part", "a window needs a name and whom it asks: `window Hit: defender`")
        words.append(p.next().text)
    p.expect(":")
    key = norm("".join(words))
    p.symbols.windows.setdefault(key, len(p.symbols.windows))
    p.symbols.opened.append(key)
    who: list[object] = []
    while True:
        if p.now.is_("each", "every"):
            who.append(parse_selector(p))
        else:
            who.append(parse_thing(p, t.ACTOR))
        if not p.take(",", "then"):
            break
    return t.Window(key, who, line=line, anyway=p.take(",", "asked", "anyway"))


@begins("act")
def s_act(p: Cursor, line: int) -> t.Stmt_:
    how, times = "pass", None
    if p.take("until", "pass"):
        pass
    elif p.take("once"):
        how = "once"
    elif p.take("up", "to"):
        how = "times"
        times = parse_number(p)
        p.take("times")
    by = only = where = while_ = None
    pass_ = True
    while True:
        if p.take("while"):
            while_ = parse_check(p)
        elif p.now.is_("by"):
            p.next()
            p.take("any")
            by = parse_selector(p, default="some")
        elif p.take("only"):
            name = p.need(ACTION)
            only = p.symbols.actions[name]
            if p.take("where"):
                before = dict(p.scope.locals)
                for param in only.params:
                    p.scope.locals.setdefault(param.name.lower(), param.type)
                where = parse_check(p)
                p.scope.locals = before
        elif p.take("no", "pass") or p.take(",", "no", "pass"):
            pass_ = False
        else:
            break
    return t.Act(how, times, by, only, where, pass_, line=line, while_=while_)
