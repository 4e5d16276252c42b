"""Which rules are cited and covered."""

from __future__ import annotations

from rulewright.testing import WorkedExample, coverage
from rulewright.testing.coverage import cited_in, is_vector

RULES = """# Rules
- **AB-TURN-01** One thing. See AB-HIT-09.
- **AB-TURN-02** Another.
| **AB-HIT-01** | a row |
**AB-EX-01 A worked example** (TURN)
"""


def test_defined_cited_and_covered() -> None:
    example = WorkedExample(
        "x.md", 1, "t", ids=("AB-EX-01",), covers=("AB-TURN-02", "AB-HIT-99", "ZZ-TOP-01")
    )
    found = coverage(RULES, ["Say so. AB-TURN-01, -02\n", "```rules\nX (Effect)  AB-EX-01\n```"], [example])
    assert found.rules == ("AB-TURN-01", "AB-TURN-02", "AB-HIT-01", "AB-EX-01")
    assert found.cited == {"AB-TURN-01", "AB-TURN-02", "AB-EX-01"}
    assert found.covered == {"AB-TURN-02", "AB-EX-01"}
    assert found.unknown == ("AB-HIT-99",)
    assert [(s.name, len(s.rules), len(s.cited), len(s.covered)) for s in found.series] == [
        ("AB-TURN", 2, 2, 1),
        ("AB-HIT", 1, 0, 0),
        ("AB-EX", 1, 1, 1),
    ]


def test_ranges_and_short_numbers() -> None:
    assert cited_in("P1-SP-04, -07 to -09 and P1-HIT-01a") == [
        *("P1-SP-04", "P1-SP-07", "P1-SP-08", "P1-SP-09", "P1-HIT-01a"),
    ]
    assert cited_in("see -04 alone") == []
    assert [is_vector(rule) for rule in ("AB-EX-01", "AB-LV-02", "AB-TURN-01")] == [True, True, False]
