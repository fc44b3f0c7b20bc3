"""The rules of the tank arena as JavaScript: the same source in a third form, for the viewer.

`make rules` writes src/turnwright/games/tank/view/resim/rules.js anew; a test fails when that file is stale.
A construct that this does not know stops it, with the file and line: nothing is translated on a guess.
"""
