"""The version of the package: stated here, and nowhere else."""

VERSION = "0.1.0"
