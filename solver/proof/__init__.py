"""Proofs that a board cannot be won, and a small program of its own that checks them."""
