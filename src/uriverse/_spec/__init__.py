"""Reference implementation: the RFCs' algorithms in plain Python, one small function per paragraph.

Read it beside the RFC. The tests compare the compiled kernel with it, and it runs where the
kernel is not built.
"""
