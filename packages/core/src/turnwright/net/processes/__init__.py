"""Bots as child processes, and their guard."""
