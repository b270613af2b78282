"""Catalogues: verdicts on many deals in a folder of Parquet files, and questions to them."""
