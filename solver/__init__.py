"""The search: verdicts and solutions for Baker's Game, and the `boulanger` command."""
