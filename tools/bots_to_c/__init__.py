"""Translates the built-in bots to C, for batches of environments. The same classes play over a socket.

A class becomes a structure, and its methods become functions. Each bot gets its own copy of inherited
methods, so that a call on `self` finds the same method as in Python. The body of a class declares its
attributes.
"""
