"""Tokens -> moments: when a hook fires, when a timed change ends.

In:  the expression grammar.
Out: t.Moment.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.parser import Parser
from rulewright.book.phrases import AFTER_EFFECT, DURATION, SCENE, expand
from rulewright.book.scope import Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import END, NUMBER, WORD, Token


class Moments(Parser):
    """The grammar of moments."""

    def _until(self) -> tuple[t.Moment | None, t.Num_ | None]:
        if self.symbols.phrases and not self.now.core and self.now.is_("until", "for"):
            return self._worded_time()
        if self.take("until"):
            count = None
            if self.now.kind == NUMBER or self.now.is_("[", "("):
                count = self.number()
                self.expect("times")
            moment = self.moment()
            if self.take("of", "bearer"):
                moment.whose = "bearer"
            elif self.take("of"):
                moment.whose = self.thing(t.ACTOR)
            return moment, count
        if self.now.is_("for") and self.ahead().kind in (NUMBER,) and self.ahead(2).kind == WORD:
            self.next()
            count = self.number()
            sequence = self.sequence_word()
            return t.Moment("end", sequence, own=sequence.name == self._turn_name(), which="count"), count
        return None, None

    def _worded_time(self) -> tuple[t.Moment | None, t.Num_ | None]:
        """A duration in the words of the book's framework."""
        token, book = self.now, self.symbols.phrases
        place = SCENE if self.scope.scene else DURATION
        found = book.find(place, self.tokens, self.at, AFTER_EFFECT)
        if found is None:
            words = " ".join(x.text for x in self.tokens[self.at : self.at + 6] if x.line == token.line)
            other = book.find(DURATION if self.scope.scene else SCENE, self.tokens, self.at, AFTER_EFFECT)
            why = (
                f"'{words}' cannot stand here"
                if other is not None
                else f"'{words}' is no duration that this book knows"
            )
            raise Mistake("unexecutable", token, why)
        self.at = found.end
        tokens = expand(found.phrase.fields[0][1], found.captured, token)
        return Moments(
            [*tokens, Token(END, "", token.file, token.line, token.column)], self.symbols, self.scope
        )._until()

    def _turn_name(self) -> str:
        return str(self.symbols.front.get("turn", "Turn"))

    def sequence_word(self) -> t.Component:
        """A sequence by name; case and a plural s do not matter (`turn`, `rounds`)."""
        token = self.now
        names: dict[str, str] = {}
        for key, component in self.components.items():
            if component.kind == "Sequence":
                for form in (key, key.lower(), key + "s", key.lower() + "s"):
                    names[form] = key
        found = self.name(names)
        if found is None:
            raise self.unknown(
                "sequence", [c.name for c in self.components.values() if c.kind == "Sequence"], token
            )
        return self.component_named(names[found])

    def _owned_sequence(self, moment: t.Moment) -> t.Moment:
        self.take("the")
        if self.take("own"):
            moment.own = True
        if self.take("next"):
            moment.which = "next"
            if moment.kind != "end" or not moment.own:
                pass
        _ = self.take("each") or self.take("any")
        moment.sequence = self.sequence_word()
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
                raise Mistake(
                    "unknown-name", token, f"'{moment.sequence.name}' has no step '{' '.join(words)}'"
                )
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
        if self.take("any", "Action"):
            return t.Moment(word + " any", own=True)
        own = self.take("own")
        any_ = self.take("any")
        if self.take("#"):
            name = self.name(self.components)
            if name is None:
                raise self.unknown("component", [c.name for c in self.components.values()])
            component = self.component_named(name)
            return t.Moment(word, component=component, own=own, params=component.params)
        if self.now.is_("["):
            self.next()
            name = self.name(self.resources)
            if name is None:
                raise self.unknown("resource", [r.name for r in self.resources.values()])
            self.expect("]")
            resource = self.resource_named(name)
            if self.take("is", "reduced"):
                return t.Moment(word + " reduced", resource=resource, own=not any_)
            moment = t.Moment(word + " change", resource=resource, own=not any_)
            which = self.next()
            if not which.is_("falls", "rises", "changes", "reaches"):
                raise Mistake("unexecutable", which, "a number falls, rises, changes or reaches")
            moment.which = which.text
            if which.text == "reaches":
                moment.level = self.number()
            return moment
        _ = self.take("actor") if any_ else self.take("self") or (self.take("an") and self.take("actor"))
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
            terrain = self.name(self.symbols.terrains.numbers)
            if terrain is None:
                raise self.unknown("terrain", self.symbols.terrains.words)
            return t.Moment("enters", terrain=terrain, own=not any_)
        if self.take("leaves", "play"):
            return t.Moment("leaves play", own=not any_)
        raise Mistake("unexecutable", token, "this is no moment that a rule can wait for")
