"""Runs what the commands and `run_battle` do, for any game."""
