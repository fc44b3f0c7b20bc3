"""The world's server without I/O: sessions, turns and output.

`host` ties it together; `turns` plays the turns; everything that comes out is a value of `effects`.
"""
