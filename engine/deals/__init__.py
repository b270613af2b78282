"""Deals by name: game codes, Microsoft numbers, random deals and who deals them."""
