"""Battles on a cluster of Dask or Ray. Workers get specifications and return data."""
