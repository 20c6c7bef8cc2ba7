"""The reference implementation: the algorithms of RFC 3986 and RFC 3987 in plain Python.

Each paragraph of the RFCs has a small function, so that the code can be compared with the RFC. The
tests compare the compiled kernel with this package, which also runs where the kernel is not built.
"""

#: The largest number of digits in conversions between strings and numbers. It is the lowest limit
#: that `sys.set_int_max_str_digits` accepts, so results do not depend on that setting.
LONGEST_NUMBER = 640
