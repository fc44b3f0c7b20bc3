"""The world's server without I/O: sessions, turns and output.

`host` combines the parts. `turns` plays the turns. All output is a value of `effects`.
"""
