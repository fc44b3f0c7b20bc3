"""The host of a world: who is connected, what they typed, and when its turns are. Pure: time is an argument.

`host` ties it together; `table` plays the turns; everything that comes out is a value of `effects`.
"""
