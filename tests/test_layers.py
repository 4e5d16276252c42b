"""Modules import only downwards in their own column, as ARCHITECTURE.md draws it.

Every import counts: at the top, inside a function, under TYPE_CHECKING, and by name through importlib.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[1] / "src"

# Rows from top to bottom. A new package is one more name here, on the row where it belongs.
RUNNING = [("lab", "serve", "adapters", "testing"), ("players",), ("engine",), ("native",), ("play",)]
COMPILING = [("compiler",), ("kept", "lower"), ("book",)]
SHARED = [("ir", "shelf"), ("diagnostics",)]
# Where the columns meet: the API, which is the package itself, and the command line above it.
MEETING = [("__main__",), ("cli",), ("rulewright",)]

# Stricter than the rows: text becomes a checked tree without knowing what it will be lowered to.
ONLY = {"book": {"diagnostics"}, "shelf": {"diagnostics"}}

# Packages whose own modules import each other only one way.
STRAIGHT = ("book", "lower")

# Packages that load only in the module named after their job.
HOMES = {
    "aiosqlite": {"serve"},
    "altair": {"lab"},
    "asyncpg": {"serve"},
    "fastapi": {"serve"},
    "gymnasium": {"adapters"},
    "llvmlite": {"native"},
    "numba": set[str](),
    "pettingzoo": {"adapters"},
    "pydantic": {"serve"},
    "pyspiel": {"adapters"},
    "ray": {"lab"},
    "rich": {"cli"},
    "sqlalchemy": {"serve"},
    "starlette": {"serve"},
    "typer": {"cli"},
    "uvicorn": {"serve", "cli"},
    "websockets": {"serve"},
    "yaml": {"book"},
}


def below(columns: list[list[tuple[str, ...]]]) -> dict[str, set[str]]:
    """For each name, the names on lower rows. Columns are parallel; each stands on SHARED."""
    allowed: dict[str, set[str]] = {}
    for column in columns:
        rows = column + (SHARED if column is not SHARED else [])
        for i, row in enumerate(rows):
            for name in row:
                allowed[name] = {lower for lower_row in rows[i + 1 :] for lower in lower_row}
    return allowed


def allowed_imports() -> dict[str, set[str]]:
    allowed = below([SHARED, RUNNING, COMPILING]) | ONLY
    lower = set(allowed)
    for row in reversed(MEETING):
        for name in row:
            allowed[name] = set(lower)
        lower |= set(row)
    return allowed


ALLOWED = allowed_imports()


def module_name(src: Path, path: Path) -> str:
    parts = path.relative_to(src).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer(module: str) -> str:
    """`rulewright.ir.nodes` is in `ir`; the package itself is the layer `rulewright`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else parts[0]


def imports(src: Path, path: Path) -> list[tuple[int, str]]:
    """Each module that a file imports, whole names, with the line."""
    name = module_name(src, path)
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        match node:
            case ast.Import(names=names):
                found += [(node.lineno, alias.name) for alias in names]
            case ast.ImportFrom(module=module, names=names, level=level):
                base = package[: len(package) - level + 1] if level else []
                base = [*base, *(module.split(".") if module else [])]
                for alias in names:
                    longer = ".".join([*base, alias.name])
                    place = src.joinpath(*base, alias.name)
                    is_module = place.with_suffix(".py").is_file() or place.is_dir()
                    found.append((node.lineno, longer if is_module else ".".join(base)))
            case ast.Call(
                func=ast.Name(id="__import__" | "import_module"), args=[ast.Constant(value=str(text)), *_]
            ):
                found.append((node.lineno, text))
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(text)), *_]):
                found.append((node.lineno, text))
            case _:
                pass
    return found


def violations(src: Path) -> list[str]:
    problems: list[str] = []
    for path in sorted(src.rglob("*.py")):
        here = layer(module_name(src, path))
        where = path.relative_to(src).as_posix()
        if here not in ALLOWED:
            problems.append(f"{where}: {here!r} stands on no row of tests/test_layers.py")
            continue
        for line, target in imports(src, path):
            root = target.split(".")[0]
            if root in HOMES and here not in HOMES[root]:
                problems.append(f"{where}:{line}: {here} loads {root}")
            if root == "rulewright":
                there = layer(target)
                if there != here and there not in ALLOWED[here]:
                    problems.append(f"{where}:{line}: {here} imports {there}")
    return problems


