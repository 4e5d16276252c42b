"""Scenes as they are read -> components that tell, ask, test and lead on.

In:  Scene objects.
Out: one component a scene, with the lead actor as its self; one that runs the scene it is given, and those
     that begin and end a story.

What runs first: the text, the chosen option's cost and lines, then the scene's own lines in the order in
which they are written, then the transition: of a branch, else of the option, else of the scene.
"""

from __future__ import annotations

import re
from typing import Any

from rulewright.book import tree as t
from rulewright.book.blocks.parts import Act, Choice, Scene
from rulewright.book.blocks.state import Blocks
from rulewright.book.bodies.fields import field_block, field_check
from rulewright.book.bodies.state import Bodies
from rulewright.book.bodies.trees import Trees
from rulewright.book.grammar.scope import Scope
from rulewright.book.symbols import norm
from rulewright.book.text.front import as_names
from rulewright.book.text.source import Line

GOTO = re.compile(r'^(?:Transition to\s+|Transition:\s+|Skip to\s+)?(?:(?P<kind>[A-Z]\w*)\s+"[^"]*"|End)\.?$')


def needs_roles(c: Blocks) -> None:
    """Where scenes lead is the book's own affair."""
    if "next" not in as_names(c.source.front.get("roles")):
        help_ = (
            "`roles: {next: NAME}` in front matter, an Effect `with: phase (Phase)` that notes where to go"
        )
        c.problem("missing-part", c.blocks["Scene"][0].line, "scenes need the role `next`", help_)
        c.blocks["Scene"] = []


def write(c: Blocks) -> None:
    """A component for each scene; those that run one, end the match, and say where the story begins."""
    for number, scene in enumerate(c.scenes, 1):
        c.component(
            f"Scene {number}",
            lambda bodies, scope, scene=scene: _Writer(c, bodies, scope, scene).write(),
            scene.d,
        )
    c.component("Run Scene", lambda bodies, scope: _run_scene(c, Trees(bodies)), with_="phase (Phase)")
    c.component("Opening", lambda bodies, scope: _opening(c, Trees(bodies)))
    c.component("Run Ending", lambda bodies, scope: _run_ending(c, Trees(bodies)), with_="phase (Phase)")


def _run_scene(c: Blocks, tree: Trees) -> t.Block_:
    """The scene that is given; 1 if it is one."""
    made: t.Block_ = []
    for number, scene in enumerate(c.scenes, 1):
        test = t.Same(t.TLocal("phase", "Phase"), tree.word("Phase", scene.word))
        made.append(tree.when(test, [tree.run(f"Scene {number}", on=tree.none()), tree.give(1)]))
    return [*made, tree.give(0)]


def _opening(c: Blocks, tree: Trees) -> t.Block_:
    """Where the story begins: as the book says, or at its first scene or encounter."""
    first: tuple[str, str] | None = None
    stated = False
    for f in c.kinds[c.settings.kind].of_shape("start") if c.settings else ():
        said = c.settings.get(f.name) if c.settings else None
        if said is not None and said.lines:
            stated, kind = True, f.name.split()[-1]
            found = (kind, norm(said.text.strip().strip('"')))
            if found in c.phases:
                first = first or found
            else:
                known = [x.split(" ", 1)[1] for (k, _), x in c.phases.items() if k == kind]
                c.unknown(kind.lower(), said.text.strip().strip('"'), said.lines[0], known)
    blocks = [(x.d.line.number, x.d.kind, norm(x.d.title)) for x in (*c.scenes, *c.encounters)]
    if first is None and not stated and blocks:
        first = min(blocks)[1:]
    if first is None:
        return []
    return [tree.call(tree.role("next"), tree.word("Phase", c.phases[first]))]


def _run_ending(c: Blocks, tree: Trees) -> t.Block_:
    """End the match as the phase says that is given; 0 if it is no ending."""
    lost = {
        found
        for encounter in c.encounters
        for key, found in encounter.transitions.items()
        if key == norm(tree.role("loss"))
    }
    made: t.Block_ = []
    for (kind, key), word in c.phases.items():
        if kind == "Ending":
            index = next(i for i, e in enumerate(tree.s.endings) if norm(e) == key)
            end = t.EndMatch(index, None, "loss" if (kind, key) in lost else "win")
            made.append(tree.when(t.Same(t.TLocal("phase", "Phase"), tree.word("Phase", word)), [end]))
    return [*made, tree.give(0)]


