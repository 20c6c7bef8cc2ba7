"""Hypothesis strategies and assertions for tests of programs that use URIs."""
