"""Shortest solutions, proven."""
