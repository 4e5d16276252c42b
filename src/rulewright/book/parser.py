"""The whole expression grammar: phrases that the book itself defines, on top of checks.

In:  tokens of one field, the Symbols of the book, a Scope with the locals.
Out: tree nodes; a mistake raises Mistake, which the statement parser turns into one diagnostic.

Recursive descent by hand: names have spaces, so where one ends depends on what the book declares
and on the kind that is expected here. A fixed grammar cannot know either.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.checks import Checks
from rulewright.book.phrases import AFTER_CHECK, CHECK, Captured, Stop, expand
from rulewright.book.scope import Mistake, Scope
from rulewright.book.symbols import Sentence, norm
from rulewright.book.tokens import END, MARK, NUMBER, STRING, WORD, Token
from rulewright.diagnostics import nearest

PREDICATES = ("in", "out", "adjacent", "within", "laid", "none", "a", "an", "the", "ally", "enemy", "not")
"""What may follow `is` besides the name of a status."""


class Parser(Checks):
    """The grammar of expressions, with the phrases of the book."""

    # ------------------------------------------------------------ phrases
    def phrase(self, place: str, stop: Stop) -> list[Token] | None:
        """The tokens that a phrase of the book's framework stands for, if one stands here."""
        if self.now.core or not self.symbols.phrases:
            return None
        self.symbols.phrases.scene = self.scope.scene
        found = self.symbols.phrases.find(place, self.tokens, self.at, stop)
        if found is None:
            return None
        self._slots(found.captured)
        at = self.now
        self.at = found.end
        for key, value in found.phrase.fields[1:]:
            if key[0].text == "requires":
                self.scope.demands.append(expand(value, found.captured, at))
        return [
            *expand(found.phrase.fields[0][1], found.captured, at),
            Token(END, "", at.file, at.line, at.column),
        ]

    def _slots(self, captured: Captured) -> None:
        """Where a slot says what it holds, a name of nothing of that kind is reported as such."""
        statuses = {norm(x.name).lower(): x.name for x in self.symbols.statuses.values()}
        for slot, names, lower in (("status", statuses, True), ("cast", self.symbols.casts, False)):
            words = captured.get(slot)
            if not words or words[0].kind == STRING or words[0].is_(*PREDICATES):
                continue
            shown = " ".join(x.text for x in words)
            key = norm(shown).lower() if lower else norm(shown)
            if key not in names:
                close = nearest(shown, names.values())
                help_ = f"did you mean '{close}'?" if close else ""
                raise Mistake("unknown-name", words[0], f"no {slot} is called '{shown}'", help_)
            if slot == "cast":  # an actor may have the same name, and the cast then has another within
                captured[slot] = [words[0]._replace(text=text) for text in names[key].split()]

    def _check_phrase(self) -> t.Cond_ | None:
        tokens = self.phrase(CHECK, AFTER_CHECK)
        if tokens is None:
            return None
        inner = Parser(tokens, self.symbols, self.scope)
        found = inner.check()
        if inner.now.kind != END:
            raise inner.fail("unexecutable", f"'{inner.now.text}' does not fit here")
        return found

    # ------------------------------------------------------------ sentences
    def sentence(self, kinds: tuple[str, ...]) -> t.Run | None:
        """A phrase that the book defines by a title with slots."""
        at = self.at
        best: tuple[int, t.Run] | None = None
        for pattern in self.symbols.sentences:
            if pattern.component.kind not in kinds:
                continue
            self.at = at
            made = self._match(pattern)
            if made is not None and (best is None or self.at > best[0]):
                best = (self.at, made)
        if best is None:
            self.at = at
            return None
        self.at = best[0]
        if best[1].component.implicit and not best[1].args:
            self.inherit(best[1].component)
        return best[1]

    def _match(self, pattern: Sentence) -> t.Run | None:
        values: dict[str, object] = {}
        for sort, text in pattern.parts:
            if sort == "word":
                if self.now.kind in (WORD, NUMBER, MARK) and self.now.text.lower() == text.lower():
                    self.next()
                    continue
                return None
            param = next((p for p in pattern.component.params if p.name.lower() == text.lower()), None)
            if param is None:
                return None
            try:
                values[param.name] = self.argument(param)
            except Mistake:
                return None
        ordered = [values[p.name] for p in pattern.component.params if p.name in values]
        return t.Run(pattern.component, None, ordered, self.now.line)


__all__ = ["STRING", "Mistake", "Parser", "Scope"]
