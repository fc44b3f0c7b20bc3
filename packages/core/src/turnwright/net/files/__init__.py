"""Writes, reads and lists records."""
