"""The text world: a game of places, creatures, actions and timed threats.

`state` is what there is, `intent` what a body wants, `turn` what a turn does, in order. Source: documents 003
and 004. What must not live here: sockets, files, clocks; the text of any one world (that is content).
"""
