"""A class in one room: one machine serves, laptops need a browser and Python."""
