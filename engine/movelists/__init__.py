"""Lists of moves as people and programs write them: `reading.read_moves` and `writing.write_moves`.

A list is read in one style as a whole; `reading` says which styles there are and how one is chosen.
"""
