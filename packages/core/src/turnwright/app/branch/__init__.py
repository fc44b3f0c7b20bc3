"""Seats of a record played by other bots, of any game."""
