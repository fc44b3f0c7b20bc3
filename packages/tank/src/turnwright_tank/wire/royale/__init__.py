"""Robocode Tank Royale's protocol: messages, decoding, limits.

Each message is declared once and decoded without ever raising.

Facts: major version 1 of the protocol, server 1.1.0 with what 1.2–1.4 added. See
packages/tank/docs/royale-protocol.md, which is generated from here.
"""
