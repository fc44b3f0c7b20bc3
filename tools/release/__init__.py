"""The release: builds wheel and sdist from what is committed, and checks them. `make release` runs it."""
