"""Servers of this process that play battle after battle, with bots that stay."""
