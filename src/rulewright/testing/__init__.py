"""The conformance kit: what an engine must do to be one."""

from rulewright.testing.lockstep import Divergence, Report, lockstep

__all__ = ["Divergence", "Report", "lockstep"]
