"""Fast: the specification's scanning at native speed, compiled where it can be.

Nothing in here imports the package: tables and types are handed to it.
"""
