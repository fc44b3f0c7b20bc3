"""The work of the commands that only the tank game has."""
