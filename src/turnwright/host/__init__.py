"""The server's decisions, pure: (message, now_ns) → effects.

What lives here: who is connected and may say what (lobby), the one running game (table), who watches
(gallery), what it cost (latency, metrics). What must not: sockets, files, clocks, threads, `await`.
"""
