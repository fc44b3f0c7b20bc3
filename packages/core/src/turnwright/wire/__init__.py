"""Formats of any game: the record, faults of messages, JSON limits.

It has no sockets, files, threads or clocks, and takes no decision about a battle. `kernel` is the layer
below, `host` the one above.
"""
