"""A client of the world: WorldBot and its clock."""
