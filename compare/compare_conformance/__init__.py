"""Compares uriverse with the parsers, servers and checkers of URL rules of other projects."""
