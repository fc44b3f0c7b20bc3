"""Robocode Tank Royale's protocol: messages, decoding, limits.

Each message is declared once. Decoding never raises an exception.

The protocol has the major version 1: the protocol of the server 1.1.0 with the additions of 1.2 to 1.4. The
page packages/tank/docs/royale-protocol.md is generated from this package.
"""
