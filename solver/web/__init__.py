"""The page and its HTTP API, and the same questions line by line for other programs."""
