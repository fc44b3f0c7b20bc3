"""Checks the records of single battles against their results, and prints their events."""
