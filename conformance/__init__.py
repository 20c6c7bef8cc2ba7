"""Runs the test suites of other projects, and compares other parsers with the RFCs."""
