"""A book reads its own folder and the shelf, and nothing else of the machine."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from rulewright.book.text import folders
from rulewright.compiler import book_texts, check, compile_checked
from rulewright.diagnostics import Diagnostic

KEYS = ("parts", "uses", "examples")
SECRET = "the password is mellon"
HEAD = "---\ntitle: T\nseats: 1\n{}\n---\n# T\n"


def written(folder: Path, line: str) -> Path:
    """A book whose front matter has this line, beside a secret of somebody else."""
    (folder / "secret.md").write_text(SECRET)
    (folder / "home").mkdir()
    path = folder / "home" / "book.md"
    path.write_text(HEAD.format(line))
    return path


def refused(path: Path) -> Diagnostic:
    """The one thing that is wrong with a book; none of its texts is the secret."""
    found = check(path).diagnostics
    assert not any(SECRET in text for text in book_texts(path).values())
    assert len(found) == 1, found
    assert found[0].span.line == 4
    return found[0]


@pytest.mark.parametrize(
    "name",
    ["/etc/passwd", "../secret.md", "a/../../secret.md", "~/secret.md", "a\\..\\secret.md", "../../**"],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_name_leads_downwards(tmp_path: Path, key: str, name: str) -> None:
    assert refused(written(tmp_path, f"{key}: {name}")).code == "outside-book"


@pytest.mark.parametrize("key", KEYS)
def test_a_link_leads_nowhere_else(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, f"{key}: link.md")
    (path.parent / "link.md").symlink_to(tmp_path / "secret.md")
    assert refused(path).code == "outside-book"


def test_nor_does_a_folder_that_is_a_link(tmp_path: Path) -> None:
    path = written(tmp_path, "examples: away/*.md")
    (path.parent / "away").symlink_to(tmp_path)
    assert refused(path).code == "outside-book"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", ['"a\\0.md"', '"../secret.md\\0.md"', '"a\\n.md"'])
def test_a_name_has_no_control_characters(tmp_path: Path, key: str, name: str) -> None:
    assert refused(written(tmp_path, f"{key}: {name}")).code == "outside-book"


def test_a_pattern_names_its_folder(tmp_path: Path) -> None:
    for number, pattern in enumerate(("**", "**/*.md", "a/**/*.md", "*/../../*.md")):
        (tmp_path / str(number)).mkdir()
        assert refused(written(tmp_path / str(number), f'examples: "{pattern}"')).code == "outside-book"


@pytest.mark.parametrize("key", KEYS)
def test_a_pipe_is_not_waited_for(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, f"{key}: pipe.md")
    os.mkfifo(path.parent / "pipe.md")
    assert refused(path).code in ("outside-book", "missing-part")


@pytest.mark.parametrize("key", KEYS)
def test_a_device_in_the_folder_is_no_file(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, f"{key}: zero.md")
    try:
        os.mknod(path.parent / "zero.md", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except OSError:
        pytest.skip("only root can make one")
    assert refused(path).code in ("outside-book", "missing-part")


def test_a_socket_in_the_folder_is_no_file(tmp_path: Path) -> None:
    path = written(tmp_path, "parts: line.md")
    with socket.socket(socket.AF_UNIX) as line:
        line.bind(str(path.parent / "line.md"))
        assert refused(path).code in ("outside-book", "missing-part")


def test_a_device_is_no_file() -> None:
    with pytest.raises(folders.Refused, match="plain file"):
        folders.read_file(Path("/dev/zero"), "zero.md")


@pytest.mark.parametrize("key", KEYS)
def test_a_circle_of_links_ends(tmp_path: Path, key: str) -> None:
    path = written(tmp_path, f"{key}: one.md")
    (path.parent / "one.md").symlink_to("two.md")
    (path.parent / "two.md").symlink_to("one.md")
    assert refused(path).code == "missing-part"


@pytest.mark.parametrize("name", ["notes.txt", ".ssh/id_rsa", "absent.md", "."])
def test_what_is_no_markdown_is_no_part(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, f"parts: {name}")
    (path.parent / "notes.txt").write_text(SECRET)
    assert refused(path).code == "missing-part"


def test_sizes_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "parts: more.md")
    (path.parent / "more.md").write_text("x" * 2000)
    monkeypatch.setattr(folders, "FILE_BYTES", 1000)
    assert refused(path).code == "too-large"


def test_parts_within_the_folder_are_read(tmp_path: Path) -> None:
    """Control: what is refused above is refused for its place, not because it is a part."""
    path = written(tmp_path, "parts: [deep/er/more.md, link.md]")
    (path.parent / "deep" / "er").mkdir(parents=True)
    (path.parent / "deep" / "er" / "more.md").write_text("here")
    (path.parent / "link.md").symlink_to(path.parent / "deep" / "er" / "more.md")
    assert check(path).diagnostics == ()
    assert sorted(book_texts(path)) == ["book.md", "deep/er/more.md", "link.md"]


def test_a_book_that_is_read_again_is_the_same_and_a_changed_one_is_not(tmp_path: Path) -> None:
    """What is kept of the first reading is not touched by what is done with it."""
    text = (Path(__file__).parents[1] / "language" / "everything.md").read_text("utf-8")
    book = tmp_path / "everything.md"
    book.write_text(text)
    first, again = check(book), check(book)
    assert again.diagnostics == first.diagnostics
    assert compile_checked(again).digest == compile_checked(first).digest
    book.write_text(text + "\n```rules\nOdd (Resorce)\n```\n")
    assert "wrong-kind" in [d.code for d in check(book).diagnostics]
    book.write_text(text)
    assert check(book).diagnostics == first.diagnostics
