"""Tools for authors of games: a check of a game's contract, and a manual clock.

These modules may import any layer of pure code. They read no real clock, and open no files or sockets.
"""
