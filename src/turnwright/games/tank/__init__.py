"""The tank game: the rules of Robocode Tank Royale, re-implemented from facts.

The facts were checked against its server.

`rules` has constants and formulas, one module for each physical idea, and the stages of a turn in order. No
messages, sockets, clocks or logging stand here or there.
"""
