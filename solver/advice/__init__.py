"""What to say about a game under way: can it be won, what now, where was it lost."""