def cycles(src: Path, package: str) -> list[list[str]]:
    """Modules of a package that reach each other by imports, one list a knot."""
    top = f"rulewright.{package}"
    names = {module_name(src, path): path for path in (src / "rulewright" / package).rglob("*.py")}
    edges = {
        name: {target for _, target in imports(src, path) if target in names and target not in (name, top)}
        for name, path in names.items()
    }

    def reached(name: str) -> set[str]:
        found: set[str] = set()
        work = [name]
        while work:
            new = edges[work.pop()] - found
            found |= new
            work += new
        return found

    reach = {name: reached(name) for name in edges}
    knots = {
        tuple(sorted(other for other in reach[name] if name in reach[other]))
        for name in edges
        if name in reach[name]
    }
    return [list(knot) for knot in sorted(knots)]


@pytest.mark.parametrize("package", STRAIGHT)
def test_no_modules_of_a_package_import_each_other_in_a_circle(package: str) -> None:
    assert cycles(SRC, package) == []


def test_control_a_circle_is_caught(tmp_path: Path) -> None:
    folder = tmp_path / "rulewright" / "lower"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "low.py").write_text("")
    (folder / "a.py").write_text("from rulewright.lower import low\nfrom rulewright.lower.b import x\n")
    (folder / "b.py").write_text("def f():\n    from rulewright.lower import c\n")
    (folder / "c.py").write_text("import rulewright.lower.a\n")
    assert cycles(tmp_path, "lower") == [[f"rulewright.lower.{x}" for x in "abc"]]


def test_modules_import_only_downwards() -> None:
    assert violations(SRC) == []


def test_the_source_is_there() -> None:
    assert len(list(SRC.rglob("*.py"))) > 5


def test_the_rows_say_what_the_picture_says() -> None:
    assert ALLOWED["play"] == {"ir", "shelf", "diagnostics"}
    assert ALLOWED["players"] == {"engine", "native", "play", "ir", "shelf", "diagnostics"}
    assert ALLOWED["lower"] == {"book", "ir", "shelf", "diagnostics"}
    assert ALLOWED["book"] == {"diagnostics"}
    assert ALLOWED["diagnostics"] == set()
    assert {"compiler", "players", "lab", "ir"} <= ALLOWED["rulewright"]
    assert "cli" not in ALLOWED["rulewright"]
    assert {"rulewright", "compiler", "serve"} <= ALLOWED["cli"]


CONTROLS = [
    ("play/engine.py", "from rulewright.book import tree", "play imports book"),
    ("play/engine.py", "from rulewright import lower", "play imports lower"),
    ("play/engine.py", "import rulewright", "play imports rulewright"),
    ("play/engine.py", "from rulewright import load", "play imports rulewright"),
    ("play/engine.py", "from .. import native", "play imports native"),
    ("play/engine.py", "from ..lower import stages", "play imports lower"),
    ("play/__init__.py", "from ..compiler import run", "play imports compiler"),
    ("play/engine.py", "def f():\n    from rulewright.lower import x", "play imports lower"),
    ("play/engine.py", "if TYPE_CHECKING:\n    import rulewright.book.tree", "play imports book"),
    ("play/engine.py", "importlib.import_module('rulewright.lower')", "play imports lower"),
    ("lab/run.py", "import rulewright.serve", "lab imports serve"),
    ("book/parse.py", "from rulewright.ir import nodes", "book imports ir"),
    ("ir/nodes.py", "from rulewright.shelf import find", "ir imports shelf"),
    ("diagnostics.py", "from rulewright.ir import nodes", "diagnostics imports ir"),
    ("__init__.py", "from rulewright.cli import main", "rulewright imports cli"),
    ("players/search.py", "import fastapi.routing", "players loads fastapi"),
    ("utils.py", "", "stands on no row"),
]


@pytest.mark.parametrize(("file", "text", "problem"), CONTROLS)
def test_control_a_wrong_import_is_caught(tmp_path: Path, file: str, text: str, problem: str) -> None:
    for name in ALLOWED:
        if name not in ("rulewright", "cli", "__main__", "shelf", "diagnostics"):
            (tmp_path / "rulewright" / name).mkdir(parents=True)
            (tmp_path / "rulewright" / name / "__init__.py").write_text("")
    path = tmp_path / "rulewright" / file
    path.write_text(text)
    found = violations(tmp_path)
    assert len(found) == 1
    assert problem in found[0]


def test_control_right_imports_pass(tmp_path: Path) -> None:
    (tmp_path / "rulewright" / "cli").mkdir(parents=True)
    (tmp_path / "rulewright" / "native").mkdir()
    (tmp_path / "rulewright" / "__init__.py").write_text("from rulewright.native import jit\nimport numpy\n")
    (tmp_path / "rulewright" / "native" / "__init__.py").write_text("")
    (tmp_path / "rulewright" / "native" / "jit.py").write_text(
        "import llvmlite.ir\nfrom . import jit\nfrom ..play import x\n"
    )
    (tmp_path / "rulewright" / "cli" / "main.py").write_text(
        "import rulewright, typer\nfrom rulewright import load\n"
    )
    assert violations(tmp_path) == []
