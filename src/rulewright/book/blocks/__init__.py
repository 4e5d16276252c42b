"""Blocks of the campaign notation -> definitions of the core notation."""
