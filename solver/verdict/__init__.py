"""Winnable or not: the search over classes of positions."""
