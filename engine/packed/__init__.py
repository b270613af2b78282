"""Positions packed into machine words, and the decorator of every compiled kernel."""
