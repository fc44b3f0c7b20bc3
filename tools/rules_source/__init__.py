"""The rules of the tank arena, read from their Python source to be written in another language.

A construct that is not known stops the translation, with the file and line: nothing is translated on a guess.
"""
