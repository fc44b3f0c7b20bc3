"""For learners: environments of all games, and tanks by the thousand.

It imports nothing, since `turnwright --help` does so with it. Environments are in `turnwright_learn.envs`.
"""
