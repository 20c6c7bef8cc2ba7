"""Editable views of the path and of the query of a URI: segments and parameters."""
