"""The commands that only the text world has. Its GAME lists them."""
