"""Spectators of battles that wait for none: what they read, and at whose speed."""
