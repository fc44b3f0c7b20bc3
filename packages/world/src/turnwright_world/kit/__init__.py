"""Building blocks for worlds: rows of content, and what verbs share."""
