"""The rules of the tank arena as JavaScript: the same source in a third form, for the viewer.

A construct that the translator does not know stops it, with the file and line: it never guesses.
"""
