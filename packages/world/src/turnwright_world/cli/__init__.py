"""The commands of the text world, which its GAME lists."""
