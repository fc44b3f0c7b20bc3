"""Battles on a cluster of Dask or Ray: specifications go there, data comes back."""
