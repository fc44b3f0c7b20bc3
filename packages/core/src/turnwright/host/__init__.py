"""The server's decisions, pure: (message, now_ns) → effects.

Contains the connections and their rights (lobby), the running game (room), its spectators, times and
metrics. Must not contain sockets, files, clocks, threads or `await`.
"""
