"""Lets other bots play seats of a record, for any game."""
