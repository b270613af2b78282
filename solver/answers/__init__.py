"""The answers of the solver as facts, JSON and sentences; for every front end."""
