"""How hard a deal is: what makes it so, measured, and one score among deals of its kind."""
