"""The rules of games, one folder each; pure. They know the kernel's contract and nothing of messages or sockets."""
