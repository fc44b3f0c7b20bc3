"""Input and output: sockets, files, processes and the sandbox."""
