"""Kits for those who write games and servers: a manual clock, a check of a game, a simulated server.

What lives here may import any pure floor; it reads no real clock and opens nothing.
"""
