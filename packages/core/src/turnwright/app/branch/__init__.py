"""Seats of a record, of any game, played by other bots."""
