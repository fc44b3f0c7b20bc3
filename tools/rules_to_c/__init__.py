"""Translates the rules of the tank arena to C.

If the compiler uses IEEE 754 without contraction (-ffp-contract=off, no -ffast-math), every number has the
same bits as in Python.
"""
