"""The server's decisions, as pure code: (message, now_ns) → effects.

The package contains the connections and their rights (lobby), the running battle (room), its spectators,
times and metrics. It contains no sockets, files, clocks, threads or `await`.
"""
