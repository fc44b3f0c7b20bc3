"""The world's sockets, files, database and clock."""
