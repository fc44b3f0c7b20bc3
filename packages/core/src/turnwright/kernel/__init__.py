"""A battle of any game: pure, with time as an argument.

Contains the contract of a game, opening and closing turns, receipts, deadlines, skips, pace, named random
streams, the record and its digest, replay and verify.
Must not contain sockets, files, threads, clocks, global random numbers or logging, and must not look inside a
State, an Intent or an Observation. It imports only `errors`; games and the other layers import it.
"""
