"""Bytes ⇄ data: the protocols that turnwright speaks and the files that it writes.

What lives here: `royale` (Robocode Tank Royale's messages), `spectate` (our stream for spectators) and
`record` (our own record). What must not: sockets, files, threads, clocks, and any decision about a battle.
The neighbour below is `games`, the ones above are `host` and `bots`.
"""
