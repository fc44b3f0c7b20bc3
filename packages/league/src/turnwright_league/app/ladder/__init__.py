"""Runs a ladder server: people upload bots, which play on an endless ladder."""
