"""The version of turnwright. All packages have the same version."""

__version__ = "0.1.0"
