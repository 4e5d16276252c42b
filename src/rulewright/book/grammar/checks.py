"""Tokens -> checks: comparisons, predicates of things, some and no, AND, OR, not.

In:  the grammar of numbers, things and selectors.
Out: t.Cond_ nodes.
"""

from __future__ import annotations

from dataclasses import replace

from rulewright.book import tree as t
from rulewright.book.grammar import closed
from rulewright.book.grammar.calls import component_call
from rulewright.book.grammar.cursor import Cursor
from rulewright.book.grammar.dispatch import (
    parse_number,
    parse_selector,
    parse_thing,
    place,
    placed,
    reads,
    tried,
)
from rulewright.book.grammar.forms import Reader, form, forms
from rulewright.book.grammar.nouns import adjective, word_test
from rulewright.book.grammar.otherwise import CHECKS, half, instead
from rulewright.book.grammar.relations import TESTS, inside, map_zone
from rulewright.book.grammar.scope import COMPARE, Mistake
from rulewright.book.grammar.things import coordinates
from rulewright.book.grammar.wording import check_phrase
from rulewright.book.grammar.words import quoted_feature, status_name
from rulewright.book.index import ACTOR, COMPONENT, FEATURE, OPTION, TEMPLATE, WORD_OF
from rulewright.book.symbols import norm
from rulewright.book.text.tokens import DICE, END, MARK, NEWLINE, NUMBER, STRING, WORD, Token


# ------------------------------------------------------------ checks
@reads("check")
def read_check(p: Cursor) -> t.Cond_:
    """or := and { OR and }"""
    parts = [_and(p)]
    while closed.joins(p, "or") and not p.ahead().is_("else"):
        p.next()
        parts.append(_and(p))
    return t.joined(t.Either, parts)


def _and(p: Cursor) -> t.Cond_:
    start, parts = p.at, [_unit(p)]
    while closed.joins(p, "and"):
        p.next()
        parts.append(_unit(p))
    return place(p, start, t.Both(parts)) if len(parts) > 1 else parts[0]


@placed
def _unit(p: Cursor) -> t.Cond_:
    token = p.now
    if closed.denies(p):
        listed = check_phrase(p)
        if listed is not None:
            return listed
        raise p.fail("unexecutable", "there is no 'not' before a condition; turn the comparison round")
    if p.take("not"):
        return t.Never(_unit(p))
    if token.is_("#"):
        return _called(p)
    phrase = check_phrase(p)
    if phrase is not None:
        return phrase
    if closed.only_phrases(p) and not _core_check_ahead(p):
        raise p.fail("unexecutable", f"'{_words_here(p)}' is no condition that this book knows", token)
    if token.is_("some", "no", "any") or (token.is_("there") and p.ahead().is_("is")):
        p.take("there", "is")
        negative = p.now.is_("no")
        found = t.Exists(parse_selector(p, default="some"))
        if p.now.is_("is", "are", "has") and not closed.only_phrases(p):
            words = f"what '{token.text}' looks for is described before, not behind"
            raise p.fail(
                "unexecutable", words, help=instead(CHECKS, token) or f"write `{token.text} X where ..`"
            )
        return t.Never(found) if negative else found
    if token.is_("every", "each"):
        return _of_every(p)
    running = _running(p)
    if running is not None:
        return running
    if token.is_("("):
        at = p.at
        spot = coordinates(p, None)
        p.at = at
        return _parenthesis(p) if spot is None else _about_thing(p)
    if number_starts(p):
        return _comparison(p)
    return _bare_check(p) or _option_is(p) or _about_thing(p)


def _called(p: Cursor) -> t.Cond_:
    """`#CHECK ..`; or what a component gives is compared."""
    token, at = p.now, p.at
    run = component_call(p)
    if run.component.kind == "Check":
        return t.RunCheck(run.component, run.self_, run.args)
    closed.calls_checks_only(p, token, run.component)
    p.at = at
    return _comparison(p) if run.component.gives == t.NUMBER else _about_thing(p)


@tried
def _option_is(p: Cursor) -> t.Cond_ | None:
    """`OPTION is WORD`"""
    option = p.name(OPTION)
    if option is None or not p.take("is"):
        return None
    negative = p.take("not")
    sym = p.symbols.options[option]
    word = p.among({norm(w) for w in sym.words})
    if word is None:
        raise p.unknown(f"word of {sym.name}", sym.words)
    found: t.Cond_ = t.OptionIs(option, next(i for i, w in enumerate(sym.words) if norm(w) == word))
    return t.Never(found) if negative else found


