"""A class in one room: one machine runs the server, and laptops need a browser and Python."""
