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
from rulewright.book.tokens import DEDENT, DICE, END, INDENT, NEWLINE, NUMBER, STRING, WORD, Token
from rulewright.diagnostics import Diagnostic

ASSIGN = ("=", "+=", "-=", "*=", "/=")


class Statements(Journeys, Parser):
    """The grammar of bodies."""

    def __init__(self, tokens: list[Token], symbols: Symbols, scope: Scope, problems: list[Diagnostic]) -> None:
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
            if self.now.kind not in (NEWLINE, INDENT, DEDENT, END) and not self.now.is_(",", ";", ".", "else"):
                raise self.fail("unexecutable", f"'{self.now.text}' does not fit here")
        except Mistake as mistake:
            self.problems.append(mistake.diagnostic)
            self._skip()

    def _skip(self) -> None:
        depth = 0
        while self.now.kind != END:
            if depth == 0 and self.now.kind == NEWLINE:
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
            while self.now.kind not in (DEDENT, END):
                if self.now.kind in (NEWLINE, INDENT) or self.now.is_(",", ";", "."):
                    self.next()
                    continue
                self._one(made)
            if self.now.kind == DEDENT:
                self.next()
        return made

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
        tokens = self.phrase(BEHAVIOR, AFTER_EFFECT) if self.scope.behavior else None
        tokens = tokens or self.phrase(EFFECT, AFTER_EFFECT)
        if tokens is None:
            return None
        return Statements(tokens, self.symbols, self.scope, self.problems).body()

    def _keyword_means_it(self, token: Token) -> bool:
        """`move`, `end` and friends may also begin a phrase of the book; the longer phrase wins."""
        at = self.at
        phrase = self.sentence(("Effect", "Sequence"))
        self.at = at
        return phrase is None

    def _until(self) -> tuple[t.Moment | None, t.Num_ | None]:
        if self.take("until"):
            return self.moment(), None
        if self.now.is_("for") and self.ahead().kind in (NUMBER,) and self.ahead(2).kind == WORD:
            self.next()
            count = self.number()
            sequence = self._sequence_word()
            return t.Moment("end", sequence, own=sequence.name == self._turn_name(), which="count"), count
        return None, None

    def _turn_name(self) -> str:
        return str(self.symbols.front.get("turn", "Turn"))

    def _assignment(self) -> t.Stmt_:
        token = self.now
        target = self.bracket()
        op = self.now
        if op.is_("<", "<=", ">", ">=", "!=", "=="):
            raise self.fail("unexecutable", "a comparison is no statement")
        if op.text not in ASSIGN:
            raise self.fail("unexecutable", f"expected '=', '+=' or '-=', found '{op.text or 'the end of the line'}'")
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
            component = self.components[name]
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
                    out.append("{%d}" % len(args))
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
            raise Mistake("unexecutable", token, f"'{self._rest(token)}' is no statement that this book knows") from None
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
            raise Mistake("unexecutable", token, f"'{self._rest(token)}' is no statement that this book knows")
        return t.ForEach(every, [made], line) if every is not None else made

    def _rest(self, token: Token) -> str:
        words = [x.text for x in self.tokens if x.line == token.line and x.column >= token.column]
        return " ".join(words[:8])

    def _becomes(self, who: t.Thing_, line: int) -> t.Stmt_:
        status = self.status_name()
        if status is None and who.type != t.SPACE:
            status = self.status()
        if status is None:
            terrain = self.name({norm(w) for w in self.symbols.terrains.words})
            if terrain is not None and who.type == t.SPACE:
                number = next(i for i, w in enumerate(self.symbols.terrains.words) if norm(w) == terrain)
                return t.Simple("terrain", [who, t.TConst("Terrain", number)], line)
            raise self.unknown("status", [s.name for s in self.symbols.statuses.values()])
        stacks: t.Num_ = t.Num(1, "stacks")
        turns: t.Num_ = t.Num(0, "turns")
        power: t.Num_ = t.Num(0, "power")
        by: t.Thing_ | None = None
        until: t.Moment | None = None
        count: t.Num_ | None = None
        if self.now.kind == NUMBER or self.now.is_("["):
            stacks = self.number()
        while True:
            if self.now.is_("for") and self._turns_follow():
                self.next()
                turns = self.number()
                self.next()
            elif self.take("with", "power"):
                power = self.number()
            elif self.take("by"):
                by = self.thing(t.ACTOR)
            elif self.now.is_("until", "for"):
                until, count = self._until()
                if until is None:
                    break
            else:
                break
        return t.Simple("status", [who, status, stacks, turns, power, by, until, count], line)

    def _turns_follow(self) -> bool:
        at = self.at
        self.next()
        try:
            self.number()
            ok = self.now.is_("turn", "turns")
        except Mistake:
            ok = False
        self.at = at
        return ok

    def _gain(self, who: t.Thing_, line: int) -> t.Stmt_:
        self.take("feature")
        key = self.name(self.symbols.features)
        if key is None and self.now.kind == STRING:
            key = norm(self.next().text[1:-1])
        if key is None or key not in self.symbols.features:
            raise self.unknown("feature", [f.name for f in self.symbols.features.values()])
        self.symbols.features[key].attached = True
        until, count = self._until()
        return t.Simple("gain", [who, key, until, count], line)

    def _lose(self, who: t.Thing_, line: int) -> t.Stmt_:
        self.take("feature")
        key = self.name(self.symbols.features)
        if key is None and self.now.kind == STRING:
            key = norm(self.next().text[1:-1])
        if key is None or key not in self.symbols.features:
            raise self.unknown("feature", [f.name for f in self.symbols.features.values()])
        return t.Simple("lose", [who, key], line)

    def _may(self, who: t.Thing_, line: int) -> t.Stmt_:
        label, test, body = self._labelled()
        decline = t.ChoiceOption("no", None, None, [], line)
        return t.Choose([t.ChoiceOption(label, test, None, body, line), decline], who, label, line)

    def _labelled(self) -> tuple[str, t.Cond_ | None, t.Block_]:
        if self.now.kind != STRING:
            raise self.fail("missing-part", "an option needs a label in quotation marks")
        label = self.next().text[1:-1]
        test = self.check() if self.take("if") else None
        self.expect(":")
        return label, test, self.block()

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
                raise self.unknown("thing", [n for n in self.scope.locals])
        target = self._simple_thing(None)
        if not isinstance(target, (t.TLocal, t.THold, t.TKept)):
            if isinstance(target, t.TBuiltin) and target.what in ("facing", "terrain", "side"):
                self.expect("to")
                return t.Simple("set " + target.what, [*target.args, self.thing(target.type)], line)
            raise Mistake("wrong-kind", token, "only a local, a parameter or a resource that holds a thing can be set")
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

    def _decider(self) -> t.Thing_ | None:
        at = self.at
        try:
            who = self.thing()
            if self.take("chooses"):
                return who
        except Mistake:
            pass
        self.at = at
        return None

    def _let_tally(self, low: str, line: int) -> t.Stmt_:
        self.next()
        count: t.Num_ = t.Num(1)
        if not self.peek_name(self._dice_names()):
            if self.now.kind == DICE and self.now.text[0].isdigit():
                number, sides = self.next().text.split("d")
                self.scope.locals[low] = t.TALLY + "d" + sides
                return t.LetTally(low, "d" + sides, t.Num(int(number)), None, line)
            count = self._factor()
        if self.now.kind == DICE:
            die = self.next().text
            self.scope.locals[low] = t.TALLY + die
            return t.LetTally(low, die, count, None, line)
        name = self.name(self._dice_names())
        if name is None:
            raise self.unknown("die", [d.name for d in self.symbols.dice.values()])
        key = self._dice_names()[name]
        self.scope.locals[low] = t.TALLY + key
        return t.LetTally(low, key, count, None, line)

    def _dice_names(self) -> dict[str, str]:
        names: dict[str, str] = {}
        for key, die in self.symbols.dice.items():
            names[key] = key
            if die.name.endswith("Die"):
                names[norm(die.name[:-3] + "Dice")] = key
            names[key + "s"] = key
        return names

    def _let_choose(self, low: str, line: int, who: t.Thing_ | None) -> t.Stmt_:
        if self.take("a", "number", "from"):
            a = self.number()
            self.expect("to")
            b = self.number()
            self.scope.locals[low] = t.NUMBER
            return t.LetChoose(low, t.NUMBER, None, "", a, b, who, line)
        selector = self.selector(default="a")
        orelse = ""
        if self.now.is_(",") and self.ahead().is_("or") and self.ahead(2).kind == STRING:
            self.at += 2
            orelse = self.next().text[1:-1]
        self.scope.locals[low] = selector.type
        return t.LetChoose(low, selector.type, selector, orelse, None, None, who, line)

    def _s_give(self, line: int) -> t.Stmt_:
        at = self.at
        if self._number_starts() or self.now.is_("("):
            try:
                return t.Give(self.number(), line)
            except Mistake as mistake:
                if not self.tokens[at].is_("(") or mistake.diagnostic.code != "type-mismatch":
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
        self.expect("times", ":")
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

    def _s_choose(self, line: int) -> t.Stmt_:
        return self._choose(None, line)

    def _choose(self, who: t.Thing_ | None, line: int) -> t.Stmt_:
        if self.now.is_(":") or self.now.kind == STRING:
            prompt = self.next().text[1:-1] if self.now.kind == STRING else ""
            self.expect(":")
            return self._options(who, prompt, line)
        if self.take("up", "to"):
            most = self.number()
            selector = self.selector(default="each")
            least = None
            if self.now.is_(",") and self.ahead().is_("at") and self.ahead(2).is_("least"):
                self.at += 3
                least = self.number()
            label = ""
            if self.take("as"):
                label = self.next().text[1:-1]
            self.expect(":")
            body = self._with_it(selector)
            return t.ChooseMany(selector, most, least, body, who, label, line)
        selector = self.selector(default="a")
        label = ""
        if self.take("as"):
            label = self.next().text[1:-1]
        body: t.Block_ = []
        if self.take(":"):
            body = self._with_it(selector)
        else:
            # `choose X` alone: later statements of the block speak of it.
            self.scope.it.append(t.TLocal(selector.it, selector.type))
        return t.Choose([t.ChoiceOption(label, None, selector, body, line)], who, "", line)

    def _with_it(self, selector: t.Selector) -> t.Block_:
        self.scope.it.append(t.TLocal(selector.it, selector.type))
        try:
            return self.block()
        finally:
            self.scope.it.pop()

    def _options(self, who: t.Thing_ | None, prompt: str, line: int) -> t.Stmt_:
        options: list[t.ChoiceOption] = []
        indented = self.now.kind == INDENT
        if indented:
            self.next()
        while self.now.kind not in (DEDENT, END):
            if self.now.kind == NEWLINE or self.now.is_(";", ","):
                if self.now.kind == NEWLINE and not indented and self.ahead().kind != STRING and not self.ahead().is_("each"):
                    break
                self.next()
                continue
            if self.now.kind == INDENT and not indented:
                indented = True
                self.next()
                continue
            at = self.now.line
            if self.now.kind == STRING:
                label, test, body = self._labelled()
                options.append(t.ChoiceOption(label, test, None, body, at))
            elif self.take("each"):
                selector = self.selector(default="each")
                label = ""
                if self.take("as"):
                    label = self.next().text[1:-1]
                self.expect(":")
                options.append(t.ChoiceOption(label, None, selector, self._with_it(selector), at))
            else:
                break
        if indented and self.now.kind == DEDENT:
            self.next()
        if not options:
            raise self.fail("empty-choice", "a choose has no options")
        return t.Choose(options, who, prompt, line)

    def _s_window(self, line: int) -> t.Stmt_:
        words: list[str] = []
        while not self.now.is_(":"):
            if self.now.kind != WORD:
                raise self.fail("missing-part", "a window needs a name and whom it asks: `window Hit: defender`")
            words.append(self.next().text)
        self.expect(":")
        key = norm("".join(words))
        self.symbols.windows.setdefault(key, len(self.symbols.windows))
        who: list[object] = []
        while True:
            if self.now.is_("each", "every"):
                who.append(self.selector())
            else:
                who.append(self.thing(t.ACTOR))
            if self.now.is_(",") and self.ahead().is_("then"):
                self.at += 2
                continue
            break
        return t.Window(key, who, line)

    def _s_act(self, line: int) -> t.Stmt_:
        how, times = "pass", None
        if self.take("until", "pass"):
            pass
        elif self.take("once"):
            how = "once"
        elif self.take("up", "to"):
            how = "times"
            times = self.number()
            self.take("times")
        by = only = where = while_ = None
        pass_ = True
        while True:
            if self.take("while"):
                while_ = self.check()
            elif self.now.is_("by"):
                self.next()
                self.take("any")
                by = self.selector(default="some")
            elif self.take("only"):
                name = self.name(self.symbols.actions)
                if name is None:
                    raise self.unknown("action", [a.name for a in self.symbols.actions.values()])
                only = self.symbols.actions[name]
                if self.take("where"):
                    before = dict(self.scope.locals)
                    for param in only.params:
                        self.scope.locals.setdefault(param.name.lower(), param.type)
                    where = self.check()
                    self.scope.locals = before
            elif self.take("no", "pass") or (self.now.is_(",") and self.ahead().is_("no") and self.ahead(2).is_("pass")):
                if self.now.is_(","):
                    self.at += 3
                pass_ = False
            else:
                break
        return t.Act(how, times, by, only, where, pass_, line, while_)

    def _cards(self) -> t.Selector | t.Thing_:
        """Cards to move: one thing, or every one of a selector."""
        if self.now.is_("every", "each", "all"):
            return self.selector(default="every")
        return self.thing()

    def _s_move(self, line: int) -> t.Stmt_:
        what = self._cards()
        self.take(",")
        self.expect("to")
        type_ = what.type
        if type_ == t.CARD:
            bottom = self.take("bottom", "of") or self.take("the", "bottom", "of")
            self.take("top", "of") or self.take("the", "top", "of")
            zone, owner = self.zone()
            return t.Simple("bottom" if bottom else "card", [what, zone, owner], line)
        return t.Simple("place", [what, self.thing(t.SPACE)], line)

    def _s_create(self, line: int) -> t.Stmt_:
        if self.take("a") or self.take("an"):
            pass
        face = self.thing(t.FACE)
        self.expect("in")
        zone, owner = self.zone()
        return t.Simple("create", [face, zone, owner], line)

    def _s_destroy(self, line: int) -> t.Stmt_:
        return t.Simple("destroy", [self._cards()], line)

    def _s_shuffle(self, line: int) -> t.Stmt_:
        zone, owner = self.zone()
        return t.Simple("shuffle", [zone, owner], line)

    def _s_build(self, line: int) -> t.Stmt_:
        zone, owner = self.zone()
        self.expect("from")
        local = self._local_thing() or self._held(None)
        if local is not None:
            return t.Simple("build", [zone, owner, local], line)
        name = self.name(self.symbols.decks)
        if name is None:
            raise self.unknown("deck", list(self.symbols.decks))
        return t.Simple("build", [zone, owner, name], line)

    def _s_reveal(self, line: int) -> t.Stmt_:
        what = self._cards()
        self.expect("to")
        if self.take("all"):
            return t.Simple("reveal", [what, None], line)
        return t.Simple("reveal", [what, self.thing(t.ACTOR)], line)

    def _s_swap(self, line: int) -> t.Stmt_:
        a = self.thing(t.ACTOR)
        self.expect("and")
        return t.Simple("swap", [a, self.thing(t.ACTOR)], line)

    def _s_turn(self, line: int) -> t.Stmt_:
        who = self.thing(t.ACTOR)
        self.expect("to")
        return t.Simple("set facing", [who, self.thing(t.DIRECTION)], line)

    def _s_walk(self, line: int) -> t.Stmt_:
        path = self.thing(t.PATH)
        if not self.take("while"):
            return t.Simple("walk", [path, None, None], line)
        it = self.scope.new_it(t.SPACE)
        before = self.scope.owner
        self.scope.owner = it
        self.scope.it.append(it)
        try:
            return t.Simple("walk", [path, it.name, self.check()], line)
        finally:
            self.scope.owner = before
            self.scope.it.pop()

    def _s_put(self, line: int) -> t.Stmt_:
        who = self._cards() if self.now.is_("every", "each") else self.thing(t.ACTOR)
        self.expect("in", "play")
        space = self.thing(t.SPACE) if self.take("at") else None
        return t.Simple("put", [who, space], line)

    def _s_take(self, line: int) -> t.Stmt_:
        who = self._cards() if self.now.is_("every", "each") else self.thing(t.ACTOR)
        if isinstance(who, t.Selector) and who.out_of_play:
            who.out_of_play = False  # the words belong to `take`, not to the selector
        else:
            self.expect("out", "of", "play")
        return t.Simple("take", [who], line)

    def _s_remove(self, line: int) -> t.Stmt_:
        if self.take("every", "Status", "from") or self.take("every", "status", "from"):
            return t.Simple("cleanse", [self.thing(t.ACTOR)], line)
        if self.take("every", "space"):
            return t.Simple("unlay", [], line)
        status = self.status_name()
        if status is not None:
            self.take("status")
            who = self.thing(t.ACTOR) if self.take("from") else self.me()
            return t.Simple("unstatus", [who, status], line)
        if self.now.kind == WORD and self.now.text.islower():
            at = self.at
            thing = self._simple_thing(t.STATUS)
            if thing is not None and thing.type == t.STATUS:
                return t.Simple("unstatus", [self.thing(t.ACTOR) if self.take("from") else self.me(), thing], line)
            self.at = at
        who = self.thing(t.ACTOR)
        self.expect("from")
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        return t.Simple("leave", [who, order], line)

    def _s_add(self, line: int) -> t.Stmt_:
        who = self._cards() if self.now.is_("every", "each") else self.thing(t.ACTOR)
        self.expect("to")
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        if self.take("after", "equals", "by"):
            it = self.scope.new_it(t.ACTOR)
            prefs = self.preference_list(it)
            return t.Simple("join", [who, order, it.name, prefs], line)
        if self.take("at"):
            return t.Simple("insert", [who, order, self.number()], line)
        return t.Simple("append", [who, order], line)

    def _s_clear(self, line: int) -> t.Stmt_:
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        return t.Simple("clear", [order], line)

    def _s_sort(self, line: int) -> t.Stmt_:
        order = self.name(self.symbols.orders)
        if order is None:
            raise self.unknown("order", [d.title for d in self.symbols.orders.values()])
        self.expect("by")
        it = self.scope.new_it(t.ACTOR)
        prefs = self.preference_list(it)
        ties = keeping = None
        if self.now.is_(",") and self.ahead().is_("ties"):
            self.at += 2
            self.expect("roll")
            before = self.scope.owner
            self.scope.owner = it
            ties = self.number()
            self.scope.owner = before
            if self.take("keeping", "["):
                name = self.name(self.resources)
                if name is None:
                    raise self.unknown("resource", [r.name for r in self.resources.values()])
                keeping = self.resources[name]
                self.expect("]")
        return t.SortOrder(order, prefs, it.name, ties, keeping, line)

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
        sequence = self._sequence_word()
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
            raise self.unknown("step", [c for c in steps], token)
        found = steps[name]
        if self.take("of"):
            sequence = self._sequence_word()
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

    def _s_lay(self, line: int) -> t.Stmt_:
        plan = self.name(self.symbols.plans)
        if plan is not None:
            return t.Simple("lay plan", [plan], line)
        self.take("a")
        if not self.take("space", "at"):
            raise self.unknown("plan", list(self.symbols.plans))
        return t.Simple("lay", [self.thing(t.PLACE)], line)

    def _s_none(self, line: int) -> t.Stmt_:
        return t.Simple("nothing", [], line)

    # ------------------------------------------------------------ moments
    def _sequence_word(self) -> t.Component:
        """A sequence by name; case and a plural s do not matter (`turn`, `rounds`)."""
        token = self.now
        names: dict[str, str] = {}
        for key, component in self.components.items():
            if component.kind == "Sequence":
                for form in (key, key.lower(), key + "s", key.lower() + "s"):
                    names[form] = key
        found = self.name(names)
        if found is None:
            raise self.unknown("sequence", [c.name for c in self.components.values() if c.kind == "Sequence"], token)
        return self.components[names[found]]

    def _owned_sequence(self, moment: t.Moment) -> t.Moment:
        self.take("the")
        if self.take("own"):
            moment.own = True
        if self.take("next"):
            moment.which = "next"
            if moment.kind != "end" or not moment.own:
                pass
        self.take("each") or self.take("any")
        moment.sequence = self._sequence_word()
        if moment.which == "next" and moment.sequence.name == self._turn_name():
            moment.own = True
        return moment

    def moment(self) -> t.Moment:
        """A moment, for hooks and durations."""
        token = self.now
        self.take("at")
        if self.take("start", "of"):
            return self._owned_sequence(t.Moment("start"))
        if self.take("end", "of"):
            return self._owned_sequence(t.Moment("end"))
        after = self.take("after", "step")
        if after or self.take("step"):
            words: list[str] = []
            while self.now.kind in (WORD, NUMBER) and not self.now.is_("of"):
                words.append(self.next().text)
            self.expect("of")
            moment = self._owned_sequence(t.Moment("after step" if after else "step"))
            assert moment.sequence is not None
            key = norm("".join(words))
            steps = [n for n, (name, _, _) in enumerate(moment.sequence.steps) if norm(name) == key]
            if not steps:
                raise Mistake("unknown-name", token, f"'{moment.sequence.name}' has no step '{' '.join(words)}'")
            moment.step = steps[0]
            return moment
        raise Mistake("unexecutable", token, "a moment is `start of ...`, `end of ...` or `step ... of ...`")

    def hook_moment(self) -> t.Moment:
        """A field key such as `before #Damage` or `when [Health] falls`."""
        for word in ("before", "after", "instead"):
            if self.now.is_(word) and not self.ahead().is_("step"):
                self.next()
                self.take("of")
                return self._hook_of(word)
        if self.take("when"):
            return self._hook_of("when")
        return self.moment()

    def _hook_of(self, word: str) -> t.Moment:
        token = self.now
        own = self.take("own")
        any_ = self.take("any")
        if self.take("#"):
            name = self.name(self.components)
            if name is None:
                raise self.unknown("component", [c.name for c in self.components.values()])
            component = self.components[name]
            return t.Moment(word, component=component, own=own, params=component.params)
        if self.now.is_("["):
            self.next()
            name = self.name(self.resources)
            if name is None:
                raise self.unknown("resource", [r.name for r in self.resources.values()])
            self.expect("]")
            resource = self.resources[name]
            moment = t.Moment(word + " change", resource=resource, own=not any_)
            which = self.next()
            if not which.is_("falls", "rises", "changes", "reaches"):
                raise Mistake("unexecutable", which, "a number falls, rises, changes or reaches")
            moment.which = which.text
            if which.text == "reaches":
                moment.level = self.number()
            return moment
        self.take("self") or self.take("an") and self.take("actor") or self.take("any") and self.take("actor")
        if self.take("becomes"):
            status = self.status_name()
            if status is None:
                raise self.unknown("status", [s.name for s in self.symbols.statuses.values()])
            return t.Moment("becomes", status=status, own=not any_)
        if self.take("loses"):
            status = self.status_name()
            if status is None:
                raise self.unknown("status", [s.name for s in self.symbols.statuses.values()])
            return t.Moment("loses", status=status, own=not any_)
        if self.take("enters"):
            self.take("a")
            if self.take("space"):
                return t.Moment("enters", own=not any_)
            terrain = self.name({norm(w) for w in self.symbols.terrains.words})
            if terrain is None:
                raise self.unknown("terrain", self.symbols.terrains.words)
            return t.Moment("enters", terrain=terrain, own=not any_)
        if self.take("leaves", "play"):
            return t.Moment("leaves play", own=not any_)
        raise Mistake("unexecutable", token, "this is no moment that a rule can wait for")


KEYWORDS = frozenset(
    "set let give perform if repeat for stop choose window act move create destroy shuffle build reveal swap turn walk"
    " put take remove add clear sort end skip say first lay as settle forget expire undo".split()
)
