"""Tools for authors of games: a check of a game's contract, and a manual clock.

These modules read no real clock, and open no files or sockets. `check_game` starts other processes.
"""
