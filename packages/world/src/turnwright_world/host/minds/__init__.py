"""Minds that players hand over: commands, checks, limits."""
