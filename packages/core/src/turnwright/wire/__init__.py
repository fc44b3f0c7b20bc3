"""Formats of any game: the record, faults of messages, JSON limits.

Code here uses no sockets, files, threads or clocks, and makes no decision about a battle. `kernel` is the
layer below, `host` the layer above.
"""
