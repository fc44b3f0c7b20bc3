"""Minds that players submit: commands, checks and limits."""
