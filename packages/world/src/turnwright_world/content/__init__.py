"""Reads and checks content folders."""
