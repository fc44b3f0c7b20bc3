"""The work of the commands and of `run_battle`, for any game."""
