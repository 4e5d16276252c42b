"""Rulewright: rulebooks that run."""
