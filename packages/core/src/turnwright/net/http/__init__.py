"""The HTTP front: listener, pages, ports."""
