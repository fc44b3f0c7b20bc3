"""Formats of any game: the record, faults of messages, JSON limits.

No sockets, files, threads or clocks stand here, and no decision about a battle. `kernel` is the floor below,
`host` the one above.
"""
