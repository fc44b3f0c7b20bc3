"""Telnet as players' clients of text worlds speak it: bytes in, events out; values in, bytes out. No I/O."""
