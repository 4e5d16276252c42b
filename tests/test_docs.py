"""Documents say what is there, and nothing that is not.

Modules against ARCHITECTURE.md, diagnostic codes against docs/diagnostics.md, commands and their options
against docs/commands.md, settings against docs/, links against files, excerpts against the books they are
from; and every `python` fence runs.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

import rulewright
from rulewright.diagnostics import CODES

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"])
names = [page.relative_to(ROOT).as_posix() for page in PAGES]


def differences(there: Iterable[str], documented: Iterable[str]) -> list[str]:
    a, b = set(there), set(documented)
    return [f"not documented: {name}" for name in sorted(a - b)] + [
        f"not there: {name}" for name in sorted(b - a)
    ]


# modules


def modules(src: Path) -> set[str]:
    paths = (path.relative_to(src).with_suffix("").parts for path in src.rglob("*.py"))
    return {".".join(parts[:-1] if parts[-1] == "__init__" else parts) for parts in paths}


def module_rows(page: str) -> list[str]:
    """The packages that have rows, and the modules that these name."""
    rows = re.findall(r"^\| `(rulewright[\w.]*)` \| [^|]* \| ([^|]*) \|$", page, re.M)
    named = [
        [package, *(f"{package}.{one}" for one in re.findall(r"`(\w+)`", inside))] for package, inside in rows
    ]
    return [name for names in named for name in names]


def test_architecture_names_each_module() -> None:
    rows = module_rows((ROOT / "ARCHITECTURE.md").read_text("utf-8"))
    assert differences(modules(ROOT / "src"), rows) == [], "`make rows` mends this"
    assert len(rows) == len(set(rows))


def test_control_missing_and_stale_modules_are_caught(tmp_path: Path) -> None:
    (tmp_path / "rulewright").mkdir()
    for name in ("__init__", "new", "old"):
        (tmp_path / "rulewright" / f"{name}.py").write_text("")
    found = differences(modules(tmp_path), module_rows("| `rulewright` | all | `gone`, `old` |\n"))
    assert found == ["not documented: rulewright.new", "not there: rulewright.gone"]


def walks(page: str) -> str:
    """What ARCHITECTURE.md tells of one sentence and of one decision."""
    return page[page.index("## The walk of one sentence") : page.index("## Packages")]


def test_the_walks_visit_every_module_that_makes_code_and_none_that_is_gone() -> None:
    told = set(re.findall(r"`([\w.]+)`", walks((ROOT / "ARCHITECTURE.md").read_text("utf-8"))))
    last = {name.rpartition(".")[2] for name in told}
    src = modules(ROOT / "src")
    met = {name for name in src if name.startswith(("rulewright.lower.", "rulewright.ir."))}
    unseen = {name for name in met if name.rpartition(".")[2] not in last and ".kernels_" not in name}
    assert unseen == set()
    words = {part for name in src for part in name.split(".")}
    assert {name for name in last if name.islower() and name not in words} == set()


# diagnostic codes


def code_rows(page: str) -> dict[str, str]:
    return dict(re.findall(r"^\| `([a-z-]+)` \| ([^|]*?) \|", page, re.M))


def code_problems(codes: Mapping[str, str], rows: Mapping[str, str]) -> list[str]:
    shared = sorted(set(codes) & set(rows))
    return differences(codes, rows) + [
        f"says otherwise: {code}" for code in shared if codes[code] != rows[code]
    ]


def test_every_diagnostic_code_is_documented() -> None:
    rows = code_rows((DOCS / "diagnostics.md").read_text("utf-8"))
    assert code_problems(CODES, rows) == []


def test_control_codes_that_differ_are_caught() -> None:
    rows = code_rows("| `old` | Gone. | - |\n| `both` | One thing. | - |\n")
    assert code_problems({"new": "New.", "both": "Another."}, rows) == [
        "not documented: new",
        "not there: old",
        "says otherwise: both",
    ]


# commands


def command_options(group: Mapping[str, Any]) -> dict[str, set[str]]:
    """Each command with its long options."""
    return {
        name: {o for p in command.params for o in (*p.opts, *p.secondary_opts) if o.startswith("--")}
        - {"--help"}
        for name, command in group.items()
        if not command.hidden
    }


def command_problems(commands: Mapping[str, set[str]], page: str) -> list[str]:
    """A section per command, headed `## rulewright NAME`, naming each of its options and no other."""
    parts = re.split(r"^#+ .*?\brulewright ([\w-]+).*$", page, flags=re.M)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    problems = differences(commands, sections)
    for name in sorted(set(commands) & set(sections)):
        documented = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", sections[name])) - {"--help"}
        problems += [f"{name}: {text}" for text in differences(commands[name], documented)]
    return problems


@pytest.mark.skipif(importlib.util.find_spec("rulewright.cli") is None, reason="there is no command line yet")
def test_every_command_and_option_is_documented() -> None:
    app = importlib.import_module("rulewright.cli.app")
    page = (DOCS / "commands.md").read_text("utf-8")
    assert command_problems(command_options({name: app.command(name) for name in app.COMMANDS}), page) == []


def test_control_commands_that_differ_are_caught() -> None:
    import typer
    import typer.main

    app = typer.Typer()

    @app.command()
    def play(seed: int = 1) -> None: ...

    @app.command()
    def check() -> None: ...

    group: Any = typer.main.get_command(app)
    commands = command_options(group.commands)
    assert commands == {"play": {"--seed"}, "check": set()}
    page = "## rulewright play\n`--sead` sets the seed.\n## `rulewright sing`\n"
    assert command_problems(commands, page) == [
        "not documented: check",
        "not there: sing",
        "play: not documented: --seed",
        "play: not there: --sead",
    ]
    assert command_problems(commands, "## rulewright play\n--seed N\n## rulewright check BOOK\n") == []


# settings


def settings(texts: Iterable[str]) -> set[str]:
    return {name for text in texts for name in re.findall(r"\bRULEWRIGHT_[A-Z_]+\b", text)}


def test_every_setting_is_documented() -> None:
    used = settings(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    documented = settings(path.read_text("utf-8") for path in DOCS.rglob("*.md"))
    assert differences(used, documented) == []


def test_control_a_setting_is_seen() -> None:
    assert settings(['os.environ["RULEWRIGHT_DB"]', "none"]) == {"RULEWRIGHT_DB"}


# links


def dead_links(page: Path) -> list[str]:
    links = re.findall(
        r"\]\(([^)\s]+)\)", re.sub(r"^(`{3,}).*?^\1`*$", "", page.read_text("utf-8"), flags=re.S | re.M)
    )
    local = (link.split("#")[0] for link in links if not re.match(r"[a-z]+:", link))
    return [link for link in local if link and not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_links_lead_somewhere(page: Path) -> None:
    assert dead_links(page) == []


def test_control_a_dead_link_is_caught(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("[a](page.md#top) [b](gone.md) [c](https://example.org/)\n```\n[d](code.md)\n```\n")
    assert dead_links(page) == ["gone.md"]


def test_every_page_is_in_the_index() -> None:
    index = (DOCS / "index.md").read_text("utf-8")
    missing = [
        p.name for p in DOCS.rglob("*.md") if p.name != "index.md" and f"({p.relative_to(DOCS)})" not in index
    ]
    assert missing == []


# examples


def run_fences(text: str, name: str) -> int:
    """Run a page's `python` fences in order, in one namespace, as a reader would; how many there were."""
    fences = [t for t in MarkdownIt().parse(text) if t.type == "fence" and t.info.split()[:1] == ["python"]]
    namespace: dict[str, object] = {"__name__": "__example__"}
    for fence in fences:
        line = fence.map[0] + 1 if fence.map else 0
        exec(compile("\n" * line + fence.content, name, "exec"), namespace)
    return len(fences)


