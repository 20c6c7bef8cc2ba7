"""Run column functions on table files, on this computer or on Spark."""
