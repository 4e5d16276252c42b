"""Who decides when no person does: bots that sit at a seat."""
