"""Reads the Python source of the tank's rules, and translates it to other languages.

A construct that is not known stops the translation with an error (`Refused`). Nothing is guessed.
"""
