"""The house rules as ordinary tests, read from the source itself: see docs/maintainers/house-rules.md."""
