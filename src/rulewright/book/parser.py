"""Tokens -> typed tree: names, numbers, things, selectors, checks.

In:  tokens of one field, the Symbols of the book, a Scope with the locals.
Out: tree nodes; a mistake raises Mistake, which the statement parser turns into one diagnostic.

Recursive descent by hand: names have spaces, so where one ends depends on what the book declares
and on the kind that is expected here. A fixed grammar cannot know either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.book import tree as t
from rulewright.book.phrases import AFTER_CHECK, CHECK, Stop, expand
from rulewright.book.symbols import MapSym, Sentence, Symbols, norm
from rulewright.book.ways import Ways
from rulewright.book.tokens import DICE, END, MARK, NEWLINE, NUMBER, STRING, WORD, Token
from rulewright.diagnostics import Diagnostic, nearest

COMPARE = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
ONE = ("the", "a", "an", "first", "random", "nearest", "Single", "single")
STOP_WORDS = frozenset(
    "of with on to from by until for in at as where then and or else is where if AND OR chooses may becomes among per"
    " toward within adjacent other".split()
)


class Mistake(Exception):
    """One mistake of the author, with the place to point at."""

    def __init__(self, code: str, token: Token, message: str, help: str = "") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, token.span, message, help)


class Scope:
    """What names mean inside one body: locals and their types, and whose numbers bare ones are."""

    def __init__(self, /, **locals_: str) -> None:
        self.locals: dict[str, str] = dict(locals_)
        self.numbers: set[str] = set()
        self.owner: t.Thing_ | None = None
        self.it: list[t.TLocal] = []
        self.sequence: t.Component | None = None
        self.open = False
        """An abbreviation: a role that is not there yet becomes a parameter."""
        self.wanted: dict[str, str] = {}
        self.fresh = 0
        self.die: str = ""
        self.status: int = -1
        self.behavior = False
        """A strategy's behavior: phrases that only strategies know may stand here."""
        self.things: dict[str, t.Thing_] = {}
        """Words that stand for one certain thing in this text."""

    def local(self, word: str) -> tuple[str, str] | None:
        """The local with this name (case does not matter) and its type."""
        low = word.lower()
        if low in self.locals:
            return low, self.locals[low]
        return None

    def new_it(self, type_: str) -> t.TLocal:
        """A fresh candidate variable."""
        self.fresh += 1
        made = t.TLocal(f"it{self.fresh}", type_)
        self.locals[made.name] = type_
        return made


