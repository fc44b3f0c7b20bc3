"""The server's decisions, as pure code. Input is a message and the time (`now_ns`), output is a list of
effects.

The package contains the connections and their rights (lobby), the running battle (room), the battle's
spectators, measured times and metrics. It uses no sockets, files, clocks, threads or `await`.
"""
