"""Runs an arena: people upload bots, which play on a ladder without an end."""
