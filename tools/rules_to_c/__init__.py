"""The rules of the tank arena as C: the same source in a form that any C compiler takes.

Floating point must be IEEE 754 without contraction (-ffp-contract=off, no -ffast-math): then every number has
the same bits as in Python.
"""
