"""Runs a bot arena: people upload bots, which play on an endless ladder."""
