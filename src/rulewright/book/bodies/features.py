"""Features written as sentences, and events: wording -> standing rules.

In:  Feature blocks of the campaign notation, events, the framework's phrases for them.
Out: t.Rules, one for each sentence, because each sentence may have its own condition.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.blocks.parts import Event
from rulewright.book.bodies.fields import field_block, field_check, field_number, said_check
from rulewright.book.bodies.rules import at_moment, forbids, modify
from rulewright.book.bodies.state import Bodies
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import parse_number
from rulewright.book.grammar.moments import hook_moment
from rulewright.book.grammar.scope import Scope, reported
from rulewright.book.index import RESOURCE
from rulewright.book.phrases import match as phrases
from rulewright.book.phrases.match import Captured, Phrase, expand
from rulewright.book.phrases.whole import TokenLines, flat, sifted, whole, worded
from rulewright.book.symbols import Symbols, norm
from rulewright.book.text.source import Definition, FieldText, Line
from rulewright.book.text.tokens import END, MARK, Token, nests, tokenize
from rulewright.book.walk import needs
from rulewright.diagnostics import Diagnostic


def sentences(d: Definition, problems: list[Diagnostic]) -> list[list[Token]]:
    """The tokens of a feature's lines, cut at full stops."""
    lines = d.lines_of("body")
    if not lines:
        return []
    found: list[list[Token]] = [[]]
    depth = 0
    for token in flat(lines, problems):
        depth += nests(token.text)
        if token.kind == END or (token.is_(".") and depth <= 0):
            if found[-1]:
                last = found[-1][-1]
                found[-1].append(Token(END, "", last.file, last.line, last.column + len(last.text)))
                found.append([])
            continue
        found[-1].append(token)
    return [x for x in found if x]


def marks(book: phrases.Book, d: Definition) -> list[str]:
    """What the feature makes a tile: its own marks and those of its sentences."""
    made = d.words_of("marks")
    for tokens in sentences(d, []):
        hit = whole(book, phrases.SENTENCE, tokens)
        for key, value in hit[0].fields if hit else ():
            if [k.text for k in key if k.kind != END] == ["marks"]:
                made += [x.text for x in value if x.kind == "word"]
    return list(dict.fromkeys(made))


def plural(captured: Captured, symbols: Symbols) -> Captured:
    """A sentence may leave out the plural s of a resource."""
    known = symbols.resources_for(True)
    made = dict(captured)
    for name, tokens in captured.items():
        joined = norm("".join(x.text for x in tokens))
        if name.startswith("resource") and joined not in known and joined + "s" in known:
            made[name] = [tokens[0]._replace(text=joined + "s")]
    return made


# ------------------------------------------------------------ sentences
def feature_sentences(bodies: Bodies, rules: t.Rules, d: Definition) -> None:
    """The sentences of one feature; the first uses the Rules that the feature has anyway."""
    number = t.TConst("Feature", rules.index)
    for tokens in sentences(d, bodies.problems):
        hit = worded(bodies.symbols, phrases.SENTENCE, tokens, "feature sentence", bodies.problems)
        if hit is None:
            continue
        made = t.Rules("feature", rules.index, rules.name, d, line=tokens[0].line, cites=d.cites)
        made.attached, made.applies, made.everywhere = rules.attached, rules.applies, rules.everywhere
        scope = Scope(self=t.ACTOR)
        scope.things = {"feature": number}
        before, bodies.problems = bodies.problems, []
        with reported(bodies.problems):
            fill(bodies, made, hit[0], plural(hit[1], bodies.symbols), tokens[0], scope)
        before += sifted(bodies.problems, tokens[0])
        bodies.problems = before
        bodies.symbols.rules.append(made)


def fill(bodies: Bodies, made: t.Rules, phrase: Phrase, captured: Captured, at: Token, scope: Scope) -> None:
    """The fields of a phrase as fields of standing rules."""
    action = Definition(made.name, "Action", Line(at.file, at.line, at.column, at.text), cites=made.cites)
    for key, value in phrase.fields:
        if not phrases.holds(value, captured):
            continue
        name = " ".join(x.text for x in key if x.kind != END).lower()
        lines = TokenLines(expand(value, captured, at))
        field = FieldText(name, lines)
        match name:
            case "marks" | "means":
                pass
            case "setting":
                made.setting = True
            case "while":
                made.while_ = field_check(bodies, lines, scope)
            case "modify":
                modify(bodies, made, field, scope)
            case "forbids":
                forbids(bodies, made, field)
            case "cap":
                _cap(bodies, made, lines, scope)
            case "hide":
                _hide(bodies, lines)
            case "requires" | "do" | "if" | "allowance":
                action.fields.append(field)
            case _:
                hook(bodies, made, expand(key, captured, at), lines, scope)
    made.setting = made.setting or any(m.how == "=" for m in made.modify)
    if action.get("do") is not None:
        _offer(bodies, made, action, scope)


