"""A battle of any game, as pure code. The current time is an argument.

The package defines the contract of a game. It opens and closes turns, and handles receipts, deadlines,
skipped turns and pace. It has named random streams, the record with its digests, replay and verification. It
uses no sockets, files, threads, clocks, global random numbers or logging, and does not look inside a State,
an Intent or an Observation. It imports only `errors`. Games and the other layers import it.
"""