class Parser(Ways):
    """A cursor over tokens with the grammar of expressions."""

    def __init__(self, tokens: list[Token], symbols: Symbols, scope: Scope) -> None:
        self.tokens = tokens
        self.at = 0
        self.symbols = symbols
        self.scope = scope

    # ------------------------------------------------------------ cursor
    @property
    def now(self) -> Token:
        """The token to look at next."""
        return self.tokens[self.at]

    @property
    def resources(self) -> dict[str, t.Resource]:
        """The resources that the text here may name."""
        return self.symbols.resources_for(self.now.core)

    @property
    def components(self) -> dict[str, t.Component]:
        """The components that the text here may name."""
        return self.symbols.components_for(self.now.core)

    def ahead(self, n: int = 1) -> Token:
        """The token n further on."""
        return self.tokens[min(self.at + n, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Take the token."""
        token = self.tokens[self.at]
        if token.kind != END:
            self.at += 1
        return token

    def take(self, *texts: str) -> bool:
        """Take this sequence of words or marks if it stands here."""
        for n, text in enumerate(texts):
            if not self.ahead(n).is_(text):
                return False
        self.at += len(texts)
        return True

    def expect(self, *texts: str) -> Token:
        """Take it or complain."""
        token = self.now
        for text in texts:
            if not self.now.is_(text):
                shown = self.now.text or "the end of the line"
                raise Mistake("unexecutable", self.now if self.now.kind != END else token, f"expected '{text}', found '{shown}'")
            self.next()
        return token

    def fail(self, code: str, message: str, token: Token | None = None, help: str = "") -> Mistake:
        """A mistake at the cursor."""
        return Mistake(code, token or self.now, message, help)

    # ------------------------------------------------------------ names
    def name(self, table: Iterable[str], least: int = 0) -> str | None:
        """Take the longest run of words that is a key of the table."""
        keys = table if isinstance(table, (dict, set, frozenset)) else set(table)
        joined, best, length = "", None, 0
        n = 0
        while n < 9:
            token = self.ahead(n)
            if token.kind not in (WORD, NUMBER, DICE) and not (token.kind == MARK and token.text in "/.&!" and joined):
                if not (token.is_("(", ")", ",") and joined and any(k.startswith(joined + token.text) for k in keys)):
                    break
            joined += token.text.replace("’", "'")
            n += 1
            if joined in keys:
                best, length = joined, n
        if best is None or length < least:
            return None
        self.at += length
        return best

    def _name_end(self, table: Iterable[str]) -> int:
        """Where the name that stands here ends; here, if there is none."""
        at = self.at
        self.name(table)
        end, self.at = self.at, at
        return end

    def peek_name(self, table: Iterable[str]) -> str | None:
        """The name that stands here, without taking it."""
        at = self.at
        found = self.name(table)
        self.at = at
        return found

    def unknown(self, what: str, names: Iterable[str], token: Token | None = None) -> Mistake:
        """A name nobody declared, with the nearest one that somebody did."""
        at = token or self.now
        words: list[str] = []
        n = 0
        while self.ahead(n).kind in (WORD, NUMBER) and n < 5 and not (n and self.ahead(n).text in STOP_WORDS):
            words.append(self.ahead(n).text)
            n += 1
        shown = " ".join(words) or at.text
        close = nearest(shown, list(names))
        return Mistake("unknown-name", at, f"no {what} is called '{shown}'", f"did you mean '{close}'?" if close else "")

    # ------------------------------------------------------------ numbers
    def number(self) -> t.Num_:
        """sum := product { + - product }"""
        left = self._product()
        while self.now.is_("+", "-"):
            op = self.next().text
            left = t.Arith(op, left, self._product())
        return left

    def _product(self) -> t.Num_:
        left = self._factor()
        while self.now.is_("*", "/"):
            op = self.next().text
            left = t.Arith(op, left, self._factor())
        return left

    def _factor(self) -> t.Num_:
        token = self.now
        if token.kind == NUMBER:
            self.next()
            if self.now.kind == DICE and self.now.text.startswith("d"):
                sides = int(self.next().text[1:])
                return self._dice(t.Num(int(token.text)), sides, token)
            return t.Num(int(token.text))
        if token.kind == DICE:
            self.next()
            count, sides = token.text.split("d")
            return self._dice(t.Num(int(count or 1)), int(sides), token)
        if token.is_("-"):
            self.next()
            return t.Arith("-", t.Num(0), self._factor())
        if token.is_("["):
            return self.bracket()
        if token.is_("roll"):
            self.next()
            count = self._factor() if self.now.is_("[", "(") or self.now.kind == NUMBER else t.Num(1)
            if isinstance(count, t.Dice):
                return count
            if self.now.is_("d") and self.ahead().is_("["):
                self.next()
                return t.Dice(count, self.bracket(), token.line)
            if self.now.kind == DICE and self.now.text.startswith("d"):
                return self._dice(count, int(self.next().text[1:]), token)
            if isinstance(count, t.Dice):
                return count
            raise self.fail("bad-dice", "roll needs dice, such as `roll [N] d6`")
        if token.is_("max", "min", "abs") and self.ahead().is_("("):
            self.next()
            self.next()
            args = [self.number()]
            while self.take(","):
                args.append(self.number())
            self.expect(")")
            return t.Fn(token.text, args)
        if token.is_("("):
            self.next()
            inner = self.number()
            if self.take("if"):
                test = self.check()
                no: t.Num_ = t.Num(0)
                if self.take("else"):
                    no = self.number()
                self.expect(")")
                return t.IfNum(test, inner, no)
            self.expect(")")
            return inner
        if token.is_("#"):
            run = self.component_call(("Value", "Effect", "Table"))
            return run
        if token.kind == WORD and (token.text == "d" or token.text.startswith("d")) and token.text[1:].isdigit():
            raise self.fail("bad-dice", f"'{token.text}' is no die")
        raise self.fail("type-mismatch", f"expected a number, found '{token.text or 'the end of the line'}'")

    def _dice(self, count: t.Num_, sides: int, token: Token) -> t.Num_:
        if sides == 0:
            raise Mistake("bad-dice", token, f"'{token.text}' has no faces")
        return t.Dice(count, t.Num(sides, "sides"), token.line)

    # ------------------------------------------------------------ brackets
    def bracket(self) -> t.Num_:
        """`[ ... ]`: a number by name."""
        opening = self.expect("[")
        value = self._inside(opening)
        if not self.now.is_("]"):
            raise self.fail("unexecutable", f"'{self.now.text}' does not belong in these brackets")
        self.next()
        return value

    def _inside(self, opening: Token) -> t.Num_:
        if self.take("number", "of", "seats"):
            return t.Geometry("seats", [])
        if self.take("number", "of"):
            return t.Count(self.selector(default="each"))
        for how in ("total", "highest", "lowest"):
            if self.now.is_(how) and not self.peek_name(self.resources):
                at = self.at
                self.next()
                if how == "highest" and self._tally_highest_here():
                    return self._tally(self.number())
                it = self.scope.new_it("?")
                mark = self.at
                # The value is about the candidate, which is only known after `among`.
                depth = 0
                while not (self.now.is_("among") and depth == 0):
                    if self.now.kind in (END, NEWLINE):
                        self.at = at
                        break
                    depth += self.now.is_("[", "(") - self.now.is_("]", ")")
                    self.next()
                if self.at == at:
                    break
                stop = self.at
                self.next()
                selector = self.selector(default="each")
                end = self.at
                self.at = mark
                self.scope.locals[it.name] = selector.type
                value = self._about(t.TLocal(selector.it, selector.type), self.number)
                if self.at != stop:
                    raise self.fail("unexecutable", f"'{self.now.text}' is not part of a number")
                self.at = end
                return t.Aggregate(how, value, selector)
        if self.take("distance", "from"):
            a = self.thing()
            self.expect("to")
            return t.Geometry("distance", [a, self.thing()])
        if self.take("side", "of"):
            a = self.thing()
            self.expect("toward")
            return t.Geometry("side", [a, self.thing()])
        if self.take("steps", "of"):
            return t.Geometry("steps", [self.thing()])
        if self.take("place", "of"):
            x = self.thing()
            self.expect("in")
            order = self.name(self.symbols.orders)
            if order is None:
                raise self.unknown("order", self.symbols.orders)
            return t.Geometry("rank", [x], order)
        if self.now.is_("x", "y") and self.ahead().is_("of"):
            what = self.next().text
            self.next()
            return t.Geometry(what, [self.thing()])
        special = self.special_number()
        if special is not None:
            return special
        stored = self.take("stored")
        walk = self.name(self.symbols.walks) if self.peek_name(self.symbols.walks) else None
        if walk is not None:
            self.expect("from")
            a = self.thing()
            self.expect("to")
            return t.Geometry("walk", [a, self.thing()], walk)
        return self._named(opening, stored)

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
                    name = next(s.name for s in self.symbols.statuses.values() if s.index == self.scope.status)
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
            word = self.name({norm(w) for w in table.words})
            if word is not None:
                faces = [i for i, w in enumerate(table.words) if norm(w) == word]
            else:
                key = self.name({norm(k) for k, c in table.columns.items() if c.type in (t.NUMBER, "mark")})
                if key is None:
                    raise self.unknown(f"face or column of {table.name}", [*table.words, *table.columns])
                column = next(c for c in table.columns if norm(c) == key)
        self.expect("of")
        self.next()
        return t.TallyNum(found[0], die, faces, column)

    def _prefixed(self, stored: bool) -> t.Num_ | None:
        """`[Target Heat]`: a role or thing-local, then one of its numbers."""
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
        if found is None or found[1] == t.NUMBER or found[1].startswith(t.TALLY) or self.ahead().is_("]", "of"):
            return None
        if self.peek_name(self.resources) and norm(token.text) not in ("Self", "Target", "Attacker"):
            full = self.peek_name(self.resources)
            if full is not None and full != token.text and full.startswith(token.text):
                return None
        self.next()
        thing: t.Thing_ = (
            t.TBuiltin("active", t.ACTOR) if found[0] == "active" and "active" not in self.scope.locals else t.TLocal(*found)
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

    def _of_thing(self, thing: t.Thing_, stored: bool) -> t.Num_:
        """A number of this thing: a resource, a maximum, a column."""
        at = self.at
        name = self.name(self.resources)
        if name is not None:
            resource = self.resources[name]
            maximum = bool(self.now.is_("Maximum", "Max")) and self.next() is not None
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
        for kind in (thing.type, t.FACE if thing.type == t.CARD else ("Terrain" if thing.type == t.SPACE else "")):
            table = self.symbols.list_of(kind) if kind else None
            if table is None:
                continue
            key = self.name({norm(c) for c in table.columns})
            if key is not None:
                column = next(c for c in table.columns if norm(c) == key)
                return t.ReadColumn(kind, column, thing)
        return None

    def _local_number(self) -> t.Num_ | None:
        key = self.name({n for n in self._number_names()})
        if key is None:
            return None
        return t.ReadLocal(self._number_names()[key])

    def _number_names(self) -> dict[str, str]:
        names = {norm(n): n for n in self.scope.numbers}
        for n, kind in self.scope.locals.items():
            if kind == t.NUMBER:
                names.setdefault(n, n)
        return names

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
                params = [*sequence.params, *sequence.keeps] if isinstance(sequence, t.Component) else sequence.params
                for param in params:
                    if norm(param.name).lower() == words.lower() and param.type == t.NUMBER:
                        return t.ReadKept(sequence, param.name)
        self.at = at
        return None

    def sequence_name(self) -> t.Component | t.ActionSym | None:
        """The name of a Sequence, or of an Action (whose declared things can be read while it runs)."""
        at = self.at
        name = self.name(k for k, c in self.components.items() if c.kind == "Sequence")
        if name is not None:
            return self.components[name]
        action = self.name(self.symbols.actions)
        if action is not None:
            return self.symbols.actions[action]
        self.at = at
        return None

    def _resource(self, opening: Token, stored: bool) -> t.Num_:
        at = self.at
        name = self.name(self.resources)
        value = None
        values = {k for k, c in self.components.items() if c.kind in ("Value", "Check") and not c.name.startswith("{")}
        keep, self.at = self.at, at
        if self.peek_name(values) is not None or name is None:
            value = self.name(values)
            if value is not None and name is not None and len(name) > len(value):
                value = None
        if value is not None:
            return self._value(self.components[value])
        self.at = keep if name is not None else at
        if name is None:
            table = self._table_column()
            if table is not None:
                return table
            column = self._bare_column()
            if column is not None:
                return column
            actor = self.name(self.symbols.actor_names)
            if actor is not None:
                return self._of_thing(t.TConst(t.ACTOR, self.symbols.actor_names[actor]), stored)
            names = [r.name for r in self.resources.values()]
            names += [c.name for c in self.components.values() if c.kind == "Value"]
            names += list(self._number_names().values())
            raise self.unknown("resource", names)
        resource = self.resources[name]
        maximum = bool(self.now.is_("Maximum", "Max")) and self.next() is not None
        if self.now.kind == WORD and not self.now.is_("of"):
            keep, self.at = self.at, at
            column = self._bare_column()  # its name may begin with that of a resource
            if column is not None:
                return column
            self.at = keep
        if resource.holds is not None:
            raise self.fail("type-mismatch", f"'{resource.name}' holds a {resource.holds}, not a number", opening)
        if self.take("of"):
            try:
                return self._owned(resource, stored, maximum)
            except Mistake as mistake:
                # Not a number of such a thing; perhaps a column of that name is meant.
                self.at = at
                column = self._bare_column()
                if column is None:
                    raise mistake from None
                return column
        return t.ReadRes(resource, self.default_owners(resource, opening), stored, maximum)

    def _owned(self, resource: t.Resource, stored: bool, maximum: bool) -> t.Num_:
        if len(resource.of) == 2:
            second = self.thing(resource.of[1])
            first = self.thing(resource.of[0]) if self.take("of") else self._default(resource.of[0], self.now)
            return t.ReadRes(resource, [first, second], stored)
        if not resource.of:
            raise self.fail("wrong-kind", f"'{resource.name}' belongs to the whole match")
        return t.ReadRes(resource, [self.thing(resource.of[0])], stored, maximum)

    def default_owners(self, resource: t.Resource, token: Token) -> list[t.Thing_]:
        """Whose number it is when nobody is named."""
        return [self._default(kind, token) for kind in resource.of]

    def _default(self, kind: str, token: Token) -> t.Thing_:
        owner = self.scope.owner
        if owner is not None and owner.type == kind:
            return owner
        for it in reversed(self.scope.it):
            if it.type == kind and owner is not None:
                return it
        found = self.scope.local("self")
        if found is not None and found[1] == kind:
            return t.TLocal("self", kind)
        if kind == t.CARD and self.scope.local("card"):
            return t.TLocal("card", t.CARD)
        if kind == t.ACTOR and self.scope.open:
            self.scope.wanted.setdefault("self", t.ACTOR)
            self.scope.locals["self"] = t.ACTOR
            return t.TLocal("self", t.ACTOR)
        raise Mistake("wrong-kind", token, f"say whose it is: there is no {kind} here that it could belong to")

    def _bare_column(self) -> t.Num_ | None:
        """`[SP]` inside a card's own text, or of the candidate."""
        candidates: list[t.Thing_] = []
        if self.scope.owner is not None:
            candidates.append(self.scope.owner)
        if self.scope.local("card"):
            candidates.append(t.TLocal("card", self.scope.locals["card"]))
        for thing in candidates:
            found = self._column_then_of(thing)
            if found is not None:
                return found
        at = self.at
        for table in (*self.symbols.lists.values(), self.symbols.faces, self.symbols.terrains):
            key = self.name({norm(c) for c in table.columns})
            if key is not None and self.take("of"):
                try:
                    thing = self.thing()
                except Mistake:
                    self.at = at
                    continue
                column = next(c for c in table.columns if norm(c) == key)
                kind = table.name
                if thing.type == kind or (kind == t.FACE and thing.type == t.CARD) or (kind == "Terrain" and thing.type == t.SPACE):
                    return t.ReadColumn(kind, column, thing)
            self.at = at
        return None

    def _column_then_of(self, thing: t.Thing_) -> t.Num_ | None:
        at = self.at
        found = self._column(thing)
        if found is not None and self.now.is_("of"):
            self.at = at
            return None
        return found

    def _table_column(self) -> t.Num_ | None:
        at = self.at
        tables = {k: c for k, c in self.components.items() if c.kind == "Table" and c.table is not None}
        for key in sorted(tables, key=len, reverse=True):
            self.at = at
            if self.name({key}) is None:
                continue
            table = tables[key].table
            assert table is not None
            column = self.name({norm(c) for c in table.columns})
            if column is not None and self.now.is_("]"):
                return t.ReadTable(tables[key], next(c for c in table.columns if norm(c) == column))
        self.at = at
        return None

    def _value(self, component: t.Component) -> t.Num_:
        args: list[object] = []
        self_: t.Thing_ | None = self.thing(t.ACTOR) if self.take("on") else None
        if component.params and self.take("of"):
            first = component.params[0]
            args = [self.argument(first)]
        elif self.take("with"):
            args = self.arguments(component)
        elif self.take("of"):
            self_ = self.thing(t.ACTOR)
        if self.take("with"):
            args += self.arguments(component, len(args))
        if self_ is None and self.scope.owner is not None and self.scope.owner.type == t.ACTOR and not args:
            self_ = self.scope.owner
        self.count_args(component, args)
        if component.kind == "Check":
            return t.Truth(t.RunCheck(component, self_, args))
        return t.Run(component, self_, args, self.now.line)

    # ------------------------------------------------------------ arguments
    def argument(self, param: t.Param) -> t.Num_ | t.Thing_:
        """An argument that fits the parameter."""
        if param.type == t.NUMBER:
            return self.number()
        return self.thing(param.type)

    def arguments(self, component: t.Component, skip: int = 0) -> list[object]:
        """`a, b, c` for the parameters from the `skip`th on."""
        args: list[object] = []
        for n, param in enumerate(component.params[skip:]):
            if n and not self.take(","):
                break
            args.append(self.argument(param))
        return args

    def count_args(self, component: t.Component, args: list[object]) -> None:
        """Complain when there are too few."""
        if len(args) < len(component.params) and not component.implicit:
            missing = component.params[len(args)].name
            raise self.fail("missing-part", f"'{component.name}' also needs '{missing}'")

    def component_call(self, kinds: tuple[str, ...] | None = None) -> t.Run:
        """`#Name [on X] [with a, b]`"""
        mark = self.expect("#")
        name = self.name(k for k, c in self.components.items())
        if name is None:
            raise self.unknown("component", [c.name for c in self.components.values()], self.now)
        component = self.components[name]
        if kinds is not None and component.kind not in kinds:
            raise Mistake("wrong-kind", mark, f"'{component.name}' is a {component.kind} and cannot stand here")
        self_: t.Thing_ | None = None
        args: list[object] = []
        if self.take("on"):
            self_ = self.thing(t.ACTOR)
        if self.take("with"):
            args = self.arguments(component)
        if self_ is None and self.take("on"):
            self_ = self.thing(t.ACTOR)
        if component.implicit and not args:
            self.inherit(component)
        self.count_args(component, args)
        run = t.Run(component, self_, args, mark.line)
        if component.kind == "Sequence" and self.take("from"):
            steps = [norm(name) for name, _, _ in component.steps]
            step = self.name(set(steps))
            if step is None:
                raise self.unknown(f"step of {component.name}", [name for name, _, _ in component.steps])
            run.start = steps.index(step)
        return run

    def inherit(self, component: t.Component) -> None:
        """An abbreviation uses its caller's roles; an open caller must pass them on."""
        for param in component.params:
            if self.scope.local(param.name) is not None:
                continue
            if not self.scope.open:
                raise self.fail("missing-part", f"'{component.name}' speaks of '{param.name}', and there is none here")
            self.scope.wanted[param.name] = param.type
            self.scope.locals[param.name] = param.type

    # ------------------------------------------------------------ things
    def me(self) -> t.Thing_:
        """Self, as seen from inside a body."""
        if self.scope.open and self.scope.local("self") is None:
            self.scope.wanted["self"] = t.ACTOR
            self.scope.locals["self"] = t.ACTOR
        found = self.scope.local("self")
        return t.TLocal("self", found[1]) if found else t.TConst(t.ACTOR, -1)

    def bearer(self) -> t.Thing_:
        """The candidate if it is an actor, else self."""
        if self.scope.owner is not None and self.scope.owner.type == t.ACTOR:
            return self.scope.owner
        return self.me()

    def thing(self, want: str | None = None) -> t.Thing_:
        """One thing; `want` helps to tell words apart and is checked."""
        token = self.now
        found = self._thing(want)
        while self.now.is_("'s"):
            self.next()
        if want is not None and found.type != want and not self._fits(found, want):
            raise Mistake("type-mismatch", token, f"expected a {want}, found a {found.type}")
        if want == t.SPACE and found.type == t.ACTOR:
            return t.TBuiltin("space", t.SPACE, [found])
        if want == t.FACE and found.type == t.CARD:
            return t.TBuiltin("face", t.FACE, [found])
        return found

    def _fits(self, found: t.Thing_, want: str) -> bool:
        if isinstance(found, t.TConst) and found.id == -1:
            found.type = want
            return True
        return (want == t.SPACE and found.type == t.ACTOR) or (want == t.FACE and found.type == t.CARD)

    def _thing(self, want: str | None) -> t.Thing_:
        token = self.now
        if token.is_("("):
            return self._grouped(want)
        if token.is_("#"):
            run = self.component_call(("Value", "Effect", "Table"))
            return run
        if token.kind not in (WORD, NUMBER, MARK, DICE):
            raise self.fail("type-mismatch", f"expected a thing, found '{token.text or 'the end of the line'}'")
        simple = self._simple_thing(want)
        if simple is not None:
            return simple
        if token.text in ONE or self._noun_ahead():
            selector = self.selector(default="the")
            return t.TSelect(selector, selector.type)
        raise self._unknown_thing(want)

    def _unknown_thing(self, want: str | None) -> Mistake:
        names: list[str] = []
        table = self.symbols.list_of(want) if want else None
        if table is not None:
            names = table.words
        elif want in (None, t.ACTOR):
            names = [a.name for a in self.symbols.actors] + list(self.scope.locals)
        if want is None:
            for table in (*self.symbols.lists.values(), self.symbols.faces):
                names = names + table.words
        return self.unknown(want.lower() if want else "thing", names)

    def _grouped(self, want: str | None) -> t.Thing_:
        at = self.at
        if want in (None, t.PLACE, t.SPACE):
            spot = self._coordinates(want)
            if spot is not None:
                return spot
        self.at = at
        self.expect("(")
        yes = self.thing(want)
        if self.take("if"):
            test = self.check()
            self.expect("else")
            no = self.thing(want)
            self.expect(")")
            return t.TIf(test, yes, no, yes.type)
        self.expect(")")
        return yes

    def _coordinates(self, want: str | None) -> t.Thing_ | None:
        """`(2,1)`: a named space, or a position on a map whose spaces are laid during play."""
        at = self.at
        text = ""
        while self.now.kind != END and len(text) < 12:
            text += self.next().text
            if text.endswith(")"):
                break
        if text in self.symbols.space_names:
            return t.TConst(t.SPACE, self.symbols.space_names[text])
        inner = text.strip("()").split(",")
        if any(m.grid == "spots" for m in self.symbols.maps.values()) and len(inner) == 2:
            try:
                x, y = int(inner[0]), int(inner[1])
            except ValueError:
                self.at = at
                return None
            place = t.TConst(t.PLACE, (x + 64) * 128 + y + 64)
            return place if want == t.PLACE else t.TBuiltin("at", t.SPACE, [place])
        self.at = at
        return None

    def _simple_thing(self, want: str | None) -> t.Thing_ | None:
        token = self.now
        at = self.at
        if token.kind == WORD and token.text in self.scope.things:
            self.next()
            return self.scope.things[token.text]
        if token.is_("aim") and self.symbols.frameworks:
            self.next()
            return t.TBuiltin("aim", t.ACTOR)
        if self.symbols.walks and token.is_("the") and self.walk_ahead(1):
            return self.way()
        if token.is_("none"):
            self.next()
            return t.TConst(want or "none", -1)
        if token.is_("self"):
            self.next()
            return self.me()
        if token.is_("it"):
            self.next()
            if self.scope.it:
                return t.TLocal(self.scope.it[-1].name, self.scope.it[-1].type)
            found = self.scope.local("it")
            if found is not None:
                return t.TLocal(*found)
            raise self.fail("unknown-name", "there is nothing here that 'it' could be", token)
        if token.is_("active"):
            self.next()
            return t.TBuiltin("active", t.ACTOR)
        if token.is_("seat") and (self.ahead().is_("[") or self.ahead().kind == NUMBER):
            self.next()
            return t.TBuiltin("seat", "Seat", [self._factor()])
        if self.take("last", "space"):
            return t.TBuiltin("last space", t.SPACE)
        if self.take("space", "at"):
            return t.TBuiltin("at", t.SPACE, [self.thing(t.PLACE)])
        if token.is_("space") and self.ahead().is_("of"):
            self.next()
            self.next()
            return t.TBuiltin("space", t.SPACE, [self.thing()])
        if token.is_("space") and norm(self.ahead().text) in {norm(w) for w in self.symbols.directions.words} and self.ahead(2).is_("of"):
            self.next()
            direction = self.thing(t.DIRECTION)
            self.expect("of")
            return t.TBuiltin("neighbour", t.SPACE, [direction, self.thing(t.SPACE)])
        if token.is_("space") and self.ahead().is_("toward"):
            self.next()
            self.next()
            direction = self.thing(t.DIRECTION)
            self.expect("of")
            return t.TBuiltin("neighbour", t.SPACE, [direction, self.thing(t.SPACE)])
        if self.take("direction", "from"):
            a = self.thing(t.SPACE)
            self.expect("to")
            return t.TBuiltin("direction", t.DIRECTION, [a, self.thing(t.SPACE)])
        if self.now.is_("end") and self.ahead().is_("of") and (self.scope.local(self.ahead(2).text) or ("", ""))[1] == t.PATH:
            self.at += 2
            return t.TBuiltin("path end", t.SPACE, [self.thing(t.PATH), self.me()])
        if self.take("facing", "of"):
            return t.TBuiltin("facing", t.DIRECTION, [self.thing(t.ACTOR)])
        if self.take("terrain", "of"):
            return t.TBuiltin("terrain", "Terrain", [self.thing(t.SPACE)])
        if self.take("owner", "of"):
            return t.TBuiltin("owner", t.ACTOR, [self.thing(t.CARD)])
        if self.take("side", "of"):
            return t.TBuiltin("side", t.SIDE, [self.thing(t.ACTOR)])
        if self.take("face", "of") or self.take("Face", "of"):
            return t.TBuiltin("face", t.FACE, [self.thing(t.CARD)])
        if self.take("source", "of"):
            status = self.status()
            owner = self.thing(t.ACTOR) if self.take("of") else self.bearer()
            return t.TBuiltin("source", t.ACTOR, [status, owner])
        if self.now.is_("next", "previous", "opposite") and not self.scope.local(self.now.text):
            word = self.next().text
            thing = self.thing()
            return t.TBuiltin(word, thing.type, [thing])
        if self.now.is_("turned") and want in (None, t.DIRECTION):
            self.next()
            inner = self.thing(t.DIRECTION)
            self.expect("by")
            return t.TBuiltin("turned", t.DIRECTION, [inner, self.number()])
        if (self.now.is_("the") and self.ahead().is_("top", "bottom") and self.ahead(2).is_("card")) or (
            self.now.is_("top", "bottom") and self.ahead().is_("card")
        ):
            self.take("the")
            what = self.next().text
            self.next()
            self.expect("of")
            zone, owner = self.zone()
            made: t.Thing_ = t.TBuiltin(what, t.CARD, [zone, owner])
            if self.take(",", "or", "else") or self.take("or", "else"):
                other = self.thing(t.CARD)
                made = t.TBuiltin("orelse", t.CARD, [made, other])
            return made
        local = self._local_thing()
        if local is not None:
            return local
        held = self._held(want)
        if held is not None:
            return held
        word = self._word(want)
        if word is not None:
            return word
        self.at = at
        return None

    def _local_thing(self) -> t.Thing_ | None:
        token = self.now
        if token.kind != WORD:
            return None
        if token.is_("this") and self.ahead().is_("card"):
            self.next()
            token = self.now
        low = token.text.lower()
        if (
            self.scope.open
            and low in ("target", "attacker")
            and self.scope.local(low) is None
            and not self.ahead().is_("of")
        ):
            self.scope.wanted[low] = t.ACTOR
            self.scope.locals[low] = t.ACTOR
        if self.ahead().is_("of") and token.text == low:
            at = self.at
            self.next()
            self.next()
            sequence = self.sequence_name()
            if sequence is not None:
                params = [*sequence.params, *sequence.keeps] if isinstance(sequence, t.Component) else sequence.params
                for param in params:
                    if param.name.lower() == low and param.type != t.NUMBER:
                        return t.TKept(sequence, param.name, param.type)
            self.at = at
        found = self.scope.local(token.text)
        if found is None or found[1] == t.NUMBER or found[1].startswith(t.TALLY) or token.text != low:
            return None
        self.next()
        return t.TLocal(*found)

    def _held(self, want: str | None) -> t.Thing_ | None:
        """A resource that holds a thing, or a column that does: `arm of card`, `Stance of self`."""
        at = self.at
        holding = {k: r for k, r in self.resources.items() if r.holds is not None}
        lowered = {k.lower(): k for k in holding}
        name = self.name(holding) or self.name(lowered)
        if name is not None:
            resource = holding.get(name) or holding[lowered[name]]
            assert resource.holds is not None
            if not resource.of:
                return t.THold(resource, [], resource.holds)
            mistake: Mistake | None = None
            if self.take("of"):
                try:
                    if len(resource.of) == 2:
                        second = self.thing(resource.of[1])
                        first = self.thing(resource.of[0]) if self.take("of") else self._default(resource.of[0], self.now)
                        return t.THold(resource, [first, second], resource.holds)
                    return t.THold(resource, [self.thing(resource.of[0])], resource.holds)
                except Mistake as problem:  # perhaps a column of that name is meant
                    mistake = problem
            elif not (self.symbols.words(name)):
                return t.THold(resource, self.default_owners(resource, self.now), resource.holds)
            self.at = at
            column = self._thing_column()
            if column is None and mistake is not None:
                raise mistake
            return column
        self.at = at
        return self._thing_column()

    def _thing_column(self) -> t.Thing_ | None:
        """A column that holds a thing: `arm of card`."""
        at = self.at
        for table in (*self.symbols.lists.values(), self.symbols.faces, self.symbols.terrains):
            columns = {norm(c.name): c for c in table.columns.values() if c.type not in (t.NUMBER, "text")}
            key = self.name(columns) or self.name({k.lower(): k for k in columns})
            if key is not None and self.take("of"):
                column = columns.get(key) or next(c for k, c in columns.items() if k.lower() == key)
                thing = self.thing()
                ok = thing.type == table.name or (table.name == t.FACE and thing.type == t.CARD)
                if ok or (table.name == "Terrain" and thing.type == t.SPACE):
                    return t.TColumn(table.name, column.name, thing, column.type)
            self.at = at
        return None

    def _word(self, want: str | None) -> t.Thing_ | None:
        """A word of a list, an actor, a printed card, a space."""
        at = self.at
        if want is not None:
            table = self.symbols.list_of(want)
            if table is not None:
                name = self.name({norm(w) for w in table.words})
                if name is not None:
                    return t.TConst(table.name, next(i for i, w in enumerate(table.words) if norm(w) == name))
        best: t.Thing_ | None = None
        end = at
        for table in self._word_tables(want):
            self.at = at
            name = self.name({norm(w) for w in table.words})
            if name is not None and self.at > end:
                end = self.at
                best = t.TConst(table.name, next(i for i, w in enumerate(table.words) if norm(w) == name))
        self.at = at
        if want in (None, t.ACTOR, t.SPACE):
            actor = self.name(self.symbols.actor_names)
            if actor is not None and self.at > end:
                end, best = self.at, t.TConst(t.ACTOR, self.symbols.actor_names[actor])
        self.at = at
        if want in (None, t.SPACE):
            space = self.name(self.symbols.space_names)
            if space is not None and self.at > end:
                end, best = self.at, t.TConst(t.SPACE, self.symbols.space_names[space])
        self.at = end if best is not None else at
        return best

    def _word_tables(self, want: str | None) -> list[t.ListSym]:
        if want is not None:
            return []
        s = self.symbols
        return [*s.lists.values(), s.sides, s.directions, s.faces, s.terrains, *s.dice.values()]

    # ------------------------------------------------------------ zones, statuses
    def zone(self) -> tuple[str, t.Thing_ | None]:
        """`Hand [of X]`: the zone and its owner (None for a match-wide one)."""
        name = self.name(self.symbols.zones)
        if name is None:
            raise self.unknown("zone", [z.name for z in self.symbols.zones.values()])
        zone = self.symbols.zones[name]
        if zone.of is None:
            return name, None
        if self.now.is_("of"):
            self.next()
            return name, self.thing(t.ACTOR)
        return name, self.bearer_for_zone()

    def bearer_for_zone(self) -> t.Thing_:
        """A bare zone is self's, or the candidate's if that is an actor."""
        return self.bearer()

    def status_name(self) -> str | None:
        """The key of a status; their case does not matter."""
        name = self.name(self.symbols.statuses)
        if name is not None:
            return name
        lowered = {k.lower(): k for k in self.symbols.statuses}
        at = self.at
        joined, best, length = "", None, 0
        for n in range(4):
            token = self.ahead(n)
            if token.kind != WORD:
                break
            joined += token.text.lower()
            if joined in lowered:
                best, length = lowered[joined], n + 1
        self.at = at + length
        return best

    def status(self) -> str | t.Thing_:
        """A status by name, or a thing that is one: `it`, a parameter."""
        name = self.status_name()
        if name is not None:
            return name
        at = self.at
        if self.now.kind == WORD and self.now.text.islower():
            found = self._simple_thing(t.STATUS)
            if found is not None and found.type == t.STATUS:
                return found
        self.at = at
        raise self.unknown("status", [s.name for s in self.symbols.statuses.values()])

    # ------------------------------------------------------------ selectors
    def _noun_ahead(self) -> bool:
        at = self.at
        try:
            n = 0
            while n < 4 and self._adjective(t.TLocal("probe", "?"), probe=True):
                n += 1
            return self._noun() is not None
        except Mistake:
            return False
        finally:
            self.at = at

    def _noun(self) -> tuple[str, str] | None:
        """The noun here: (noun, type)."""
        fixed = {
            "actor": t.ACTOR, "actors": t.ACTOR, "ally": t.ACTOR, "allies": t.ACTOR, "enemy": t.ACTOR, "enemies": t.ACTOR,
            "card": t.CARD, "cards": t.CARD, "space": t.SPACE, "spaces": t.SPACE, "tile": t.SPACE, "tiles": t.SPACE,
            "line": t.LINE, "face": t.FACE, "faces": t.FACE, "direction": t.DIRECTION, "directions": t.DIRECTION, "place": t.PLACE, "places": t.PLACE,
            "side": t.SIDE, "sides": t.SIDE, "status": t.STATUS, "statuses": t.STATUS,
        }  # fmt: skip
        singular = {"actors": "actor", "allies": "ally", "enemies": "enemy", "cards": "card", "spaces": "space",
                    "tile": "space", "tiles": "space", "faces": "face", "directions": "direction", "places": "place", "sides": "side", "statuses": "status"}  # fmt: skip
        if self.now.kind == WORD and self.now.text in fixed:
            word = self.next().text
            return singular.get(word, word), fixed[word]
        templates: dict[str, str] = {}
        for key in self.symbols.templates:
            templates[key] = key
            templates[key + "s"] = key
            templates[key.lower()] = key
            templates[key.lower() + "s"] = key
        name = self.name(templates)
        if name is not None:
            return "template:" + templates[name], t.ACTOR
        lists: dict[str, str] = {}
        for table in (*self.symbols.lists.values(), self.symbols.sides, self.symbols.terrains):
            for form in (table.name, table.name + "s", table.name.lower(), table.name.lower() + "s"):
                lists.setdefault(norm(form), table.name)
        name = self.name(lists)
        if name is not None:
            return "list", lists[name]
        return None

    def selector(self, default: str = "each", noun_type: str | None = None) -> t.Selector:
        """The whole phrase."""
        token = self.now
        quantifier, amount = self._quantifier(default)
        it = self.scope.new_it("?")
        made = t.Selector(quantifier, "", "?", it.name, amount, line=token.line)
        adjectives: list[t.Cond_] = []
        nearest_first = False
        other = beside = False
        while True:
            if self.now.is_("adjacent") and not self.ahead().is_("to"):
                self.next()
                beside = True
                continue
            if self.take("nearest"):
                nearest_first = True
                continue
            if self.now.is_("other") and not self.ahead().is_("than"):
                self.next()
                other = True
                continue
            at = self.at
            if self._noun() is not None and not self._adjective_wins(at):
                self.at = at
                break
            self.at = at
            found = self._adjective(it)
            if found is None:
                break
            if isinstance(found, (t.Compare, t.Both, t.Either, t.Never, t.Same, t.Has, t.Exists, t.RunCheck, t.CanPerform, t.InZone, t.OptionIs, t.Always, t.Sees)):
                adjectives.append(found)
        noun = self._noun()
        if noun is None:
            raise self.unknown("sort of thing", ["actor", "ally", "enemy", "card", "space", *[x.name for x in self.symbols.lists.values()], *self.symbols.templates])
        made.noun, made.type = noun
        it.type = made.type
        self.scope.locals[it.name] = made.type
        self._retype(adjectives, it)
        self._check_adjectives(adjectives, it, token)
        made.tests += adjectives
        before = (self.scope.owner, len(self.scope.it))
        self._relations(made, it)
        if other:
            made.tests.append(t.Never(t.Same(it, self.me())))
        if beside:
            made.tests.append(self._adjacent(it, self.me()))
        self.scope.owner = it
        self.scope.it.append(it)
        try:
            if self.take("where"):
                made.tests.append(self.check())
            if nearest_first:
                made.prefs.append(t.Pref(True, t.Geometry("distance", [self.me(), it])))
            self._preferences(made, it)
        finally:
            self.scope.owner = before[0]
            self.scope.it.pop()
        self._relations(made, it)
        self._late(made, it)
        if self.now.is_("or") and self.ahead().is_("else") and quantifier in ONE:
            self.next()
            self.next()
            made.orelse = self.thing(made.type)
        elif self.now.is_(",") and self.ahead().is_("or") and self.ahead(2).is_("else") and quantifier in ONE:
            self.at += 3
            made.orelse = self.thing(made.type)
        return made

    def _late(self, made: t.Selector, it: t.TLocal) -> None:
        """More preferences after the last relation, and lots for whoever is still equal."""
        if self.now.is_(",") and self.ahead().is_("then") and self.ahead(2).is_("lowest", "highest", "nearest", "by", "those"):
            self.at += 2
            made.prefs += self.preference_list(it)
        comma = self.now.is_(",") and self.ahead().is_("by") and self.ahead(2).is_("lot")
        if comma or (self.now.is_("by") and self.ahead().is_("lot")):
            self.at += 3 if comma else 2
            made.lots = True
            if self.take("among", "those", "where"):
                before = self.scope.owner
                self.scope.owner = it
                self.scope.it.append(it)
                try:
                    made.lots_for = self.check()
                finally:
                    self.scope.owner = before
                    self.scope.it.pop()

    def _retype(self, adjectives: list[t.Cond_], it: t.TLocal) -> None:
        for test in adjectives:
            inner = test.part if isinstance(test, t.Never) else test
            if isinstance(inner, t.Has) and isinstance(inner.thing, t.TLocal):
                inner.thing.type = it.type
            if isinstance(inner, t.RunCheck):
                for arg in inner.args:
                    if isinstance(arg, t.TLocal) and arg.name == it.name:
                        arg.type = it.type

    def _adjective_wins(self, at: int) -> bool:
        """A noun that is followed by another noun was an adjective: `Poisoned enemy`, `hero card`."""
        after = self.at
        again = self._noun()
        self.at = after
        return again is not None and not self.now.is_("of", "in", "at", "where")

    def _check_adjectives(self, tests: list[t.Cond_], it: t.TLocal, token: Token) -> None:
        for n, test in enumerate(tests):
            inner = test.part if isinstance(test, t.Never) else test
            if isinstance(inner, t.Has) and inner.what == "word?":
                made = self.word_test(it, inner.value)
                if made is None:
                    raise Mistake("type-mismatch", token, f"a {it.type} cannot be that")
                tests[n] = t.Never(made) if isinstance(test, t.Never) else made

    def word_test(self, thing: t.Thing_, pair: object) -> t.Cond_ | None:
        """`X is WORD`: by identity, by the column of that list, or by what the thing stands on."""
        list_name, number = pair  # type: ignore[misc]
        if thing.type == list_name:
            return t.Same(thing, t.TConst(list_name, number))
        if list_name == t.FACE and thing.type == t.CARD:
            return t.Same(t.TBuiltin("face", t.FACE, [thing]), t.TConst(t.FACE, number))
        if list_name == "Terrain" and thing.type == t.SPACE:
            return t.Has("terrain", thing, number)
        if list_name == t.SIDE and thing.type == t.ACTOR:
            return t.Has("side", thing, number)
        kind = t.FACE if thing.type == t.CARD else ("Terrain" if thing.type == t.SPACE else thing.type)
        table = self.symbols.list_of(kind)
        if table is not None:
            for column in table.columns.values():
                if column.type == list_name:
                    return t.Same(t.TColumn(kind, column.name, thing, list_name), t.TConst(list_name, number))
        for resource in self.resources.values():
            if resource.holds == list_name and resource.of == (thing.type,):
                return t.Same(t.THold(resource, [thing], list_name), t.TConst(list_name, number))
        return None

    def _adjective(self, it: t.TLocal, probe: bool = False) -> t.Cond_ | bool | None:
        at = self.at
        negated = self.take("not")
        start = self.at
        longest = max(self._name_end({norm(w) for w in table.words}) for table in (*self.symbols.lists.values(), self.symbols.faces))
        status = self.status_name()
        if status is not None and self.at >= longest:
            made: t.Cond_ = t.Has("status", it, self.symbols.statuses[status].index)
            return t.Never(made) if negated else made
        self.at = start
        checks = {k for k, c in self.components.items() if c.kind == "Check" and len(c.params) == 1 and c.params[0].type != t.NUMBER}
        checks |= {k for k, c in self.components.items() if c.kind == "Check" and (c.implicit or not c.params)}
        name = self.name(checks)
        if name is not None and self.at < longest:
            self.at, name = start, None
        if name is not None:
            component = self.components[name]
            if len(component.params) == 1 and not component.implicit:
                made = t.RunCheck(component, None, [it])
            else:
                made = t.RunCheck(component, it, [])
            return t.Never(made) if negated else made
        words_at = self.at
        columns = self._mark_column(it)
        marked = self.at
        self.at = words_at
        for table in (*self.symbols.lists.values(), self.symbols.terrains, self.symbols.sides, self.symbols.faces):
            word = self.name({norm(w) for w in table.words})
            if word is not None and columns is not None and self.at <= marked:
                self.at = words_at
                continue
            if word is not None:
                number = next(i for i, w in enumerate(table.words) if norm(w) == word)
                made = t.Has("word?", it, (table.name, number))  # type: ignore[arg-type]
                return t.Never(made) if negated else made
        if columns is not None:
            self.at = marked
            return t.Never(columns) if negated else columns
        self.at = at
        return None

    def _mark_column(self, it: t.TLocal) -> t.Cond_ | None:
        """A column of marks used as an adjective: `a Reach Weapon`, `each WEAPON card`."""
        for table in (self.symbols.faces, *self.symbols.lists.values(), self.symbols.terrains, self.symbols.status_list):
            marks = {norm(c.name) for c in table.columns.values() if c.type == "mark"}
            key = self.name(marks)
            if key is not None:
                column = next(c.name for c in table.columns.values() if norm(c.name) == key)
                return t.Compare("!=", t.ReadColumn(table.name, column, it), t.Num(0, "-"))
        return None

    def _quantifier(self, default: str) -> tuple[str, t.Num_ | None]:
        token = self.now
        if token.kind == NUMBER:
            return "up to", self.number()
        if token.is_("["):
            return "up to", self.bracket()
        if self.take("up", "to"):
            return "up to", self.number()
        for word in ("every", "each", "some", "no", "random", "the", "an", "a", "first", "any", "all", "All", "Single"):
            if token.is_(word):
                self.next()
                if word == "the":
                    self.take("first")
                if word in ("a", "an") and self.now.is_("random"):
                    self.next()
                    return "random", None
                return {"all": "every", "All": "every", "any": "some", "Single": "a"}.get(word, word), None
        if token.is_("nearest"):
            return "the", None
        return default, None

    def _relations(self, made: t.Selector, it: t.TLocal) -> None:
        while True:
            if self.now.is_("in") and self._zone_ahead():
                self.next()
                zone, owner = self.zone()
                made.domain, made.domain_args = "zone", [zone, owner]
            elif self.now.is_("in") and self._order_ahead():
                self.next()
                order = self.name(self.symbols.orders)
                made.domain, made.domain_args = "order", [order]
            elif self.take("at"):
                made.tests.append(t.Same(t.TBuiltin("space", t.SPACE, [it]), self.thing(t.SPACE)))
            elif self.now.is_("on") and made.type in (t.SPACE, t.ACTOR):
                self.next()
                where = self.thing()
                if where.type == t.LINE:
                    if made.type == t.SPACE:
                        made.domain, made.domain_args = "line", [where]
                    else:
                        inner = self.scope.new_it(t.SPACE)
                        probe = t.Selector("some", "space", t.SPACE, inner.name, None, "line", [where])
                        probe.tests.append(t.Same(inner, t.TBuiltin("space", t.SPACE, [it])))
                        made.tests.append(t.Exists(probe))
                elif where.type == t.PATH:
                    made.domain, made.domain_args = "path", [where, self.me()]
                    self.scope.locals["from"] = t.SPACE
                else:
                    space = it if made.type == t.SPACE else t.TBuiltin("space", t.SPACE, [it])
                    made.tests.append(t.Same(space, where if where.type == t.SPACE else t.TBuiltin("space", t.SPACE, [where])))
            elif self.take("from"):
                a = self.thing(t.SPACE)
                self.expect("to")
                made.domain, made.domain_args = "lines", [a, self.thing(t.SPACE)]
            elif self.take("adjacent", "to"):
                other = self.thing()
                if made.type == t.SPACE and made.domain == "all":
                    made.domain, made.domain_args = "adjacent", [other]
                else:
                    made.tests.append(self._adjacent(it, other))
            elif self.take("within"):
                amount = self.number()
                for word in ("space", "spaces", "tile", "tiles"):
                    self.take(word)
                where = self.thing() if self.take("of") else self.me()
                made.tests.append(t.Compare("<=", t.Geometry("distance", [it, where]), amount))
            elif self.take("other", "than"):
                made.tests.append(t.Never(t.Same(it, self.thing(made.type))))
            elif self.take("out", "of", "play"):
                made.out_of_play = True
            elif self.take("anywhere"):
                made.anywhere = True
            elif self.now.is_("of") and made.type == t.CARD:
                self.next()
                made.tests.append(t.Same(t.TBuiltin("owner", t.ACTOR, [it]), self.thing(t.ACTOR)))
            elif self.now.is_("of") and made.type == t.SPACE and self.ahead().kind == WORD:
                at = self.at
                self.next()
                zone = self._map_zone()
                if zone is None:
                    self.at = at
                    return
                made.domain, made.domain_args = "zone of map", [zone]
            elif self.now.is_("of") and made.type == t.STATUS:
                self.next()
                made.tests.append(t.Has("bears", self.thing(t.ACTOR), it))  # type: ignore[arg-type]
            elif self.now.is_("of") and made.type == t.ACTOR and made.noun in ("ally", "enemy"):
                self.next()
                made.domain_args = ["of", self.thing(t.ACTOR)]
            else:
                return

    def _adjacent(self, it: t.TLocal, other: t.Thing_) -> t.Cond_:
        made: t.Cond_ = t.Compare("==", t.Geometry("adjacent", [it, other]), t.Num(1, "-"))
        if it.type == other.type == t.ACTOR:
            return t.Both([t.Never(t.Same(it, other)), made])
        return made

    def _map_zone(self) -> tuple[MapSym, str] | None:
        for map_ in self.symbols.maps.values():
            key = self.name({norm(z) for z in map_.zones})
            if key is not None:
                return map_, next(z for z in map_.zones if norm(z) == key)
        return None

    def _zone_ahead(self) -> bool:
        self.at += 1
        found = self.peek_name(self.symbols.zones)
        self.at -= 1
        return found is not None

    def _order_ahead(self) -> bool:
        self.at += 1
        found = self.peek_name(self.symbols.orders)
        self.at -= 1
        return found is not None

    def _preferences(self, made: t.Selector, it: t.TLocal) -> None:
        if self.take("nearest"):
            where = self.thing() if self.take("to") else self.me()
            made.prefs.append(t.Pref(True, t.Geometry("distance", [where, it])))
        if self.take("with"):
            made.prefs += self.preference_list(it)
        elif self.now.is_("by") and self.ahead().kind == WORD:
            self.next()
            made.prefs += self._by_name(it)
        elif self.now.is_(",") and self.ahead().is_("lowest", "highest"):
            self.next()
            made.prefs += self.preference_list(it)
            self.take("first")
        if self.now.is_(",") and self.ahead().is_("then") and self.ahead(2).is_("lowest", "highest", "nearest", "by"):
            self.at += 2
            self._preferences_tail(made, it)

    def _preferences_tail(self, made: t.Selector, it: t.TLocal) -> None:
        if self.now.is_("nearest", "by"):
            self._preferences(made, it)
        else:
            made.prefs += self.preference_list(it)

    def _by_name(self, it: t.TLocal) -> list[t.Pref]:
        name = self.name(self.symbols.preferences)
        if name is None:
            raise self.unknown("preference", [d.title for d in self.symbols.preferences.values()])
        from rulewright.book.tokens import tokenize

        definition = self.symbols.preferences[name]
        lines = [line for f in definition.fields for line in f.lines]
        inner = Parser(tokenize(lines, []), self.symbols, self.scope)
        inner.scope.owner = it
        return inner.preference_list(it)

    def preference_list(self, it: t.TLocal) -> list[t.Pref]:
        """`lowest E, then highest E, then those where CHECK`; bare numbers are the candidate's."""
        before = self.scope.owner
        self.scope.owner = it
        self.scope.it.append(it)
        found: list[t.Pref] = []
        try:
            while True:
                if self.now.is_("lowest", "highest"):
                    low = self.next().text == "lowest"
                    value = self._preferred(it)
                    found.append(t.Pref(low, value, self.number() if self.take("per") else None))
                elif self.take("nearest"):
                    where = self.thing() if self.take("to") else self.me()
                    found.append(t.Pref(True, t.Geometry("distance", [where, it])))
                elif self.take("those", "where"):
                    found.append(t.Pref(False, t.Truth(self.check())))
                elif self.now.is_("by") and self.ahead().kind == WORD:
                    self.next()
                    found += self._by_name(it)
                elif self.peek_name(self.symbols.preferences) is not None:
                    found += self._by_name(it)
                else:
                    raise self.fail("unexecutable", "a preference is `lowest ...`, `highest ...`, `nearest`, `those where ...` or `by NAME`")
                self.take("first")
                if self.now.is_(",") and self.ahead().is_("then"):
                    self.at += 2
                    continue
                if self.take("then"):
                    continue
                return found
        finally:
            self.scope.owner = before
            self.scope.it.pop()

    def _preferred(self, it: t.TLocal) -> t.Num_:
        """A number, or the bare name of one: `with lowest Health`."""
        name = self.peek_name(self.resources) if self.now.kind == WORD and not self.now.core and self.symbols.frameworks else None
        if name is None:
            if self.now.kind == WORD and not self.now.core and self.symbols.frameworks and not self.now.is_("max", "min", "abs", "roll"):
                raise self.unknown("resource", [r.name for r in self.resources.values()])
            return self.number()
        resource = self.resources[name]
        token = self.now
        self.name(self.resources)
        return t.ReadRes(resource, self.default_owners(resource, token))

    # ------------------------------------------------------------ checks
    def check(self) -> t.Cond_:
        """or := and { OR and }"""
        parts = [self._and()]
        while self.now.is_("OR", "or") and not self.ahead().is_("else"):
            self.next()
            parts.append(self._and())
        return parts[0] if len(parts) == 1 else t.Either(parts)

    def _and(self) -> t.Cond_:
        parts = [self._unit()]
        while self.now.is_("AND", "and"):
            self.next()
            parts.append(self._unit())
        return parts[0] if len(parts) == 1 else t.Both(parts)

    def _unit(self) -> t.Cond_:
        token = self.now
        if self.take("not"):
            return t.Never(self._unit())
        if token.is_("#"):
            at = self.at
            run = self.component_call()
            if run.component.kind == "Check":
                return t.RunCheck(run.component, run.self_, run.args)
            self.at = at
            return self._comparison() if run.component.gives == t.NUMBER else self._about_thing()
        phrase = self._check_phrase()
        if phrase is not None:
            return phrase
        sentence = self.sentence(("Check",))
        if sentence is not None:
            return t.RunCheck(sentence.component, sentence.self_, sentence.args)
        if token.is_("some", "no", "any") or (token.is_("there") and self.ahead().is_("is")):
            if self.take("there", "is"):
                token = self.now
            negative = token.is_("no")
            found = t.Exists(self.selector(default="some"))
            return t.Never(found) if negative else found
        if token.is_("("):
            return self._parenthesis()
        if self._number_starts():
            return self._comparison()
        bare = self._bare_check()
        if bare is not None:
            return bare
        option = self.peek_name(self.symbols.options)
        if option is not None:
            at = self.at
            self.name(self.symbols.options)
            if self.take("is"):
                negative = self.take("not")
                sym = self.symbols.options[option]
                word = self.name({norm(w) for w in sym.words})
                if word is not None:
                    number = next(i for i, w in enumerate(sym.words) if norm(w) == word)
                    found2: t.Cond_ = t.OptionIs(option, number)
                    return t.Never(found2) if negative else found2
                raise self.unknown(f"word of {sym.name}", sym.words)
            self.at = at
        return self._about_thing()

    def _bare_check(self) -> t.Cond_ | None:
        """A Check's name alone speaks of the thing looked at: `through Open`, `where Free`."""
        if not self.scope.it:
            return None
        at = self.at
        it = self.scope.it[-1]
        found = self.name({k for k, c in self.components.items() if c.kind == "Check"})
        if found is not None and not self.now.is_("is", "of"):
            component = self.components[found]
            if len(component.params) == 1 and not component.implicit and component.params[0].type == it.type:
                return t.RunCheck(component, None, [it])
            if it.type == t.ACTOR and (component.implicit or not component.params):
                return t.RunCheck(component, it, [])
        self.at = at
        return None

    def number_or_thing(self) -> t.Num_ | t.Thing_:
        """Whichever it is; in parentheses both can stand."""
        if self._number_starts():
            return self.number()
        if not self.now.is_("("):
            return self.thing()
        at = self.at
        try:
            return self.number()
        except Mistake as mistake:
            self.at = at
            try:
                return self.thing()
            except Mistake:
                raise mistake from None

    def _number_starts(self) -> bool:
        token = self.now
        return token.kind in (NUMBER, DICE) or token.is_("[", "-", "roll", "max", "min", "abs")

    def _parenthesis(self) -> t.Cond_:
        at = self.at
        try:
            self.expect("(")
            inner = self.check()
            self.expect(")")
            if self.now.is_(*COMPARE, "+", "-", "*", "/"):
                raise self.fail("unexecutable", "a check is not a number")
            return inner
        except Mistake as first:
            if first.diagnostic.code not in ("unexecutable", "type-mismatch"):
                raise
            self.at = at
            return self._comparison()

    def _comparison(self) -> t.Cond_:
        left = self.number()
        token = self.now
        if token.is_("is"):
            self.next()
            negative = self.take("not")
            found = self._number_is(left)
            return t.Never(found) if negative else found
        if token.is_("==", "=>", "=<"):
            raise self.fail("unexecutable", f"'{token.text}' is no comparison; write '=', '>=' or '<='")
        if token.is_("+=", "-=", "*=", "/="):
            raise self.fail("unexecutable", "an assignment cannot stand in a check")
        if token.kind != MARK or token.text not in COMPARE:
            raise self.fail("unexecutable", f"expected a comparison, found '{token.text or 'the end of the line'}'")
        self.next()
        right = self.number()
        if self.now.kind == MARK and self.now.text in COMPARE:
            raise self.fail("unexecutable", "a comparison cannot be chained; join two with AND")
        return t.Compare(COMPARE[token.text], self.final(left, token), self.final(right, token))

    def final(self, value: t.Num_, token: Token) -> t.Num_:
        """A whole number of a book: where its numbers are never below 0, this is where that holds."""
        if token.core or not self.symbols.frameworks or not str(self.symbols.front.get("numbers", "")).startswith("never"):
            return value
        return t.Final(value)

    def _number_is(self, left: t.Num_) -> t.Cond_:
        parts: list[t.Cond_] = []
        while True:
            low = self.number()
            if self.take("to"):
                parts.append(t.Both([t.Compare(">=", left, low), t.Compare("<=", left, self.number())]))
            elif self.take("or", "more"):
                parts.append(t.Compare(">=", left, low))
            elif self.take("or", "less"):
                parts.append(t.Compare("<=", left, low))
            else:
                parts.append(t.Compare("==", left, low))
            if self.now.is_(",") and self.ahead().kind == NUMBER:
                self.next()
                continue
            if self.now.is_("or") and self.ahead().kind == NUMBER:
                self.next()
                continue
            return parts[0] if len(parts) == 1 else t.Either(parts)

    def _about_thing(self) -> t.Cond_:
        token = self.now
        thing = self.thing()
        special = self.special_check(thing)
        if special is not None:
            return special
        if self.take("can", "perform"):
            name = self.name(self.symbols.actions)
            if name is None:
                raise self.unknown("action", [a.name for a in self.symbols.actions.values()])
            target = self.thing() if self.take("on") else None
            return t.CanPerform(thing, self.symbols.actions[name], target)
        if self.take("can", "become"):
            return t.CanBecome(thing, self.status())
        if self.take("sees"):
            goal = self.thing(t.SPACE)
            self.expect("unless")
            it = self.scope.new_it(t.SPACE)
            before = self.scope.owner
            self.scope.owner = it
            self.scope.it.append(it)
            try:
                past = self.check()
            finally:
                self.scope.owner = before
                self.scope.it.pop()
            return t.Sees(thing if thing.type == t.SPACE else t.TBuiltin("space", t.SPACE, [thing]), goal, it.name, past)
        if not self.now.is_("is", "are", "has"):
            raise self.fail("unexecutable", f"'{token.text}' does not begin a check that this book knows", token)
        has = self.next().text == "has"
        if has and (self.take("a", "seat") or self.take("no", "seat")):
            seated: t.Cond_ = t.Has("seat", thing)
            return t.Never(seated) if self.tokens[self.at - 2].is_("no") else seated
        if has:
            self.take("feature")
            feature = self.name(self.symbols.features)
            if feature is not None:
                return t.Has("feature", thing, self.symbols.features[feature].index)
        negative = self.take("not")
        parts = [self._predicate(thing)]
        while (self.now.is_(",") and self._predicate_follows(1)) or (self.now.is_("or") and self._predicate_follows(1)):
            self.next()
            self.take("or")
            parts.append(self._predicate(thing))
        found: t.Cond_ = parts[0] if len(parts) == 1 else t.Either(parts)
        return t.Never(found) if negative else found

    def _predicate_follows(self, skip: int) -> bool:
        at = self.at
        self.at += skip
        self.take("or")
        self.take("a") or self.take("an")
        word = self.now
        ok = word.kind == WORD and word.text[:1].isupper() and word.text not in ("AND", "OR")
        if ok:
            n = 0
            while self.ahead(n).kind in (WORD, NUMBER) and not self.ahead(n).is_("is", "AND", "OR", "and"):
                n += 1
            ok = not self.ahead(n).is_("is") and not self.ahead(n).is_("of")
        self.at = at
        return ok

    def _predicate(self, thing: t.Thing_) -> t.Cond_:
        token = self.now
        if self.take("none"):
            return t.Same(thing, t.TConst(thing.type, -1))
        if self.take("in", "play"):
            return t.Has("play", thing)
        if self.take("out", "of", "play"):
            return t.Never(t.Has("play", thing))
        if self.take("laid"):
            return t.Has("laid", thing)
        if self.take("adjacent", "to"):
            other = self.thing()
            made: t.Cond_ = t.Compare("==", t.Geometry("adjacent", [thing, other]), t.Num(1, "-"))
            if thing.type == other.type == t.ACTOR:
                return t.Both([t.Never(t.Same(thing, other)), made])
            return made
        if self.take("within"):
            amount = self.number()
            for word in ("space", "spaces", "tile", "tiles"):
                self.take(word)
            self.expect("of")
            return t.Compare("<=", t.Geometry("distance", [thing, self.thing()]), amount)
        if self.now.is_("in") and self._zone_ahead():
            self.next()
            zone, owner = self.zone()
            return t.InZone(thing, zone, owner)
        if self.now.is_("in") and self._order_ahead():
            self.next()
            order = self.name(self.symbols.orders)
            return t.Compare(">=", t.Geometry("rank", [thing], order or ""), t.Num(0, "-"))
        if self.take("in"):
            zone2 = self._map_zone()
            if zone2 is not None:
                return t.Has("region", thing, zone2)  # type: ignore[arg-type]
            raise self.unknown("zone", [z.name for z in self.symbols.zones.values()])
        if self.now.is_("at") and thing.type == t.ACTOR:
            self.next()
            return t.Same(t.TBuiltin("space", t.SPACE, [thing]), self.thing(t.SPACE))
        self.take("a") or self.take("an") or self.take("the")
        if self.take("ally", "of"):
            return t.Both([t.Has("ally", thing, self.thing(t.ACTOR)), t.Has("play", thing)])  # type: ignore[arg-type]
        if self.take("enemy", "of"):
            return t.Never(t.Has("same side", thing, self.thing(t.ACTOR)))  # type: ignore[arg-type]
        if self.take("ally"):
            return t.Has("ally", thing, self.me())  # type: ignore[arg-type]
        if self.take("enemy"):
            return t.Never(t.Has("same side", thing, self.me()))  # type: ignore[arg-type]
        return self._predicate_name(thing, token)

    def _predicate_name(self, thing: t.Thing_, token: Token) -> t.Cond_:
        if thing.type == t.ACTOR:
            status = self.status_name()
            if status is not None:
                return t.Has("status", thing, self.symbols.statuses[status].index)
            templates = {form: k for k in self.symbols.templates for form in (k, k.lower())}
            template = self.name(templates)
            if template is not None:
                return t.Has("template", thing, self.symbols.templates[templates[template]].index)
        probe = t.TLocal("probe", thing.type)
        at = self.at
        found = self._adjective(probe)
        if found is not None and found is not True and found is not False:
            inner = found.part if isinstance(found, t.Never) else found
            if isinstance(inner, t.Has) and inner.what == "word?":
                test = self._best_word(thing, at, inner.value)
                if test is not None:
                    return test
            elif isinstance(inner, t.RunCheck):
                return t.RunCheck(inner.component, thing if not inner.args else None, [thing] if inner.args else [])
            elif isinstance(inner, t.Compare) and isinstance(inner.left, t.ReadColumn):
                return t.Compare("!=", t.ReadColumn(inner.left.list, inner.left.column, thing), t.Num(0, "-"))
        self.at = at
        if thing.type == t.CARD:
            printed = self._best_word(thing, at, None)
            if printed is not None:
                return printed
            self.at = at
        other = self.thing(thing.type if thing.type not in ("none", "?") else None)
        return t.Same(thing, other)

    def _best_word(self, thing: t.Thing_, at: int, first: object) -> t.Cond_ | None:
        """The word may be in several lists: take the list that fits the thing."""
        tables = (*self.symbols.lists.values(), self.symbols.terrains, self.symbols.sides, self.symbols.faces, self.symbols.directions)
        best: t.Cond_ | None = None
        end = at
        for table in tables:
            self.at = at
            word = self.name({norm(w) for w in table.words})
            if word is None or self.at < end:
                continue
            number = next(i for i, w in enumerate(table.words) if norm(w) == word)
            made = self.word_test(thing, (table.name, number))
            if made is not None and self.at > end:
                best, end = made, self.at
        self.at = end
        return best

    # ------------------------------------------------------------ phrases
    def phrase(self, place: str, stop: Stop) -> list[Token] | None:
        """The tokens that a phrase of the book's framework stands for, if one stands here."""
        if self.now.core or not self.symbols.phrases:
            return None
        found = self.symbols.phrases.find(place, self.tokens, self.at, stop)
        if found is None:
            return None
        at = self.now
        self.at = found.end
        return [*expand(found.phrase.fields[0][1], found.captured, at), Token(END, "", at.file, at.line, at.column)]

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
        for n, (sort, text) in enumerate(pattern.parts):
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
