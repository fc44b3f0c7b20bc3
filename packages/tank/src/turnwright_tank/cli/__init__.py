"""The commands that only the tank game has. GAME of the package lists them."""
