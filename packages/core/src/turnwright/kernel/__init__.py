"""A battle of any game, as pure code. The current time is an argument.

The package contains the contract of a game, opening and closing turns, receipts, deadlines, skips, pace,
named random streams, the record and its digest, replay and verify. It contains no sockets, files, threads,
clocks, global random numbers or logging, and does not look inside a State, an Intent or an Observation. It
imports only `errors`. Games and the other layers import it.
"""