def _moment(bodies: Bodies, key: list[Token], scope: Scope) -> t.Moment:
    end = Token(END, "", key[0].file, key[0].line, key[0].column)
    return hook_moment(Cursor([*key, end], bodies.symbols, scope, bodies.problems))


def hook(bodies: Bodies, made: t.Rules, key: list[Token], lines: TokenLines, scope: Scope) -> None:
    """`at step X of own Y: statements`, both as tokens."""
    moment = _moment(bodies, key, scope)
    inner = Scope(self=t.ACTOR)
    inner.things = scope.things
    body = field_block(bodies, lines, at_moment(inner, moment))
    hook = t.Hook(moment, body, lines[0].number, made.cites)
    if moment.own or needs(body, "self") or needs(made.while_, "self") or moment.kind.endswith("any"):
        made.hooks.append(hook)
    else:
        _nobody(bodies, made, hook)


def _nobody(bodies: Bodies, made: t.Rules, hook: t.Hook) -> None:
    """What speaks of nobody happens once, while the feature holds for anybody."""
    rules = t.Rules(
        "event", len(bodies.symbols.rules), made.name, made.definition, line=made.line, cites=made.cites
    )
    rules.hooks.append(hook)
    tests = [x for x in (made.while_,) if x is not None]
    if made.attached and not made.everywhere:
        one = t.TLocal("bearer of it", t.ACTOR)
        tests.append(
            t.Exists(t.Selector("some", "actor", t.ACTOR, one.name, tests=[t.HasFeature(one, made.index)]))
        )
    rules.while_ = t.joined(t.Both, tests) if tests else None
    bodies.symbols.rules.append(rules)


def _cap(bodies: Bodies, made: t.Rules, lines: TokenLines, scope: Scope) -> None:
    """`[R] at E`, or `[R] at starting value`"""
    parser = Cursor(lines.tokens, bodies.symbols, scope, bodies.problems)
    with reported(bodies.problems):
        parser.expect("[")
        name = parser.need(RESOURCE)
        resource = parser.resource_named(name)
        parser.expect("]", "at")
        if parser.take("starting", "value"):
            made.caps.append(t.Cap(resource, None))
            resource.settles = True
        else:
            made.caps.append(t.Cap(resource, t.Final(parse_number(parser))))


def _hide(bodies: Bodies, lines: TokenLines) -> None:
    parser = Cursor(lines.tokens, bodies.symbols, Scope(), bodies.problems)
    name = parser.name(RESOURCE)
    if name is None:
        bodies.problems.append(
            parser.unknown("resource", [r.name for r in parser.resources.values()]).diagnostic
        )
    else:
        parser.resource_named(name).seen = "owner"


def _offer(bodies: Bodies, made: t.Rules, d: Definition, scope: Scope) -> None:
    """A feature that offers something to do: an action that is nobody's own, legal while it holds."""
    action = t.ActionSym(made.name, "Offer", d, len(bodies.symbols.offers))
    action.offered = made
    action.requires = said_check(bodies, d, "requires", scope)
    action.test = said_check(bodies, d, "if", scope)
    field = d.get("do")
    assert field is not None
    action.do = field_block(bodies, field.lines, scope)
    allowance = d.get("allowance")
    if allowance is not None:
        action.allowance = field_number(bodies, allowance.lines, scope)
    bodies.symbols.offers.append(action)


# ------------------------------------------------------------ events
def event_rules(bodies: Bodies, event: Event, holds: t.Cond_, d: Definition) -> None:
    """An event of a map or encounter."""
    if not event.effect:
        return
    tokens = flat(event.trigger, bodies.problems)
    hit = worded(bodies.symbols, phrases.EVENT, tokens, "trigger of an event", bodies.problems)
    if hit is None:
        return
    # One more line is one more effect, whatever its indentation.
    effects = [
        Token(MARK, ",", x.file, x.line, x.column, True) if x.kind == "indent" else x
        for x in tokenize(event.effect, bodies.problems, True)
        if x.kind != "dedent"
    ]
    captured = {**hit[1], "effects": effects[:-1]}
    made = t.Rules("event", len(bodies.symbols.rules), event.name, d, line=event.line.number, cites=d.cites)
    made.while_ = holds
    scope = Scope(self=t.ACTOR)
    round_ = bodies.symbols.roles.round
    for key, value in hit[0].fields:
        lines = TokenLines(expand(value, captured, tokens[0]))
        nobody = round_ is not None and any(x.is_(round_.name) for x in key)
        if nobody:
            del scope.locals["self"]
            scope.nobody = made.nobody = True
        moment = _moment(bodies, expand(key, captured, tokens[0]), scope)
        body = field_block(bodies, lines, at_moment(scope, moment))
        made.hooks.append(t.Hook(moment, body, made.line, made.cites))
    bodies.symbols.rules.append(made)