@tried
def _bare_check(p: Cursor) -> t.Cond_ | None:
    """A Check's name alone speaks of the thing looked at: `through Open`, `where Free`."""
    if not p.scope.it:
        return None
    it = p.scope.it[-1]
    found = p.name_of(COMPONENT, lambda c: c.kind == "Check")
    if found is not None and not p.now.is_("is", "of"):
        component = p.component_named(found)
        if len(component.params) == 1 and not component.implicit and component.params[0].type == it.type:
            return t.RunCheck(component, None, [it])
        if it.type == t.ACTOR and (component.implicit or not component.params):
            return t.RunCheck(component, it, [])
    return None


def number_or_thing(p: Cursor) -> t.Num_ | t.Thing_:
    """Whichever it is; in parentheses both can stand."""
    if number_starts(p):
        return parse_number(p)
    if not p.now.is_("("):
        return parse_thing(p)
    at = p.at
    try:
        return parse_number(p)
    except Mistake as mistake:
        p.at = at
        try:
            return parse_thing(p)
        except Mistake:
            raise mistake from None


def _core_check_ahead(p: Cursor) -> bool:
    """May words that are no phrase still begin a condition? Names of things may: `Scout is poisoned`."""
    token = p.now
    if token.is_("some", "no", "any", "roll", "max", "min", "abs", "not") or token.text[:1].isdigit():
        return True
    n = 0
    while p.ahead(n).kind in (WORD, NUMBER) and n < 12:
        if p.ahead(n).is_("is", "can", "has", "sees", "lies", "runs", "lowers"):
            return True
        n += 1
    return False


def _words_here(p: Cursor) -> str:
    words: list[str] = []
    while (
        p.ahead(len(words)).kind not in (END, NEWLINE)
        and not p.ahead(len(words)).is_("AND", "OR", ",", ";", ")")
        and len(words) < 9
    ):
        words.append(p.ahead(len(words)).text)
    return " ".join(words)


def number_starts(p: Cursor) -> bool:
    return p.now.kind in (NUMBER, DICE) or p.now.is_("[", "-", "roll", "max", "min", "abs")


def _parenthesis(p: Cursor) -> t.Cond_:
    at = p.at
    try:
        p.expect("(")
        inner = read_check(p)
        p.expect(")")
        if p.now.is_(*COMPARE, "+", "-", "*", "/"):
            raise p.fail("unexecutable", "a check is not a number")
        return inner
    except Mistake as first:
        if first.code not in ("unexecutable", "type-mismatch"):
            raise
        p.at = at
        return _comparison(p)


def _comparison(p: Cursor) -> t.Cond_:
    left = parse_number(p)
    token = p.now
    if token.is_("is"):
        p.next()
        negative = p.take("not")
        found = _number_is(p, left)
        return t.Never(found) if negative else found
    if token.is_("==", "=>", "=<"):
        raise p.fail("unexecutable", f"'{token.text}' is no comparison; write '=', '>=' or '<='")
    if token.is_("+=", "-=", "*=", "/="):
        raise p.fail("unexecutable", "an assignment cannot stand in a check")
    if token.kind != MARK or token.text not in COMPARE:
        words = f"expected a comparison, found '{token.text or 'the end of the line'}'"
        raise p.fail("unexecutable", words, help=half(p.tokens, left.written[0]) if left.written else "")
    p.next()
    right = parse_number(p)
    if p.now.kind == MARK and p.now.text in COMPARE:
        raise p.fail("unexecutable", "a comparison cannot be chained; join two with AND")
    return t.Compare(COMPARE[token.text], closed.final(p, left, token), closed.final(p, right, token))


def _number_is(p: Cursor, left: t.Num_) -> t.Cond_:
    parts: list[t.Cond_] = []
    while True:
        if p.now.is_("between"):
            raise p.fail("unexecutable", "a range goes without 'between'", help=instead(CHECKS, p.now))
        low = parse_number(p)
        if p.take("to"):
            parts.append(t.Both([t.Compare(">=", left, low), t.Compare("<=", left, parse_number(p))]))
        elif p.take("or", "more"):
            parts.append(t.Compare(">=", left, low))
        elif p.take("or", "less"):
            parts.append(t.Compare("<=", left, low))
        else:
            parts.append(t.Compare("==", left, low))
        if p.now.is_(",") and p.ahead().kind == NUMBER:
            p.next()
            continue
        if p.now.is_("or") and p.ahead().kind == NUMBER:
            p.next()
            continue
        return t.joined(t.Either, parts)


def _of_every(p: Cursor) -> t.Cond_:
    """`every SELECTOR has CHECK`, `every SELECTOR is ..`: nobody for whom it does not hold. As after `where`,
    a bare number is the candidate's, and what follows belongs to it, AND and OR included."""
    token = p.now
    selector = parse_selector(p, default="every")
    it = t.TLocal(selector.it, selector.type)
    with p.scope.about(it):
        if p.now.is_("has", "have") and not _has_itself(p):
            p.next()
            inner = read_check(p)
        else:
            inner = _joined(p, _about(p, it, token))
    return t.Never(t.Exists(replace(selector, tests=[*selector.tests, t.Never(inner)])))


