"""What stands in brackets in a book that uses a framework: `[R]`, `[Target R]`, `[Somebody R]`, `[R Max]`.

In:  the cursor at the first word within brackets.
Out: t.Num_ nodes, or None where the content is no such reference and the core grammar has to read it.

The order matters, because names of the book may look like words of the core notation: a prefix comes
first, then a resource whose name is the whole content, then the longest name of an actor that it begins with.
"""

from __future__ import annotations

from rulewright.book import tree as t
from rulewright.book.scope import Mistake
from rulewright.book.symbols import norm
from rulewright.book.tokens import END, NEWLINE, Token
from rulewright.book.ways import Ways

PREFIXES = ("Target", "Self", "Attacker")
LIMITS = ("Maximum", "Max")


class References(Ways):
    """References to numbers of somebody."""

    def reference(self, opening: Token) -> t.Num_ | None:
        """The number that the whole content names, if it is a name."""
        inside = self._content()
        if inside is None:
            return None
        prefixed = inside[0].text in PREFIXES and len(inside) > 1
        if prefixed:
            self._no_prefix(inside[1:])
            if inside[0].text == "Self" and [x.text for x in inside[1:]] == ["Distance"]:
                message = "no resource is called 'Distance'; there is [Target Distance]"
                raise Mistake("unknown-name", inside[1], message)
            return None
        limit = len(inside) > 1 and inside[-1].text in LIMITS
        for words, maximum in ((inside, False), (inside[:-1], True)) if limit else ((inside, False),):
            resource = self.resources.get(_joined(words))
            if resource is not None and resource.holds is None:
                self._limited(resource, maximum, opening)
                self.at += len(inside)
                return t.ReadRes(resource, self.default_owners(resource, opening), False, maximum)
        return self._of_somebody(inside)

    def _content(self) -> list[Token] | None:
        """The tokens up to the closing bracket; None where another bracket stands among them."""
        end = self.at
        while not self.tokens[end].is_("]"):
            if self.tokens[end].kind in (END, NEWLINE) or self.tokens[end].is_("[", "(", "#"):
                return None
            end += 1
        return self.tokens[self.at : end] or None

    def _of_somebody(self, inside: list[Token]) -> t.Num_ | None:
        casts = {norm(title) for title in self.symbols.casts.values()}
        for count in range(len(inside) - 1, 0, -1):
            actor = self.symbols.actor_names.get(_joined(inside[:count]))
            if actor is not None and _joined(inside[:count]) not in casts:
                self._no_prefix(inside[count:])
                self.at += count
                return self._of_thing(t.TConst(t.ACTOR, actor), False)
        return None

    def _no_prefix(self, words: list[Token]) -> None:
        resource = self.resources.get(_joined(words))
        if resource is not None and not resource.of:
            message = f"'{resource.name}' is shared: it is nobody's own and takes no prefix"
            raise Mistake("wrong-kind", words[0], message)

    def _limited(self, resource: t.Resource, maximum: bool, token: Token) -> None:
        """Only a number that somebody limits has a maximum to read."""
        if (
            maximum
            and self.symbols.frameworks
            and not token.core
            and norm(resource.name) not in self.symbols.limited
        ):
            raise Mistake("unknown-name", token, f"'{resource.name}' has no maximum")

    def _of_thing(self, thing: t.Thing_, stored: bool) -> t.Num_:
        """A number of this thing: a resource, a maximum, a column."""
        at = self.at
        name = self.name(self.resources)
        if name is not None:
            token = self.tokens[at]
            resource = self.resource_named(name)
            maximum = self.take("Maximum") or self.take("Max")
            self._limited(resource, maximum, token)
            if resource.of == (thing.type,) or (thing.type == t.CARD and resource.of == (t.FACE,)):
                return t.ReadRes(resource, [thing], stored, maximum)
            if len(resource.of) == 2 and resource.of[0] == thing.type and self.take("of"):
                return t.ReadRes(resource, [thing, self.thing(resource.of[1])], stored)
            self.at = at
        column = self._column(thing)
        if column is not None:
            return column
        names = [r.name for r in self.resources.values()]
        raise self.unknown("resource", names)

    def _column(self, thing: t.Thing_) -> t.Num_ | None:
        for kind in (
            thing.type,
            t.FACE if thing.type == t.CARD else ("Terrain" if thing.type == t.SPACE else ""),
        ):
            table = self.symbols.list_of(kind) if kind else None
            if table is None:
                continue
            column = self.name(table.columns)
            if column is not None:
                return t.ReadColumn(kind, column, thing)
        return None


def _joined(words: list[Token]) -> str:
    return norm("".join(x.text for x in words)).replace("’", "'")
