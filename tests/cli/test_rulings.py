"""Rulings: found where they stand, with the rules they name; a wrong one is said to be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulewright.cli import main
from rulewright.cli.rulings import rulings_in

QUOTES = """# Game

## Striking

Blows fall. AB-HIT-03 to -05

> **Ruling** AB-HIT-03, -04,
> `Fall Back`: The source is silent: here
> it counts.
>
> More about it.
>
> **Ruling (changed)** AB-HIT-05: Else.

> Somebody said **Ruling** once.

```text
> **Ruling** AB-HIT-09: not in a fence.
```
"""


def test_rulings_of_a_text() -> None:
    first, second = rulings_in("a.md", f"---\ntitle: G\n---\n{QUOTES}")
    assert first.rules == ("AB-HIT-03", "AB-HIT-04", "Fall Back")
    assert first.words == "The source is silent: here it counts.\nMore about it."
    assert (first.line, first.section, first.changed) == (10, "Striking", False)
    assert (second.rules, second.words, second.changed) == (("AB-HIT-05",), "Else.", True)


@pytest.mark.parametrize(
    ("quote", "words", "code"),
    [
        ("AB-HIT-03, Fall Back: So.", "1 rulings on 2 rules, 0 of them changes", 0),
        ("AB-HIT-07: So.", "game.md:9: nothing in the book is called or cites 'AB-HIT-07'", 1),
        ("Fall Backk: So.", "nothing in the book is called or cites 'Fall Backk'", 1),
        ("so it is.", "game.md:9: this ruling names no rule before its first colon", 1),
    ],
)
def test_the_command_lists_and_complains(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], quote: str, words: str, code: int
) -> None:
    path = tmp_path / "game.md"
    rule = '```rules\nFall Back (Effect) do: say "back"  AB-HIT-03\n```'
    path.write_text(f"# Game\n\n{rule}\n\n## End\n\n> **Ruling** {quote}\n")
    with pytest.raises(SystemExit) as ended:
        main(["rulings", str(path)])
    assert ended.value.code == code
    assert words in capsys.readouterr().out
