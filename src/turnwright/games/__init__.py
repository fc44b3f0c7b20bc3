"""The rules of games, one folder each; pure: they know the kernel, and nothing of messages or sockets."""
