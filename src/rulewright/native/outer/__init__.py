"""Native code around matches: many of them, sampled states, search. The same for every book."""

from rulewright.native.outer.host import Outer

__all__ = ["Outer"]
