"""A second run of the tests: the portable ways, forced on Linux."""
