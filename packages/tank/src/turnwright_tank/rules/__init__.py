"""The rules of the tank arena. Each file has one idea, and `stages` has their order."""
