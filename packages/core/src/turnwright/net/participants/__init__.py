"""Bot directories, the assignment of bots to seats, and the start of bots."""
