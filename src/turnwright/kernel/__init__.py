"""A battle of any game: pure, with time as an argument.

What lives here: the contract of a game, opening and closing turns, receipts, deadlines, penalties,
pace, lifecycle, named random streams, the record and its digest, replay and verify.
What must not: sockets, files, threads, clocks, global random numbers, logging, and any look inside a
State, an Intent or an Observation. The neighbour below is `errors`, the one above is `games`.
"""
