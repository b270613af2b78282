"""The game: cards, deals, boards, moves, and the packed state that the solver searches.

`engine` knows the rules and nothing of searching; it reads and writes text but touches no files.
"""
