"""The conformance kit: worked examples that run, and what an engine must do to be one."""

from rulewright.testing.coverage import Coverage, coverage
from rulewright.testing.examples import WorkedExample, parse_example
from rulewright.testing.fairness import Fairness, Leak, fairness
from rulewright.testing.lockstep import Divergence, Report, lockstep
from rulewright.testing.runner import ExampleResult, run_example, run_examples
from rulewright.testing.stage import Failure

__all__ = [
    "Coverage",
    "Divergence",
    "ExampleResult",
    "Failure",
    "Fairness",
    "Leak",
    "Report",
    "WorkedExample",
    "coverage",
    "fairness",
    "lockstep",
    "parse_example",
    "run_example",
    "run_examples",
]
