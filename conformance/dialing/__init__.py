"""Checks that HTTP clients connect to the hosts and ports that their adapters report.

Each client makes a request for each string. Nothing leaves the machine: a substitute for the
system's resolver answers with a loopback address, and every connection is refused before it starts.
"""
