"""The built-in bots as C, for batches of environments: the same classes that play over a socket.

A class is a structure, its methods are functions. Of a base class each bot gets a copy, so that a call of
`self` finds the method that Python would. What a bot remembers is declared in the body of its class.
"""
