"""Collects from the sources every text that a person can read."""
