"""The commands that only the tank game has. `turnwright_tank.GAME` lists them."""
