"""The commands that only the tank arena has. Its GAME lists them."""
