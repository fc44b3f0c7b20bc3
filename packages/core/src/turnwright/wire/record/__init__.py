"""The record of a battle as a file, `.twr`: one module a version of the format."""
