"""Tokens -> decisions and dice: choose, may, window, act, let with a choice or a tally.

In:  the expression grammar.
Out: statements at which a match stops.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.moments import Moments
from rulewright.book.scope import Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import DEDENT, DICE, END, INDENT, NEWLINE, NUMBER, STRING, WORD


class Choosing(Moments):
    """The grammar of decisions."""

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
            plain = self.now.kind == NUMBER and self.ahead().kind == DICE  # `4 d6` would be rolled and summed
            count = t.Num(int(self.next().text)) if plain else self._factor()
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
                if (
                    self.now.kind == NEWLINE
                    and not indented
                    and self.ahead().kind != STRING
                    and not self.ahead().is_("each")
                ):
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
                raise self.fail(
                    "missing-part", "a window needs a name and whom it asks: `window Hit: defender`"
                )
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
            elif self.take("no", "pass") or (
                self.now.is_(",") and self.ahead().is_("no") and self.ahead(2).is_("pass")
            ):
                if self.now.is_(","):
                    self.at += 3
                pass_ = False
            else:
                break
        return t.Act(how, times, by, only, where, pass_, line, while_)

    def block(self) -> t.Block_:
        """Made on top of this."""
        raise NotImplementedError
