"""The game: cards, moves, boards, deals, and the packed state that the solver searches.

`engine` knows the rules and nothing of searching. It reads and writes text.
"""
