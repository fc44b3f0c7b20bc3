"""The tank arena: the rules of Robocode Tank Royale, re-implemented from facts checked against its server.

What lives here: constants and formulas, one file for each physical idea, the list of stages in order, what a
seat and a spectator see. What must not: messages, sockets, clocks, logging.
"""
