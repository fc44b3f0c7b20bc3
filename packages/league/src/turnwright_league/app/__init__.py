"""Runs tournaments: a folder of bots, a pool of workers, a store of results."""
