"""Benchmarks: what the search costs, on fixed lists of deals."""
