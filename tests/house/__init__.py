"""The house rules as ordinary tests, read from the source itself. CONTRIBUTING.md: how to change one."""