@pytest.mark.parametrize("page", PAGES, ids=names)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_fences(page.read_text("utf-8"), page.name)


def test_control_a_broken_example_is_caught() -> None:
    good = (
        "```python\nx = 1\n```\nand then\n```python\nassert x == 1\n```\n````md\n```python\nbad(\n```\n````\n"
    )
    assert run_fences(good, "page.md") == 2
    with pytest.raises(AssertionError):
        run_fences(good.replace("x == 1", "x == 2"), "page.md")
    with pytest.raises(SyntaxError):
        run_fences("```python\nx = (\n```\n", "page.md")


# excerpts

SHOWN = ("p52", "penance-1", "penance-2", "raven-road", "vigil")
QUOTED = re.compile(r"^```rules from (\S+)\n(.*?)^```$", re.S | re.M)


def excerpts(page: str) -> list[tuple[str, str]]:
    """File and text of each excerpt."""
    return [(match[1], match[2]) for match in QUOTED.finditer(page)]


def misquoted(quoted: str, book: str) -> list[str]:
    """First lines of blocks that are not whole blocks of the book, word for word."""
    inside = "\n".join(re.findall(r"^```rules\n(.*?)^```$", book, re.S | re.M))
    known = {block.strip("\n") for block in re.split(r"\n\s*\n", inside)}
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", quoted)]
    return [block.partition("\n")[0] for block in blocks if block not in known]


def test_the_language_is_shown_on_a_page_of_each_game() -> None:
    page = (DOCS / "language.md").read_text("utf-8")
    found = excerpts(page)
    assert sorted({file.split("/")[1] for file, _ in found}) == [*SHOWN]
    wrong = {file: bad for file, text in found if (bad := misquoted(text, (ROOT / file).read_text("utf-8")))}
    assert wrong == {}, "the book says it differently now: `python tools/excerpts.py` copies it anew"


@pytest.mark.parametrize("book", SHOWN)
def test_books_with_excerpts_parse(book: str) -> None:
    rulewright.load(book)


def test_control_a_changed_excerpt_is_caught() -> None:
    book = "# B\n```rules\nA (Effect)\ndo: [X] += 1\n\nB (Effect)\ndo: [X] -= 1\n```\n"
    assert misquoted("A (Effect)\ndo: [X] += 1\n\nB (Effect)\ndo: [X] -= 1\n", book) == []
    assert misquoted("A (Effect)\ndo: [X] += 2\n", book) == ["A (Effect)"]
    assert misquoted("A (Effect)\n", book) == ["A (Effect)"]
    assert excerpts("```rules from books/b.md\nA (Effect)\n```\n```rules\nB\n```\n") == [
        ("books/b.md", "A (Effect)\n")
    ]
