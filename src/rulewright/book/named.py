"""Tokens -> numbers that are told by a word: faces of a tally, distances and counts, locals, kept values.

In:  tokens inside brackets.
Out: tree nodes; what is none of these is looked for among resources, columns and Values (readings.py).
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.book import tree as t
from rulewright.book.readings import Readings
from rulewright.book.scope import Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import END, NEWLINE, NUMBER, WORD, Token


class Named(Readings):
    """The grammar of numbers told by a word."""

    def _about(self, candidate: t.Thing_, parse: Callable[[], t.Num_]) -> t.Num_:
        """Parse with bare numbers meaning the candidate's."""
        before = self.scope.owner
        self.scope.owner = candidate
        if isinstance(candidate, t.TLocal):
            self.scope.it.append(candidate)
        try:
            return parse()
        finally:
            self.scope.owner = before
            if isinstance(candidate, t.TLocal):
                self.scope.it.pop()

    def _tally_highest_here(self) -> bool:
        depth, n = 0, 0
        while self.ahead(n).kind not in (END, NEWLINE):
            token = self.ahead(n)
            if token.is_("]") and depth == 0:
                break
            depth += token.is_("[", "(") - token.is_("]", ")")
            if token.is_("of") and depth == 0:
                found = self.scope.local(self.ahead(n + 1).text)
                return found is not None and found[1].startswith(t.TALLY)
            n += 1
        return False

    def _tally(self, highest: t.Num_) -> t.Num_:
        self.expect("of")
        found = self.scope.local(self.next().text)
        assert found is not None
        return t.TallyNum(found[0], found[1][len(t.TALLY) :], [], "", highest)

    def _named(self, opening: Token, stored: bool) -> t.Num_:
        tally = self._tally_faces()
        if tally is not None:
            return tally
        prefixed = self._prefixed(stored)
        if prefixed is not None:
            return prefixed
        start = self.at
        local = self._local_number()
        if local is not None and self.now.is_("]"):
            return local
        if local is not None and self.now.is_("of"):
            kept = self._kept_number(start)
            if kept is not None:
                return kept
        self.at = start
        kept = self._kept_number(start)
        if kept is not None:
            return kept
        for prop in ("Stacks", "Turns", "Power"):
            if self.now.is_(prop) and self.ahead().is_("of", "]"):
                self.next()
                if self.now.is_("]"):
                    if self.scope.status < 0:
                        raise self.fail("unknown-name", f"[{prop}] needs a status: [{prop} of NAME]", opening)
                    name = next(
                        s.name for s in self.symbols.statuses.values() if s.index == self.scope.status
                    )
                    return t.StatusNum(prop, norm(name), self.bearer())
                self.next()
                status = self.status()
                owner = self.thing() if self.take("of") else self.bearer()
                return t.StatusNum(prop, status, owner)
        return self._resource(opening, stored)

    def _tally_faces(self) -> t.Num_ | None:
        at = self.at
        depth, n = 0, 0
        while self.ahead(n).kind not in (END, NEWLINE) and not (self.ahead(n).is_("]") and depth == 0):
            depth += self.ahead(n).is_("[", "(") - self.ahead(n).is_("]", ")")
            n += 1
        last = self.ahead(n - 1)
        if n < 3 or not self.ahead(n - 2).is_("of"):
            return None
        found = self.scope.local(last.text)
        if found is None or not found[1].startswith(t.TALLY):
            return None
        die = found[1][len(t.TALLY) :]
        faces: list[int] = []
        column = ""
        if die.startswith("d"):
            low = int(self.next().text) if self.now.kind == NUMBER else None
            if low is None:
                self.at = at
                return None
            high = low
            if self.take("to"):
                high = int(self.next().text)
            faces = list(range(low - 1, high))
        else:
            table = self.symbols.dice[die]
            word = self.name(table.numbers)
            if word is not None:
                faces = [i for i, w in enumerate(table.words) if norm(w) == word]
            else:
                column = self.name_of(table.columns, lambda c: c.type in (t.NUMBER, "mark")) or ""
                if not column:
                    raise self.unknown(f"face or column of {table.name}", [*table.words, *table.columns])
        self.expect("of")
        self.next()
        return t.TallyNum(found[0], die, faces, column)

    def _prefixed(self, stored: bool) -> t.Num_ | None:
        """`[Target Speed]`: a role or thing-local, then one of its numbers."""
        token = self.now
        if token.kind != WORD:
            return None
        at = self.at
        found = self.scope.local(token.text)
        if found is None and token.text in ("Self", "Target", "Attacker", "Active", "It"):
            if token.text == "It" and self.scope.it:
                found = (self.scope.it[-1].name, self.scope.it[-1].type)
            elif token.text == "Active":
                found = ("active", t.ACTOR)
            elif self.scope.open and token.text in ("Target", "Attacker"):
                self.scope.wanted[token.text.lower()] = t.ACTOR
                self.scope.locals[token.text.lower()] = t.ACTOR
                found = (token.text.lower(), t.ACTOR)
        if (
            found is None
            and token.text in ("Target", "Attacker")
            and self.symbols.frameworks
            and not self.ahead().is_("]", "of")
        ):
            raise Mistake("wrong-kind", token, f"there is no {token.text.lower()} here")
        if (
            found is None
            or found[1] == t.NUMBER
            or found[1].startswith(t.TALLY)
            or self.ahead().is_("]", "of")
        ):
            return None
        if self.peek_name(self.resources) and norm(token.text) not in ("Self", "Target", "Attacker"):
            full = self.peek_name(self.resources)
            if full is not None and full != token.text and full.startswith(token.text):
                return None
        self.next()
        thing: t.Thing_ = (
            t.TBuiltin("active", t.ACTOR)
            if found[0] == "active" and "active" not in self.scope.locals
            else t.TLocal(*found)
        )
        if self.now.is_("Distance") and self.ahead().is_("]"):
            self.next()
            return t.Geometry("distance", [self.me(), thing])
        try:
            return self._of_thing(thing, stored)
        except Mistake:
            if norm(token.text) in ("Target", "Self", "Attacker"):
                raise
            self.at = at
            return None

    def _local_number(self) -> t.Num_ | None:
        key = self.name(self._number_names())
        if key is None:
            return None
        return t.ReadLocal(self._number_names()[key])

    def _kept_number(self, start: int) -> t.Num_ | None:
        """`[T of Attack]`"""
        at = self.at
        self.at = start
        words = ""
        n = 0
        while self.ahead(n).kind in (WORD, NUMBER) and not self.ahead(n).is_("of"):
            words += self.ahead(n).text
            n += 1
        if words and self.ahead(n).is_("of"):
            self.at += n + 1
            sequence = self.sequence_name()
            if sequence is not None and self.now.is_("]"):
                params = (
                    [*sequence.params, *sequence.keeps]
                    if isinstance(sequence, t.Component)
                    else sequence.params
                )
                for param in params:
                    if norm(param.name).lower() == words.lower() and param.type == t.NUMBER:
                        return t.ReadKept(sequence, param.name)
        self.at = at
        return None

    def sequence_name(self) -> t.Component | t.ActionSym | None:
        """The name of a Sequence, or of an Action (whose declared things can be read while it runs)."""
        at = self.at
        name = self.name_of(self.components, lambda c: c.kind == "Sequence")
        if name is not None:
            return self.component_named(name)
        action = self.name(self.symbols.actions)
        if action is not None:
            return self.symbols.actions[action]
        self.at = at
        return None
