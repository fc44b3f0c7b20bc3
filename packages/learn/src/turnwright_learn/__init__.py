"""Environments of all games for learners, and thousands of tank battles at a time.

This module imports nothing, because `turnwright --help` imports it. Environments are in
`turnwright_learn.envs`.
"""
