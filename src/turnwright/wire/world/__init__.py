"""What the world says and reads: messages to its players' clients, and content files.

What lives here: the clock's messages (`clock`), those of threats (`combat`), and reading content. What must
not: sockets, files, clocks; telnet itself is `wire.telnet`.
"""
