"""Servers in this process that play one battle after another, with bots that stay connected."""