class _Writer:
    """Builds the body of one scene."""

    def __init__(self, c: Blocks, bodies: Bodies, scope: Scope, scene: Scene) -> None:
        self.c = c
        self.bodies = bodies
        self.scope = scope
        self.scope.scene = True
        self.scene = scene
        self.tree = Trees(bodies, scene.d.line.number)

    def write(self) -> t.Block_:
        tree, scene = self.tree, self.scene
        named = self.named(scene.lead) if scene.lead is not None else tree.none()
        lead: t.Thing_ = named
        if scene.lead is None or tree.s.roles.lead is not None:
            lead = t.Run(tree.role("lead"), None, [named], tree.line)
        body = [self.say("\n".join(scene.story))] if scene.story else []
        body += [self.passed(0)] if tree.s.roles.check is not None else []
        body += [*self.choose(), *self.done(scene.acts)]
        if scene.condition:
            skip = self.goto(scene.skip) if scene.skip is not None else []
            body = [tree.when(self.holds(scene.condition), body, skip)]
        return [t.AsSelf(lead, body, line=tree.line)]

    def named(self, said: Line) -> t.TConst:
        """Whom `Lead:` names."""
        if norm(said.text) in self.tree.s.actor_names:
            return self.tree.actor(said.text)
        names = [x.name for x in self.c.actors.values()] or [x.name for x in self.tree.s.actors]
        self.c.unknown("actor", said.text, said, names)
        return self.tree.none()

    def say(self, text: str) -> t.Stmt_:
        """A text as it stands: braces name nothing in it."""
        return t.Say(_plain(text), [], line=self.tree.line)

    def holds(self, lines: list[Line]) -> t.Cond_:
        return field_check(self.bodies, lines, self.scope) or t.Always(True)

    def done(self, acts: list[Act]) -> t.Block_:
        """What a scene or an option does, and then where it leads."""
        made = [statement for act in acts for statement in self.act(act)]
        return made + self.transitions(acts)

    def effects(self, lines: list[Line]) -> t.Block_:
        """Effects, or a transition."""
        joined = " ".join(x.text for x in lines).strip()
        way = GOTO.match(joined) if len(lines) == 1 else None
        if way and (way["kind"] is None or way["kind"] in {kind for kind, _ in self.c.phases}):
            return self.goto(lines[0])
        return field_block(self.bodies, lines, self.scope)

    def goto(self, line: Line) -> t.Block_:
        found = self.c.goto(line)
        if found is None or found not in self.c.phases:
            if found == ("Ending", norm(self.c.complete)):
                words = f"`{line.text}` ends a story, and no ending is called '{self.c.complete}'"
                self.c.problem(
                    "missing-part", line, words, 'write `Ending "NAME"`, or `roles: {ending: NAME}`'
                )
            return []
        return [self.tree.call(self.tree.role("next"), self.tree.word("Phase", self.c.phases[found]))]

    def passed(self, value: int) -> t.Stmt_:
        """No check yet, one that succeeded, one that failed."""
        return t.SetNumber(self.verdict(), "=", t.Num(value, "-"), None, None, line=self.tree.line)

    def verdict(self) -> t.ReadRes | t.ReadLocal:
        """How the last check went: for the whole book, if it wants to know, or else for the scene."""
        role = self.tree.s.roles.check
        if role is not None:
            return t.ReadRes(role, [])
        self.scope.locals["verdict"] = t.NUMBER
        return t.ReadLocal("verdict")

    def choose(self) -> t.Block_:
        options: list[t.ChoiceOption] = []
        for choice in self.scene.choices:
            tests: list[t.Cond_] = []
            body: t.Block_ = []
            if choice.cost is not None:
                price = self.price(choice)
                if price is None:
                    continue
                tests.append(t.Compare(">=", price, t.Num(choice.cost[0])))
                body.append(
                    t.SetNumber(price, "-=", t.Num(choice.cost[0]), None, None, line=choice.line.number)
                )
            if choice.requires is not None:
                tests.append(self.holds([choice.requires]))
            body += self.done(choice.acts)
            test = t.joined(t.Both, tests) if tests else None
            label = _plain(f"{choice.letter}) {choice.text}")
            options.append(t.ChoiceOption(label, test, None, body, choice.line.number))
        return [t.Choose(options, None, self.scene.d.title, line=self.tree.line)] if options else []

    def price(self, choice: Choice) -> Any:
        assert choice.cost is not None
        _, name, line = choice.cost
        known = self.bodies.symbols.resources_for(True)
        resource = known.get(norm(name))
        if resource is None:
            self.c.unknown("resource", name, line, [r.name for r in known.values() if not r.builtin])
            return None
        return t.ReadRes(resource, [self.tree.me()] if resource.of else [])

    def act(self, act: Act) -> t.Block_:
        self.tree.line = act.line.number
        match act.kind:
            case "text":
                return [self.say(" ".join(x.text for x in act.lines))]
            case "effect":
                return self.effects(act.lines)
            case "check":
                return self.check(act)
            case "roll":
                return self.roll(act)
            case _:
                return []

    def check(self, act: Act) -> t.Block_:
        tree = self.tree
        made: t.Block_ = [t.ForgetNatural(line=tree.line)]
        made.append(tree.when(self.holds(act.lines), [self.passed(1)], [self.passed(2)]))
        then, orelse = (
            self.effects(act.branches[k]) if k in act.branches else [] for k in ("success", "failure")
        )
        plain = tree.when(t.Compare("==", self.verdict(), t.Num(1)), then, orelse)
        for key, face in (("critical failure", 1), ("critical success", 20)):
            if key in act.branches:
                natural = t.Compare("==", t.NaturalFace("face"), t.Num(face, "-"))
                plain = tree.when(natural, self.effects(act.branches[key]), [plain])
        return [*made, plain]

    def roll(self, act: Act) -> t.Block_:
        """A random table; every possible result has exactly one row."""
        dice = act.lines[0]
        match = re.fullmatch(r"(\d*)d(\d+)", dice.text)
        if match is None or not int(match.group(2)):
            self.c.problem("bad-dice", dice, f"'{dice.text}' is no dice")
            return []
        count, sides = int(match.group(1) or 1), int(match.group(2))
        results = set(range(count, count * sides + 1))
        claimed: set[int] = set()
        for low, high, _ in act.rows:
            row = set(range(low, high + 1))
            if row & claimed:
                self.c.problem("table-overlap", act.line, f"two rows claim {min(row & claimed)}")
            claimed |= row
        if results - claimed:
            self.c.problem("table-gap", act.line, f"no row is for {min(results - claimed)}")
        elif claimed - results:
            self.c.problem("unreachable-row", act.line, f"'{dice.text}' cannot give {max(claimed - results)}")
        at = act.line.number
        value = t.ReadLocal(norm(f"rolled {at}"))
        self.scope.locals[value.name] = t.NUMBER
        thrown = t.Dice(t.Num(count, "-"), t.Num(sides, "sides"), at)
        made: t.Block_ = [t.SetNumber(value, "=", thrown, line=at)]
        for low, high, lines in act.rows:
            test = t.Both([t.Compare(">=", value, t.Num(low, "-")), t.Compare("<=", value, t.Num(high, "-"))])
            made.append(t.IfStmt(test, self.effects(lines), [], line=lines[0].number))
        return made

    def transitions(self, acts: list[Act]) -> t.Block_:
        """`If COND: ...` lines in order, then the unconditional one."""
        made: t.Block_ = []
        last: t.Block_ = []
        for act in acts:
            self.tree.line = act.line.number
            if act.kind == "if":
                made.append(self.tree.when(self.holds(act.lines), self.goto(act.branches["goto"][0])))
            elif act.kind == "transition":
                last += self.goto(act.lines[0]) if act.lines else []
        return [*made, *last]


def _plain(text: str) -> str:
    return text.replace("{", "(").replace("}", ")")
