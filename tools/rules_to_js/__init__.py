"""Translates the rules of the tank arena, and the tables that the viewer needs, to JavaScript.

A construct that the translator does not know stops it with an error. It never guesses.
"""
