"""Parts of the content of a tournament's page."""
