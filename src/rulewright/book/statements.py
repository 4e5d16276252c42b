"""Tokens -> statements, blocks, moments.

In:  tokens of a body.
Out: a Block of statements; each mistake becomes one diagnostic and the rest of its line is skipped,
     so that one run reports many.
"""

from __future__ import annotations

import re

from rulewright.book import tree as t
from rulewright.book.journeys import Journeys
from rulewright.book.parser import Mistake, Parser, Scope
from rulewright.book.phrases import AFTER_EFFECT, BEHAVIOR, EFFECT
from rulewright.book.symbols import Symbols, norm
from rulewright.book.tokens import DEDENT, END, INDENT, NEWLINE, NUMBER, STRING, WORD, Token
from rulewright.diagnostics import Diagnostic

ASSIGN = ("=", "+=", "-=", "*=", "/=")


class Statements(Journeys):
    """The grammar of bodies."""

    def __init__(
        self, tokens: list[Token], symbols: Symbols, scope: Scope, problems: list[Diagnostic]
    ) -> None:
        super().__init__(tokens, symbols, scope)
        self.problems = problems

    # ------------------------------------------------------------ blocks
    def body(self) -> t.Block_:
        """Everything there is."""
        made: t.Block_ = []
        while self.now.kind != END:
            if self.now.kind in (NEWLINE, INDENT, DEDENT) or self.now.is_(",", ";", "."):
                self.next()
                continue
            self._one(made)
        return made

    def _one(self, made: t.Block_) -> None:
        """One statement; on a mistake report it and skip the line."""
        try:
            made.append(self.statement())
            if self.now.kind not in (NEWLINE, INDENT, DEDENT, END) and not self.now.is_(
                ",", ";", ".", "else"
            ):
                raise self.fail("unexecutable", f"'{self.now.text}' does not fit here")
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)
            self._skip()

    def _skip(self) -> None:
        """To the end of the line, or to where another effect surely begins."""
        depth = 0
        while self.now.kind != END:
            if depth == 0 and self.now.kind == NEWLINE:
                return
            if self.symbols.frameworks and self.now.is_(",", ";") and self.ahead().is_("[", "#"):
                return
            if self.now.kind == INDENT:
                depth += 1
            if self.now.kind == DEDENT:
                depth -= 1
                if depth < 0:
                    return
            self.next()

    def block(self) -> t.Block_:
        """After a colon: the rest of the line and the deeper lines under it."""
        made: t.Block_ = []
        while self.now.kind not in (NEWLINE, INDENT, DEDENT, END) and not self.now.is_("else"):
            if self.now.is_(",", ";", "."):
                self.next()
                continue
            if self.now.kind == STRING and self.ahead().is_(":", "if"):
                break
            self._one(made)
        if self.now.kind == INDENT and self.ahead().kind == STRING and self.ahead(2).is_(":", "if"):
            return made  # the next option of a choose whose first one stands on the line above
        if self.now.kind == INDENT:
            self.next()
            self._lines(made)
        return made

    def _lines(self, made: t.Block_) -> None:
        """The statements of an indented block, up to its end."""
        while self.now.kind not in (DEDENT, END):
            if self.now.kind in (NEWLINE, INDENT) or self.now.is_(",", ";", "."):
                self.next()
                continue
            self._one(made)
        if self.now.kind == DEDENT:
            self.next()

    # ------------------------------------------------------------ one statement
    def statement(self) -> t.Stmt_:
        """Any statement."""
        token = self.now
        line = token.line
        wording = self._phrase_here()
        if wording is not None:
            return t.Inline(wording, line)
        if token.is_("["):
            return self._assignment()
        if token.is_("#"):
            return self._run()
        if token.kind == STRING:
            return self._say(self.next().text[1:-1], line)
        if token.kind == WORD:
            method = getattr(self, "_s_" + token.text, None) if token.text in KEYWORDS else None
            if method is not None and self._keyword_means_it(token):
                self.next()
                return method(line)
        phrase = self.sentence(("Effect", "Sequence"))
        if phrase is not None:
            return t.RunStmt(phrase, None, line)
        return self._of_actor(line)

    def _phrase_here(self) -> t.Block_ | None:
        """What a phrase of the book's framework stands for."""
        if self.now.core or not self.symbols.phrases or self.now.is_("[", "#"):
            return None
        at = self.now
        tokens = self.phrase(BEHAVIOR, AFTER_EFFECT) if self.scope.behavior else None
        tokens = tokens or self.phrase(EFFECT, AFTER_EFFECT)
        if tokens is None:
            return None
        found: list[Diagnostic] = []
        made = Statements(tokens, self.symbols, self.scope, found).body()
        own = [d for d in found if (d.span.line, d.span.column) != (at.line, at.column + 1)]
        self.problems += own or found[:1]  # a mistake in a slot, else one for the phrase itself
        return made

    def _keyword_means_it(self, token: Token) -> bool:
        """`move`, `end` and friends may also begin a phrase of the book; the longer phrase wins."""
        at = self.at
        phrase = self.sentence(("Effect", "Sequence"))
        self.at = at
        return phrase is None

    def _assignment(self) -> t.Stmt_:
        token = self.now
        target = self.bracket()
        op = self.now
        if op.is_("<", "<=", ">", ">=", "!=", "=="):
            raise self.fail("unexecutable", "a comparison is no statement")
        if op.text not in ASSIGN:
            raise self.fail(
                "unexecutable", f"expected '=', '+=' or '-=', found '{op.text or 'the end of the line'}'"
            )
        if not isinstance(target, (t.ReadRes, t.ReadLocal, t.ReadKept, t.StatusNum)):
            raise Mistake("wrong-kind", token, "this number is computed and cannot be set")
        if isinstance(target, t.ReadRes) and (target.maximum or target.stored):
            raise Mistake("wrong-kind", token, "this number is computed and cannot be set")
        self.next()
        value = self.final(self.number(), op)
        until, count = self._until()
        return t.SetNumber(target, op.text, value, until, count, token.line)

    def _run(self) -> t.Stmt_:
        line = self.now.line
        at = self.at
        self.next()
        name = self.name(self.components)
        if name is not None and self.now.is_("on") and self.ahead().is_("each", "every"):
            self.next()
            selector = self.selector()
            component = self.component_named(name)
            args = self.arguments(component) if self.take("with") else []
            self.count_args(component, args)
            it = t.TLocal(selector.it, t.ACTOR)
            return t.RunStmt(t.Run(component, it, args, line), selector, line)
        self.at = at
        run = self.component_call(("Effect", "Table", "Sequence", "Value"))
        return t.RunStmt(run, None, line)

    def _say(self, text: str, line: int) -> t.Stmt_:
        args: list[object] = []
        out: list[str] = []
        for piece in re.split(r"(\{[^{}]*\})", text):
            if piece.startswith("{") and piece.endswith("}") and len(args) < 3:
                inner = self._inner(piece[1:-1], line)
                if inner is not None:
                    out.append(f"{{{len(args)}}}")
                    args.append(inner)
                    continue
            out.append(piece)
        return t.Say("".join(out), args, line)

    def _inner(self, text: str, line: int) -> object | None:
        from rulewright.book.source import Line
        from rulewright.book.tokens import tokenize

        file = self.tokens[0].file
        parser = Parser(tokenize([Line(file, line, 0, text)], []), self.symbols, self.scope)
        return parser.number() if text.strip().startswith("[") else parser.thing()

    def _of_actor(self, line: int) -> t.Stmt_:
        """`X becomes ...`, `X may ...`, `X chooses ...`, `X controls ...`"""
        token = self.now
        try:
            every = None
            if token.is_("every", "each"):
                every = self.selector()
                who: t.Thing_ = t.TLocal(every.it, every.type)
            else:
                who = self.thing()
        except Mistake:
            raise Mistake(
                "unexecutable", token, f"'{self._rest(token)}' is no statement that this book knows"
            ) from None
        made: t.Stmt_
        if self.take("becomes") or self.take("become"):
            made = self._becomes(who, line)
        elif self.take("may"):
            made = self._may(who, line)
        elif self.take("chooses") or self.take("choose"):
            made = self._choose(who, line)
        elif self.take("controls"):
            whom = self.thing(t.ACTOR)
            until, _ = self._until()
            made = t.Simple("control", [who, whom, until], line)
        elif self.take("gains"):
            made = self._gain(who, line)
        elif self.take("loses"):
            made = self._lose(who, line)
        else:
            raise Mistake(
                "unexecutable", token, f"'{self._rest(token)}' is no statement that this book knows"
            )
        return t.ForEach(every, [made], line) if every is not None else made

    def _rest(self, token: Token) -> str:
        words = [x.text for x in self.tokens if x.line == token.line and x.column >= token.column]
        return " ".join(words[:8])

    # ------------------------------------------------------------ keywords
    def _s_set(self, line: int) -> t.Stmt_:
        token = self.now
        if token.is_("["):
            raise self.fail("unexecutable", "numbers are set with '='; `set` is for things")
        if self.take("the", "map", "to"):
            name = self.name(self.symbols.maps)
            if name is None:
                raise self.unknown("map", [m.name for m in self.symbols.maps.values()])
            return t.Simple("map", [self.symbols.maps[name].index], line)
        if token.kind == WORD and self.scope.local(token.text) is None and self.ahead().is_("to"):
            held = {norm(r.name).lower() for r in self.resources.values() if r.holds}
            if norm(token.text).lower() not in held:
                raise self.unknown("thing", list(self.scope.locals))
        target = self._simple_thing(None)
        if not isinstance(target, (t.TLocal, t.THold, t.TKept)):
            if isinstance(target, t.TBuiltin) and target.what in ("facing", "terrain", "side"):
                self.expect("to")
                return t.Simple("set " + target.what, [*target.args, self.thing(target.type)], line)
            raise Mistake(
                "wrong-kind", token, "only a local, a parameter or a resource that holds a thing can be set"
            )
        self.expect("to")
        return t.SetThing(target, self.thing(target.type), line)

    def _s_let(self, line: int) -> t.Stmt_:
        if self.take("["):
            words: list[str] = []
            while not self.now.is_("]"):
                if self.now.kind not in (WORD, NUMBER):
                    raise self.fail("unexecutable", "a local number is a name in brackets")
                words.append(self.next().text)
            self.expect("]", "=")
            name = norm("".join(words)).lower()
            who = None
            if self.take("choose") or (who := self._decider()) is not None:
                made = self._let_choose(name, line, who)
                self.scope.numbers.add("".join(words))
                return made
            value = self.number()
            self.scope.locals[name] = t.NUMBER
            self.scope.numbers.add("".join(words))
            self._alias(words, name)
            return t.SetNumber(t.ReadLocal(name), "=", value, None, None, line)
        name = self.next().text
        self.expect("=")
        low = name.lower()
        if self.now.is_("roll"):
            return self._let_tally(low, line)
        if self.now.is_("choose") and self.walk_ahead(2):
            self.next()
            return self.let_way(low, None, line)
        if self.take("choose"):
            return self._let_choose(low, line, None)
        who = self._decider()
        if who is not None:
            return self.let_way(low, who, line) if self.walk_ahead(1) else self._let_choose(low, line, who)
        value = self.thing()
        type_ = value.component.gives if isinstance(value, t.Run) else value.type
        self.scope.locals[low] = type_
        return t.SetThing(t.TLocal(low, type_), value, line)

    def _alias(self, words: list[str], name: str) -> None:
        self.scope.locals[norm("".join(words)).lower()] = t.NUMBER

    def _s_give(self, line: int) -> t.Stmt_:
        at = self.at
        if self._number_starts() or self.now.is_("("):
            try:
                return t.Give(self.number(), line)
            except Mistake as mistake:
                if not self.tokens[at].is_("(") or mistake.code != "type-mismatch":
                    raise
                self.at = at
        return t.Give(self.thing(), line)

    def _s_perform(self, line: int) -> t.Stmt_:
        local = self._local_thing()
        if local is None:
            held = self._held(None)
            local = held
        if local is not None:
            target = self.thing() if self.take("on") else None
            return t.Perform(None, local, target, None, line)
        name = self.name(self.symbols.actions)
        if name is None:
            raise self.unknown("action", [a.name for a in self.symbols.actions.values()])
        self.take("action")
        target = self.thing() if self.take("on") else None
        if isinstance(target, t.TSelect) and self.symbols.frameworks:
            one = t.TLocal(target.selector.it, target.selector.type)
            target.selector.tests.append(t.CanPerform(self.me(), self.symbols.actions[name], one))
        return t.Perform(self.symbols.actions[name], None, target, None, line)

    def _s_if(self, line: int) -> t.Stmt_:
        test = self.check()
        self.expect(":")
        then = self.block()
        orelse: t.Block_ = []
        at = self.at
        while self.now.kind == NEWLINE:
            self.next()
        if self.take("else"):
            if self.now.is_("if"):
                inner = self.now.line
                self.next()
                orelse = [self._s_if(inner)]
            else:
                self.expect(":")
                orelse = self.block()
        else:
            self.at = at
        return t.IfStmt(test, then, orelse, line)

    def _s_repeat(self, line: int) -> t.Stmt_:
        if self.take("while"):
            test = self.check()
            self.expect(":")
            return t.Repeat(None, test, self.block(), line)
        sequence = self.sequence_name()
        if isinstance(sequence, t.Component):
            args = self.arguments(sequence) if self.take("with") else []
            return t.Simple("restart", [sequence, args], line)
        times = self.number()
        self.expect("times")
        if self.take("over"):
            return self.over(times, line)
        self.expect(":")
        return t.Repeat(times, None, self.block(), line)

    def _s_for(self, line: int) -> t.Stmt_:
        self.expect("each")
        selector = self.selector(default="each")
        self.expect(":")
        self.scope.it.append(t.TLocal(selector.it, selector.type))
        try:
            body = self.block()
        finally:
            self.scope.it.pop()
        return t.ForEach(selector, body, line)

    def _s_stop(self, line: int) -> t.Stmt_:
        return t.Stop(line)

    def _s_end(self, line: int) -> t.Stmt_:
        if self.take("the", "match", "with"):
            token = self.now
            if token.kind == STRING:
                name = self.next().text[1:-1]
            else:
                found = self.name({norm(e) for e in self.symbols.endings})
                if found is None:
                    raise self.unknown("ending", self.symbols.endings)
                name = found
            index = next((i for i, e in enumerate(self.symbols.endings) if norm(e) == norm(name)), -1)
            if index < 0:
                raise Mistake("unknown-name", token, f"no ending is called '{name}'")
            winner = None
            everyone = ""
            if self.take("won", "by"):
                if self.take("everyone"):
                    everyone = "win"
                else:
                    winner = self.thing()
            elif self.take("lost", "by", "everyone"):
                everyone = "loss"
            elif self.now.is_(",") and self.ahead().is_("a") and self.ahead(2).is_("draw"):
                self.at += 3
                everyone = "draw"
            return t.EndMatch(index, winner, everyone, line)
        sequence = self.sequence_word()
        return t.EndSeq(sequence, None, line)

    def _s_skip(self, line: int) -> t.Stmt_:
        self.expect("to")
        token = self.now
        steps: dict[str, list[tuple[t.Component, int]]] = {}
        for component in self.components.values():
            for n, (name, _, _) in enumerate(component.steps):
                steps.setdefault(norm(name), []).append((component, n))
        name = self.name(steps)
        if name is None:
            raise self.unknown("step", list(steps), token)
        found = steps[name]
        if self.take("of"):
            sequence = self.sequence_word()
            found = [(c, n) for c, n in found if c is sequence]
        elif self.scope.sequence is not None:
            own = [(c, n) for c, n in found if c is self.scope.sequence]
            found = own or found
        if len(found) != 1:
            raise Mistake("unknown-name", token, f"say of which sequence: `skip to {name} of ...`")
        return t.EndSeq(found[0][0], found[0][1], line)

    def _s_say(self, line: int) -> t.Stmt_:
        if self.now.kind != STRING:
            raise self.fail("missing-part", "say needs a text in quotation marks")
        return self._say(self.next().text[1:-1], line)

    def _s_first(self, line: int) -> t.Stmt_:
        self.expect("possible", ":")
        lines: list[tuple[t.Cond_ | None, t.Block_]] = []
        if self.now.kind == INDENT:
            self.next()
        while self.now.kind not in (DEDENT, END):
            if self.now.kind == NEWLINE:
                self.next()
                continue
            test = None
            if self.take("if"):
                test = self.check()
                self.expect(":")
            made: t.Block_ = []
            while self.now.kind not in (NEWLINE, DEDENT, END, INDENT):
                if self.now.is_(",", ";"):
                    self.next()
                    continue
                self._one(made)
            if self.now.kind == INDENT:
                made += self.block()
            lines.append((test, made))
        if self.now.kind == DEDENT:
            self.next()
        return t.FirstPossible(lines, line)

    def _s_none(self, line: int) -> t.Stmt_:
        return t.Simple("nothing", [], line)

    # ------------------------------------------------------------ moments


KEYWORDS = frozenset(
    "set let give perform if repeat for stop choose window act move create destroy shuffle build reveal"
    " swap turn walk put take remove add clear sort end skip say first lay as settle free forget"
    " expire undo".split()
)
