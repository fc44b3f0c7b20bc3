"""Pictures of the documentation that programs make."""
