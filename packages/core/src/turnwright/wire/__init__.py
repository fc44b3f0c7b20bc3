"""The formats that all games share: the record, the faults of messages, and limits for JSON.

The code uses no sockets, files, threads or clocks, and makes no decision about a battle. `kernel` is the
layer below, and `host` is the layer above.
"""