def _has_itself(p: Cursor) -> bool:
    """`has FEATURE`, `has a seat`: said of each, and no check of its own."""
    said = p.ahead().is_("a", "no") and p.ahead(2).is_("seat", "starting")
    if said or p.ahead().is_("feature") or p.ahead().kind == STRING:
        return True
    p.at += 1
    found = p.peek_name(FEATURE) is not None
    p.at -= 1
    return found


def _joined(p: Cursor, first: t.Cond_) -> t.Cond_:
    """A check that has been read, with the AND and OR that follow it."""
    either: list[list[t.Cond_]] = [[first]]
    while closed.joins(p, "and") or closed.joins(p, "or"):
        if p.next().text.lower() == "or":
            either.append([])
        either[-1].append(_unit(p))
    parts = [t.joined(t.Both, both) for both in either]
    return t.joined(t.Either, parts)


@tried
def _running(p: Cursor) -> t.Cond_ | None:
    """`Attack is running`, `Attack is not running`"""
    name = p.name_of(COMPONENT, lambda c: c.kind == "Sequence")
    if name is not None and p.take("is", "running"):
        return t.IsRunning(p.component_named(name))
    if name is not None and p.take("is", "not", "running"):
        return t.Never(t.IsRunning(p.component_named(name)))
    return None


def _about_thing(p: Cursor) -> t.Cond_:
    token = p.now
    try:
        thing = parse_thing(p)
    except Mistake as mistake:
        help_ = instead(CHECKS, token) or half(p.tokens, token)
        if help_ and mistake.token is token:
            raise p.fail("unexecutable", f"'{token.text}' begins no check", token, help_) from None
        raise
    return _about(p, thing, token)


def _about(p: Cursor, thing: t.Thing_, token: Token) -> t.Cond_:
    """What is said of a thing."""
    read = SAID.get(p.now.text) if p.now.kind == WORD else None
    said = read(p, thing) if read is not None else None
    if said is not None:
        return said
    if p.take("sees"):
        goal = parse_thing(p, t.SPACE)
        p.expect("unless")
        it = p.scope.new_it(t.SPACE)
        with p.scope.about(it):
            past = read_check(p)
        return t.Sees(thing if thing.type == t.SPACE else t.SpaceOf(thing), goal, it.name, past)
    if not p.now.is_("is", "are", "has"):
        if p.now.kind == WORD and p.tokens[p.at - 1] is token:
            words = f"after '{token.text}' a check does not go on with '{p.now.text}'"
            help_ = "it goes on with `is`, `is not`, `has`, `sees`, `can perform`"
            raise p.fail("unexecutable", words, help=help_)
        words = f"'{token.text}' does not begin a check that this book knows"
        raise p.fail("unexecutable", words, token, instead(CHECKS, p.now) or half(p.tokens, token))
    has = p.next().text == "has"
    if has:
        p.take("feature")
        feature = quoted_feature(p) if p.now.kind == STRING else p.name(FEATURE)
        if feature is not None:
            return t.HasFeature(thing, p.symbols.features[feature].index)
    negative = p.take("not")
    parts = [_predicate(p, thing)]
    while (p.now.is_(",") and _predicate_follows(p, 1)) or (p.now.is_("or") and _predicate_follows(p, 1)):
        p.next()
        p.take("or")
        parts.append(_predicate(p, thing))
    found: t.Cond_ = t.joined(t.Either, parts)
    return t.Never(found) if negative else found


def _predicate_follows(p: Cursor, skip: int) -> bool:
    at = p.at
    p.at += skip
    p.take("or")
    _ = p.take("a") or p.take("an")
    word = p.now
    ok = word.kind == WORD and word.text[:1].isupper() and word.text not in ("AND", "OR")
    if ok:
        n = 0
        while p.ahead(n).kind in (WORD, NUMBER) and not p.ahead(n).is_("is", "AND", "OR", "and"):
            n += 1
        ok = not p.ahead(n).is_("is") and not p.ahead(n).is_("of")
    p.at = at
    return ok


def _predicate(p: Cursor, thing: t.Thing_) -> t.Cond_:
    article, word = p.take("a") or p.take("an") or p.take("the"), p.now
    read = PREDICATES.get(word.text) if word.kind == WORD else None
    if (word.is_("at", "on") and thing.type != t.ACTOR) or (article and not word.is_("ally", "enemy")):
        read = None
    return (read(p, thing) if read is not None else None) or _predicate_name(p, thing)


