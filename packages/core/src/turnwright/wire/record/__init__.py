"""The record of a battle as a file, `.twr`. Each version of the format has one module."""
