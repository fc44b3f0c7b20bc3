"""Kits for writers of games: a check of a game's contract, a manual clock.

These modules may import any pure layer. They read no real clock and open nothing.
"""
