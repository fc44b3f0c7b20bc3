"""Telnet for text worlds, without I/O: bytes ⇄ events."""
