"""What actions, reactions and strategies say: declarations, costs, tests, effects, preferences.

In:  ActionSym and StrategySym with their definitions.
Out: the same symbols with their trees.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.bodies.fields import (
    end,
    field_block,
    field_number,
    parser_over,
    reader,
    said_check,
)
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.targets import aim, target_names
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_check, parse_number, parse_selector
from rulewright.book.grammar.moments import sequence_word
from rulewright.book.grammar.nouns import adjective, adjective_wins, parse_noun, parse_quantifier
from rulewright.book.grammar.preferences import preference_list
from rulewright.book.grammar.scope import Mistake, Scope, reported
from rulewright.book.index import ACTION
from rulewright.book.symbols import StrategySym, norm
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import END, apart, tokenize
from rulewright.diagnostics import suggest


def declares_names(bodies: Bodies, action: t.ActionSym, d: Definition) -> None:
    """Names and types of what is declared, before anything that may read them is parsed."""
    declare = d.get("declare")
    if declare is None:
        target_names(bodies, action, d)
        return
    for piece in _pieces(declare):
        text = piece.text
        rest = re.fullmatch(r"what (\w+) declares", text.strip())
        if rest is not None:
            named = [declared.name for declared in action.declares]
            if rest[1].lower() not in named:
                words = f"nothing that is declared before is called '{rest[1]}'"
                hint = suggest(rest[1], named)
                bodies.problem("unknown-name", piece, words, hint)
            action.declares.append(t.Declared("", "", rest=True))
            continue
        match = re.match(r"\s*(\[[^\]]+\]|[\w'’-]+)\s*=\s*", text)
        if match is None:
            bodies.problem("unexecutable", piece, "a declaration is `name = a ...`")
            continue
        name = match.group(1)
        if name.startswith("["):
            declared = t.Declared(name[1:-1], t.NUMBER)
        else:
            declared = t.Declared(name.lower(), _guess(bodies, text[match.end() :]))
        action.declares.append(declared)
        action.params.append(t.Param(declared.name, declared.type))


def _guess(bodies: Bodies, text: str) -> str:
    """The type of a declared thing, from its noun, before names can be looked up properly."""
    scope = Scope(self=t.ACTOR, **t.locals_of())
    parser = Cursor(tokenize([Line("", 0, 0, text)], [], bodies.symbols.closes), bodies.symbols, scope, [])
    if re.match(r"\s*a (straight )?path\b", text):
        return t.PATH
    try:
        parse_quantifier(parser, "a")
        for _ in range(6):
            if parser.take("other") or parser.take("nearest"):
                continue
            at = parser.at
            noun = parse_noun(parser)
            if noun is not None and not adjective_wins(parser):
                return noun[1]
            parser.at = at
            if adjective(parser, t.TLocal("probe", "?")) is None:
                return noun[1] if noun is not None else t.ACTOR
    except Mistake:
        pass
    return t.ACTOR


NEXT = re.compile(r";|,(?=\s*(?:\[[^\]]+\]|[a-z][\w'’-]*)\s*=\s)")
"""What stands between two declarations."""


def _pieces(field: FieldText) -> list[Line]:
    """Declarations are separated by semicolons or line ends."""
    made: list[Line] = []
    for line in field.lines:
        for start, piece in apart(line.text, NEXT):
            if piece.strip():
                lead = len(piece) - len(piece.lstrip())
                made.append(line.slice(start + lead, text=piece.strip()))
    return made


def action_body(bodies: Bodies, action: t.ActionSym, d: Definition) -> None:
    scope = Scope(self=t.ACTOR, **t.locals_of("face" if action.kind == "Card" else "action"))
    declare = d.get("declare")
    if declare is not None:
        for piece, declared in zip(_pieces(declare), action.declares, strict=False):
            if not declared.rest:
                _declared(bodies, action, declared, piece, scope)
                scope.locals[norm(declared.name).lower()] = declared.type
    else:
        aim(bodies, action, d, scope)
    for p in action.params:
        scope.locals.setdefault(norm(p.name).lower(), p.type)
        if p.type == t.NUMBER:
            scope.numbers.add(p.name)
    trigger = d.get("trigger")
    if trigger is not None and trigger.lines:
        trigger_of(bodies, action, trigger, scope)
    elif action.kind == "Reaction" and not bodies.symbols.closes:
        bodies.problem("missing-part", d.line, f"'{action.name}' has no `Trigger:`")
    let = d.get("let")
    if let is not None:
        lines = [
            replace(x, text="let " + x.text if not x.text.startswith("let") else x.text) for x in let.lines
        ]
        action.lets = field_block(bodies, lines, scope)
    action.requires = said_check(bodies, d, "requires", scope)
    action.test = said_check(bodies, d, "if", scope)
    limit = d.get("limit")
    if limit is not None:
        parser = reader(bodies, limit, d, scope)
        try:
            if parser is not None:
                parser.next()
                parser.expect("per")
                action.limit = sequence_word(parser)
                end(parser)
        except Mistake:
            bodies.problem("unexecutable", limit.at or d.line, "a limit is `once per SEQUENCE`")
    for key, attribute in (("cost", "cost"), ("do", "do"), ("else", "orelse"), ("then", "then")):
        field = d.get(key)
        if field is not None:
            setattr(action, attribute, field_block(bodies, field.lines, scope))
    if action.kind != "Card" and d.get("do") is None:
        bodies.problem("missing-part", d.line, f"'{action.name}' has no `do:`")


def trigger_of(bodies: Bodies, action: t.ActionSym, field: FieldText, scope: Scope) -> None:
    parser = reader(bodies, field, action.definition, scope)
    if parser is None:
        return
    names = [""]
    parser.take("window")
    while parser.now.kind == "word" and not parser.now.is_("where"):
        if parser.take("or"):
            names.append("")
            continue
        names[-1] += parser.next().text
    parser.take(",")
    action.windows = tuple(norm(x) for x in names if x)
    with reported(bodies.problems):
        if parser.take("where") or parser.now.kind != END:
            action.trigger = parse_check(parser)
        end(parser)


def _declared(bodies: Bodies, action: t.ActionSym, declared: t.Declared, piece: Line, scope: Scope) -> None:
    match = re.match(r"\s*(\[[^\]]+\]|[\w'’-]+)\s*=\s*", piece.text)
    if match is None:
        return  # reported when the names were read
    parser = parser_over(bodies, [piece.slice(match.end())], scope)
    with reported(bodies.problems):
        if declared.type == t.NUMBER:
            parser.take("a")
            parser.expect("number", "from")
            declared.low = parse_number(parser)
            parser.expect("to")
            declared.high = parse_number(parser)
        elif declared.type == t.PATH:
            declared.path = _path(parser)
        elif parser.now.is_("a") and parser.ahead().is_("number") and parser.ahead(2).is_("from"):
            raise parser.fail(
                "type-mismatch",
                "a number goes by a name in brackets",
                help="write `[Amount] = a number from ..`",
            )
        else:
            declared.selector = parse_selector(parser, default="a")
            if parser.take(","):
                parser.expect("or")
                declared.orelse = parser.next().text.strip('"')
            elif parser.take("or"):
                declared.orelse = parser.next().text.strip('"')
            if declared.selector.type != declared.type:
                declared.type = declared.selector.type
                for p in action.params:
                    if p.name == declared.name:
                        p.type = declared.type
        end(parser)


def _path(parser: Cursor) -> t.PathSpec:
    parser.take("a")
    straight = parser.take("straight")
    parser.expect("path", "of")
    token = parser.now
    least = most = parse_number(parser)
    if parser.take("to"):
        token = parser.now
        most = parse_number(parser)
    if isinstance(most, t.Num) and most.value > t.PATH_STEPS:
        raise Mistake("too-large", token, f"a path has at most {t.PATH_STEPS} steps")
    _ = parser.take("steps") or parser.take("step")
    it = parser.scope.new_it(t.SPACE)
    made = t.PathSpec(least, most, straight, None, None, it.name)
    parser.scope.locals["from"] = t.SPACE
    with parser.scope.about(it):
        while True:
            parser.take(",")
            if parser.take("through"):
                made.through = parse_check(parser)
            elif parser.take("ending", "where"):
                made.ending = parse_check(parser)
            else:
                break
    return made


def strategy(bodies: Bodies, strategy: StrategySym, d: Definition) -> None:
    scope = Scope(self=t.ACTOR)
    lines = d.lines_of("do")
    strategy.body = field_block(bodies, lines, scope)
    for field in d.fields:
        if field.key.lower() == "prefer":
            for line in field.lines:
                if line.text.strip():
                    _prefer(bodies, strategy, line)
        elif field.key.lower() == "value":
            _value(bodies, strategy, field)


def _value(bodies: Bodies, strategy: StrategySym, field: FieldText) -> None:
    """What a position is worth; it is the same whoever plays it, so a book says it once."""
    if not strategy.seat:
        words = f"'{strategy.name}' plays no seat, so nobody asks it what a position is worth"
        bodies.problem("missing-part", field.first, words, "add `plays: a seat`")
    for other in bodies.symbols.strategies.values():
        if other.value is not None:
            words = "what a position is worth is said twice"
            bodies.problem("duplicate-name", field.first, words, f"'{other.name}' says it already")
    strategy.value = field_number(bodies, field.lines, Scope(self=t.ACTOR))


def _prefer(bodies: Bodies, strategy: StrategySym, line: Line) -> None:
    """`ACTION`, `"label"`, `pass` or `any NOUN`, then `where CHECK` and a preference."""
    scope = Scope(self=t.ACTOR)
    parser = parser_over(bodies, [line], scope)
    with reported(bodies.problems):
        made = _preferred(bodies, parser)
        it = scope.new_it(made.type or t.ACTOR)
        made.it = it.name
        scope.locals[it.name] = made.type or t.ACTOR
        for p in made.action.params[:1] if made.action is not None else ():
            scope.locals[norm(p.name).lower()] = p.type
        with scope.about(it):
            if parser.take("where"):
                made.where = parse_check(parser)
            if parser.take("with"):
                made.prefs = preference_list(parser, it)
        end(parser)
        made.line = line.number
        strategy.prefers.append(made)


def _preferred(bodies: Bodies, parser: Cursor) -> t.Prefer:
    if parser.now.kind == "string":
        label = parser.next().text[1:-1]
        actions = (*bodies.symbols.actions.values(), *bodies.symbols.face_actions.values())
        declared = [x for a in actions for x in a.declares if norm(x.name) == norm(label)]
        noun = parse_noun(parser) if parser.take("any") else None
        return t.Prefer(None, label, noun[1] if noun else declared[0].type if declared else "", "")
    if parser.now.is_("pass", "decline"):
        return t.Prefer(None, parser.next().text, "", "")
    if parser.take("any"):
        noun = parse_noun(parser)
        if noun is None:
            raise parser.unknown("sort of thing", ["card", "actor", "space"])
        return t.Prefer(None, "", noun[1], "")
    name = parser.need(ACTION)
    action = bodies.symbols.actions[name]
    return t.Prefer(action, "", action.declares[0].type if action.declares else "", "")
