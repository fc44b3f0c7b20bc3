"""Snake for learners. It needs the extra [envs]."""
