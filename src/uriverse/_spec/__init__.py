"""As written: the RFCs' algorithms in plain Python, a small function for each paragraph.

Meant to be read beside the RFC. It is the judge of the compiled kernel in the
tests, and does the work where nothing can be compiled.
"""
