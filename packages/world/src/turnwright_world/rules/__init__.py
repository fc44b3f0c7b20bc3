"""The rules of the world: entities, actions, threats, timers."""
