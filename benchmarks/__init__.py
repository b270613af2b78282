"""Benchmarks: what the search and the program cost; the studies make the files in `results/`."""
