"""Who decides when no person does: bots that sit at a seat."""

from rulewright.players import levels  # so that everyone can be seated by name
from rulewright.players.bots import Decider, Position

__all__ = ["Decider", "Position", "levels"]
