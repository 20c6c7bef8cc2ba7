"""Patterns of hosts and paths: compile them once, and match each URI in linear time."""
