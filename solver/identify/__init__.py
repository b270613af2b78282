"""Finding the rule by which an app deals from a code and its board."""
