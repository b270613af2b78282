"""Boards as people and programs write them: text and JSON, read and written."""
