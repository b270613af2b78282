"""The search for Baker's Game, what it says of deals and games, and the front ends that say it.

`boulanger` offers the public names; here are the rooms behind them.
"""
