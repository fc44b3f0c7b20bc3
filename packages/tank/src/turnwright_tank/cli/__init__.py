"""The commands that only the tank arena has; its GAME lists them."""
