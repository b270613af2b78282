"""The plain search of every position, which all else is held against, and lines from it."""
