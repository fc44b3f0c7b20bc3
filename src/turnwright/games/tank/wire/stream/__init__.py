"""The stream for spectators: keyframes and deltas, encoded once for all.

    tables      any table of rows of numbers that change a little each turn; integers only
    columns     which numbers of the tank game are shown, and how finely
    messages    Keyframe, Delta, BotPolicies and BotFailures, as they are on the wire
    write       a turn, as spectators see it, to messages
    read        messages back to turns; the browser does the same

See docs/reference/spectator-stream.md, which is generated from here.
"""
