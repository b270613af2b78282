"""The `boulanger` command: arguments in, text and JSON out."""
