"""The command line: `turnwright` and the commands of all games."""