def _inside(p: Cursor, thing: t.Thing_) -> t.Cond_:
    """`in ZONE`, `in ORDER`, `in ZONE-OF-THE-MAP`"""
    found = inside(p)
    match found:
        case ("zone", args):
            return t.InZone(thing, *args)
        case ("order", args):
            return t.Compare(">=", t.Rank(thing, *args), t.Num(0, "-"))
        case _:
            p.next()
    zone = map_zone(p)
    if zone is None:
        raise p.unknown("zone", [z.name for z in p.symbols.zones.values()])
    return t.Within(thing, *zone)


SAID: dict[str, Reader] = {
    "runs": form("runs #{component}", lambda action, component: t.Runs(action, component, None)),
    "lowers": form("lowers [Target {resource}]", lambda action, resource: t.Runs(action, None, resource)),
    "is": forms(form("is aimed", lambda action: t.Runs(action, None, None)), form("is a copy", t.IsCopy)),
    "lies": form("lies in {area}", t.InArea),
    "can": forms(
        form("can pay for {some action}", t.CanPay),
        form("can perform {action} {on {thing}|}", t.CanPerform),
        form("can become {status}", t.CanBecome),
    ),
    "has": forms(
        form("has a starting [{resource}]", lambda thing, resource: t.HasStart(resource, thing)),
        form("has a seat", t.HasSeat),
        form("has no seat", lambda thing: t.Never(t.HasSeat(thing))),
    ),
}
"""What is said of a thing, by its first word."""
PREDICATES: dict[str, Reader] = {
    "none": form("none", lambda thing: t.Same(thing, t.TConst(thing.type, -1))),
    "in": forms(form("in play", t.InPlay), _inside),
    "out": form("out of play", lambda thing: t.Never(t.InPlay(thing))),
    "laid": form("laid", t.IsLaid),
    **TESTS,
    "ally": forms(
        form("ally of {actor}", lambda thing, other: t.Both([t.IsAlly(thing, other), t.InPlay(thing)])),
        form("ally {self}", t.IsAlly),
    ),
    "enemy": form("enemy {of {actor}|{self}}", lambda thing, other: t.Never(t.SameSide(thing, other))),
}
"""What a thing is, by its first word; all else are names."""


def _predicate_name(p: Cursor, thing: t.Thing_) -> t.Cond_:
    if thing.type == t.ACTOR:
        status = status_name(p)
        if status is not None:
            return t.HasStatus(thing, p.symbols.statuses[status].index)
        whole = p.at + max((length for length, _ in p.here(ACTOR)), default=0)
        at = p.at
        template = p.name(TEMPLATE)
        if template is not None and p.now.kind == NUMBER and whole <= at:
            found = p.symbols.templates[template]
            words = f"there is no '{found.name} {p.now.text}': its box holds {found.box}"
            raise p.fail("unknown-name", words)
        if template is not None and p.at >= whole:
            return t.IsA(thing, p.symbols.templates[template].index)
        p.at = at  # one of them by name: `Wolf 2`, not any Wolf
    probe = t.TLocal("probe", thing.type)
    at = p.at
    found = adjective(p, probe)
    if found is not None and found is not True and found is not False:
        inner = found.part if isinstance(found, t.Never) else found
        if isinstance(inner, t.IsWord):
            test = _best_word(p, thing, at)
            if test is not None:
                return test
        elif isinstance(inner, t.RunCheck):
            return t.RunCheck(
                inner.component, thing if not inner.args else None, [thing] if inner.args else []
            )
        elif isinstance(inner, t.Compare) and isinstance(inner.left, t.ReadColumn):
            return t.Compare("!=", t.ReadColumn(inner.left.list, inner.left.column, thing), t.Num(0, "-"))
    p.at = at
    if t.nature(thing.type) != thing.type:
        printed = _best_word(p, thing, at)
        if printed is not None:
            return printed
        p.at = at
    try:
        other = parse_thing(p, thing.type if thing.type not in ("none", "?") else None)
    except Mistake as mistake:
        if thing.type != t.ACTOR or mistake.token is not p.tokens[at] or mistake.code != "unknown-name":
            raise
        p.at = at
        raise p.unknown("actor", _said_of_actors(p)) from None
    return t.Same(thing, other)


def _said_of_actors(p: Cursor) -> list[str]:
    """Names that may stand after `X is`."""
    s = p.symbols
    checks = [c.name for c in p.components.values() if c.kind == "Check"]
    words = [word for table in (*s.lists.values(), s.sides, s.terrains) for word in table.words]
    statuses, templates = ([x.name for x in found.values()] for found in (s.statuses, s.templates))
    return [*(a.name for a in s.actors), *p.scope.locals, *statuses, *templates, *checks, *words]


def _best_word(p: Cursor, thing: t.Thing_, at: int) -> t.Cond_ | None:
    """The word may be in several lists: take the list that fits the thing."""
    p.at = at
    for length, entry in p.here(WORD_OF):
        made = word_test(p, thing, entry.owner, entry.symbol) if entry.owner != t.STATUS else None
        if made is not None:
            p.at += length
            return made
    return None
