"""Fuzz targets. Each module has a function `check` that raises an exception if it finds a bug."""
