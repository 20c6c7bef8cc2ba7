"""Compares the links that are found with other parsers, and guarded Markdown with renderers."""
