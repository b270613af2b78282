"""pyarrow, which only catalogues need: an extra, told in one line where it is missing."""

from __future__ import annotations

from boulanger.engine.errors import CatalogueError

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv as pa_csv
    import pyarrow.parquet as pq
except ImportError:
    raise CatalogueError(
        "catalogues need pyarrow, which is not installed; `pip install 'boulanger[catalogues]'` "
        "installs it"
    ) from None

__all__ = ["pa", "pa_csv", "pc", "pq"]
