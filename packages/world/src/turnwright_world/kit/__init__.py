"""Building blocks for worlds: rows of content, and functions that verbs share."""
