"""The commands that only the text world has; its GAME lists them."""
