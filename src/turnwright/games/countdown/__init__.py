"""The countdown game: an example of a small game."""
