"""A deal from its name or its board, and the dealer that game codes are dealt by."""
