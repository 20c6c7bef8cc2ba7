"""The version of uriverse. The build reads the version number from this file."""

__version__ = "0.2.0"
