"""Tournaments as data: specifications of battles, facts, standings. Pure."""
