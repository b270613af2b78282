"""Studies of the game: each module makes files in `results/` that `docs/results.md` shows."""
