"""The rules of the tank arena, one idea a file; `stages` has their order."""
