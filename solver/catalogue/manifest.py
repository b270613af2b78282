"""The manifest of a catalogue: which deals it holds, what was asked of them, and with what.

It is made here, read here and compared here. In the folder it is a Parquet file without rows whose
metadata holds it as JSON, so that tools that read the whole folder as one table pass it by. Each
part says in the same way which run it belongs to, so that a part of another run is noticed.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from boulanger.engine.deals.dealers import get_dealer
from boulanger.engine.errors import CatalogueError
from boulanger.engine.position import MAX_CELLS
from boulanger.solver.catalogue.arrow import pa, pq
from boulanger.solver.catalogue.chunks import ChunkSpans
from boulanger.solver.catalogue.schema import (
    FORMAT,
    MANIFEST_NAME,
    METADATA_KEY,
    part_schema,
)
from boulanger.solver.catalogue.sources import Source
from boulanger.solver.catalogue.task import Stamp, Task, own_version
from boulanger.solver.commit import commit_at_work
from boulanger.solver.deals.code_dealer import CodeDealer

_MAX_BYTES: Final = 1 << 28
_OLD_NAME: Final = "manifest.json"  # of format 1
_HOW_TO_MAKE: Final = "`boulanger classify ... --out FOLDER` makes one"
_MAX_LISTED: Final = 8
_MAX_TEXT: Final = 40
# Of the metadata of a part: what does not make it another part.
_INCIDENTAL: Final = ("boulanger", "commit", "dealers")


@dataclass(frozen=True, slots=True)
class SourceName:
    """A source as a manifest has it.

    Attributes:
        text: as `boulanger classify` takes it.
        digest: SHA-256 of a list, whose path does not matter; None for what the text says in full.
    """

    text: str
    digest: str | None = None

    @property
    def identity(self) -> str:
        """Equal for sources with the same deals."""
        return self.text if self.digest is None else self.digest


@dataclass(frozen=True, slots=True)
class Block:
    """Sources whose deals were cut into chunks together.

    Attributes:
        sources: in order.
        num_deals: in all of them.
        num_rejected: lines of their lists that are no deals.
        chunk_size: deals in a chunk; in the last one perhaps fewer.
        dealers: the keys of their dealers.
    """

    sources: tuple[SourceName, ...]
    num_deals: int
    num_rejected: int
    chunk_size: int
    dealers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a catalogue says of itself.

    Attributes:
        blocks: its deals; the first block is that of the first run, others were added.
        cells: the numbers of cells, rising.
        max_nodes: the limit of each search; None for no limit.
        rated: the numbers of cells with which winnable deals are rated, rising.
        shard: (i, n) for the chunks i - 1, i - 1 + n and so on only; None for all of them.
        search, rating: signatures of the search and of the ratings; None as long as they are not
            known, and `rating` if there are none.
        dealers: the key of each dealer, with a line on what it does.
        rules: for the keys of learned dealers, their rules.
        versions: of the programs, the commit, and when the catalogue was begun.
    """

    blocks: tuple[Block, ...]
    cells: tuple[int, ...]
    max_nodes: int | None = None
    rated: tuple[int, ...] = ()
    shard: tuple[int, int] | None = None
    search: int | None = None
    rating: float | None = None
    dealers: Mapping[str, str] = field(default_factory=dict)
    rules: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sources(self) -> tuple[SourceName, ...]:
        """Of all blocks."""
        return tuple(source for block in self.blocks for source in block.sources)

    @property
    def num_rejected(self) -> int:
        """Lines of lists that are no deals."""
        return sum(block.num_rejected for block in self.blocks)

    @property
    def spans(self) -> ChunkSpans:
        """The chunks of all blocks."""
        return ChunkSpans([(block.num_deals, block.chunk_size) for block in self.blocks])

    @property
    def chunks(self) -> range:
        """The indices of the chunks that belong in this folder."""
        first, step = (self.shard[0] - 1, self.shard[1]) if self.shard else (0, 1)
        return range(first, self.spans.num_chunks, step)

    @property
    def num_chunks(self) -> int:
        """How many parts a finished run has."""
        return len(self.chunks)

    @property
    def num_deals(self) -> int:
        """In all parts of a finished run."""
        if self.shard is None:
            return sum(block.num_deals for block in self.blocks)
        spans = self.spans
        return sum(spans.place(index).num_deals for index in self.chunks)

    @property
    def task(self) -> Task:
        """What was asked of each deal."""
        return Task(self.cells, self.max_nodes, self.rated)

    @property
    def document(self) -> dict[str, Any]:
        """All of it as plain JSON; keys stay, new ones may be added."""
        return {
            "format": FORMAT,
            "sources": [source.text for source in self.sources],
            "digests": [source.digest for source in self.sources],
            "dealers": dict(self.dealers),
            "rules": dict(self.rules) or None,
            "cells": list(self.cells),
            "max_nodes": self.max_nodes,
            "rated": list(self.rated) or None,
            "shard": None if self.shard is None else list(self.shard),
            "num_deals": self.num_deals,
            "num_chunks": self.num_chunks,
            "num_rejected": self.num_rejected,
            "blocks": [
                {
                    "sources": len(block.sources),
                    "num_deals": block.num_deals,
                    "num_rejected": block.num_rejected,
                    "chunk_size": block.chunk_size,
                    "dealers": list(block.dealers),
                }
                for block in self.blocks
            ],
            "search": self.search,
            "rating": self.rating,
            **self.versions,
        }

    def with_stamp(self, stamp: Stamp) -> Manifest:
        """The same with the signatures of a search that is compiled."""
        return replace(self, search=stamp.search, rating=stamp.rating)

    def about_part(self, index: int) -> dict[str, Any]:
        """The metadata of the part of chunk `index`."""
        place = self.spans.place(index)
        block = self.blocks[place.block]
        return {
            "format": FORMAT,
            "sources": [source.text for source in block.sources],
            "digests": [source.digest for source in block.sources],
            "dealers": {key: self.dealers[key] for key in block.dealers},
            "rules": {key: self.rules[key] for key in block.dealers if key in self.rules} or None,
            "chunk_size": block.chunk_size,
            "chunk": place.place,
            "num_deals": place.num_deals,
            "cells": list(self.cells),
            "max_nodes": self.max_nodes,
            "rated": list(self.rated) or None,
            "search": self.search,
            "rating": self.rating,
            "boulanger": self.versions.get("boulanger"),
            "commit": self.versions.get("commit"),
        }


def make_block(sources: Sequence[Source], chunk_size: int) -> Block:
    """The block of some sources."""
    return Block(
        tuple(SourceName(source.text, source.digest) for source in sources),
        sum(source.num_deals for source in sources),
        sum(len(source.bad_lines) for source in sources),
        chunk_size,
        tuple(sorted({key for source in sources for key in source.dealers})),
    )


def dealer_descriptions(sources: Sequence[Source], learned: Sequence[CodeDealer]) -> dict[str, str]:
    """The key of each dealer of these sources, with a line on what it does."""
    keys = {key for source in sources for key in source.dealers}
    known = {dealer.key: dealer.description for dealer in learned}
    return {key: known.get(key) or get_dealer(key).description for key in sorted(keys)}


def own_versions() -> dict[str, Any]:
    """The versions of this program and of what it stands on, and the time."""
    return {
        "boulanger": own_version(),
        "commit": commit_at_work(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "pyarrow": version("pyarrow"),
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
    }


# Reading and writing.


def manifest_bytes(manifest: Manifest) -> bytes:
    """The file of a manifest."""
    document = manifest.document
    document["digest"] = _digest(document)
    schema = part_schema(manifest.cells, manifest.rated)
    sink = pa.BufferOutputStream()
    pq.write_table(with_metadata(schema, json.dumps(document)).empty_table(), sink)
    return bytes(sink.getvalue().to_pybytes())


def with_metadata(schema: Any, about: str) -> Any:
    """An Arrow schema that says what it is about."""
    return schema.with_metadata({METADATA_KEY: about.encode()})


def metadata_of(schema: Any) -> dict[str, Any] | None:
    """What an Arrow schema says it is about; None if there is nothing, or no JSON object."""
    try:
        document = json.loads((schema.metadata or {})[METADATA_KEY])
    except (KeyError, ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def read_manifest(folder: Path) -> Manifest | None:
    """The manifest of the catalogue in a folder; None if there is none, or no folder.

    Raises:
        CatalogueError: if it cannot be read, is damaged or no manifest, or of another format.
    """
    path = folder / MANIFEST_NAME
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES)
    except FileNotFoundError:
        if (folder / _OLD_NAME).exists():
            raise CatalogueError(
                f"{str(folder)!r} holds a catalogue of an older version ({_OLD_NAME}), which this "
                f"one does not read; {_HOW_TO_MAKE}"
            ) from None
        return None
    except NotADirectoryError:
        raise CatalogueError(f"{str(folder)!r} is a file; a folder expected") from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or str(error)
        raise CatalogueError(f"{str(path)!r} cannot be read: {reason}") from None
    try:
        document = metadata_of(pq.read_schema(pa.BufferReader(data)))
    except Exception:  # whatever damage makes of it: Arrow's, of UTF-8, of an index
        document = None
    if document is None:
        raise CatalogueError(f"{str(path)!r} is damaged, or not the manifest of a catalogue")
    written = document.get("format")
    if written != FORMAT or type(written) is not int:
        raise CatalogueError(
            f"{str(path)!r} has the format {written!r}; this version of Boulanger reads {FORMAT}"
        )
    if document.pop("digest", None) != _digest(document):
        raise CatalogueError(f"{str(path)!r} is damaged: its digest is another one")
    return _manifest_of(document, str(path))


def require_manifest(folder: Path) -> Manifest:
    """The manifest of the catalogue in a folder.

    Raises:
        CatalogueError: if there is none, too.
    """
    try:
        manifest = read_manifest(folder)
        name = repr(str(folder))
        if manifest is not None:
            return manifest
        if folder.is_dir():
            reason = f"{name} is no catalogue: it has no {MANIFEST_NAME}"
        else:
            reason = f"there is no folder {name}; the folder of a catalogue expected"
    except CatalogueError as error:
        if not folder.is_file():
            raise
        raise CatalogueError(f"{error}, {_HOW_TO_MAKE}") from None
    raise CatalogueError(f"{reason}; {_HOW_TO_MAKE}")


def _digest(document: Mapping[str, Any]) -> str:
    """Of everything in a manifest."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def _manifest_of(document: dict[str, Any], path: str) -> Manifest:
    """The manifest that a JSON object is.

    Raises:
        CatalogueError: if it is not one, although its digest is right.
    """
    try:
        names = [
            SourceName(text, digest)
            for text, digest in zip(document["sources"], document["digests"], strict=True)
        ]
        blocks = []
        for entry in document["blocks"]:
            own, names = names[: entry["sources"]], names[entry["sources"] :]
            numbers = (entry["num_deals"], entry["num_rejected"], entry["chunk_size"])
            blocks.append(Block(tuple(own), *numbers, tuple(entry["dealers"])))
        cells = tuple(document["cells"])
        if not cells or not set(cells) <= set(range(MAX_CELLS + 1)):
            raise ValueError(f"cells {cells}")
        manifest = Manifest(
            blocks=tuple(blocks),
            cells=cells,
            max_nodes=document["max_nodes"],
            rated=tuple(document["rated"] or ()),
            shard=None if document["shard"] is None else tuple(document["shard"]),
            search=document["search"],
            rating=document["rating"],
            dealers=document["dealers"],
            rules=document["rules"] or {},
        )
        versions = {key: document[key] for key in document.keys() - manifest.document.keys()}
        ordered = {key: versions[key] for key in document if key in versions}
        if {**manifest.document, **ordered} != document:
            raise ValueError("sums that do not fit")
        return replace(manifest, versions=ordered)
    except (LookupError, TypeError, ValueError, AttributeError, ZeroDivisionError) as error:
        raise CatalogueError(f"{path!r} is not the manifest of a catalogue: {error}") from None


# Comparing.


def differences(there: Manifest, here: Manifest) -> list[str]:
    """What keeps a run from going on with a catalogue, in words; empty if nothing does.

    Versions may differ: verdicts are exact, and the signature of the search tells when its nodes
    are others.

    Args:
        there: of the catalogue.
        here: of the run; its signatures are not looked at if they are not known yet.
    """
    facts = [
        ("sources", _identities(there), _identities(here), _texts(there), _texts(here)),
        ("rules of the learned dealers", there.rules, here.rules),
        ("--cells", there.cells, here.cells),
        ("--max-nodes", there.max_nodes, here.max_nodes),
        ("--rate, for cells", there.rated, here.rated),
        ("--chunk-size", _chunk_sizes(there), _chunk_sizes(here)),
        ("--shard", there.shard, here.shard),
        *_signatures(there, here),
    ]
    return [
        f"{name}: {_short(shown[0] if shown else old)} there, "
        f"{_short(shown[1] if shown else new)} here"
        for name, old, new, *shown in facts
        if old != new
    ]


def growth_obstacles(there: Manifest, here: Manifest) -> list[str]:
    """What keeps a catalogue from growing into another one, in words; empty if nothing does.

    Args:
        there: of the catalogue.
        here: what it should become.
    """
    obstacles = [
        f"{name}: {_short(old)} there, {_short(new)} here"
        for name, old, new in [
            ("rules of the learned dealers", there.rules, _shared(here.rules, there.rules)),
            ("--shard", there.shard, here.shard),
            *_signatures(there, here),
        ]
        if old != new
    ]
    old, new = _identities(there), _identities(here)
    if new[: len(old)] != old:
        obstacles.append("sources: name those that are there first, in their order")
    if not set(there.cells) <= set(here.cells):
        obstacles.append(f"--cells: {_short(there.cells)} are there and must stay")
    if not set(there.rated) <= set(here.rated):
        obstacles.append("--rate: its ratings must stay")
    if here.max_nodes is not None and (there.max_nodes is None or here.max_nodes < there.max_nodes):
        limit = "none" if there.max_nodes is None else str(there.max_nodes)
        obstacles.append(f"--max-nodes: {limit} there, and a limit can only be raised")
    return obstacles


def is_same_part(about: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Whether the metadata of a part are those expected, whatever version wrote it."""
    return _part_identity(about) == _part_identity(expected)


def is_base_of(about: Mapping[str, Any], expected: Mapping[str, Any]) -> bool:
    """Whether the part expected can be grown from one with these metadata."""
    options = ("cells", "rated", "max_nodes", "rating")
    old, new = _part_identity(about), _part_identity(expected)
    if any(old.get(key) != new[key] for key in new if key not in options):
        return False
    limit, own_limit = about.get("max_nodes"), expected["max_nodes"]
    return (
        set(about.get("cells") or ()) <= set(expected["cells"])
        and set(about.get("rated") or ()) <= set(expected["rated"] or ())
        and about.get("rating") in (None, expected["rating"])
        and (own_limit is None or (limit is not None and limit <= own_limit))
    )


def _part_identity(about: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata of a part that make it what it is; where a list was does not."""
    texts, digests = about.get("sources") or (), about.get("digests") or ()
    sources = [digest or text for text, digest in zip(texts, digests, strict=False)]
    rest = {key: value for key, value in about.items() if key not in _INCIDENTAL}
    return {**rest, "sources": sources, "digests": None}


def _shared(rules: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """Those of some rules whose dealers have others, too."""
    return {key: rule for key, rule in rules.items() if key in others}


def _signatures(there: Manifest, here: Manifest) -> list[tuple[str, Any, Any]]:
    """The signatures that are to be compared."""
    known: list[tuple[str, Any, Any]] = []
    if here.search is not None and there.search is not None:
        name = "signature of the search (of another version)"
        known.append((name, there.search, here.search))
    if here.rating is not None and there.rating is not None:
        name = "signature of the ratings (of another version)"
        known.append((name, there.rating, here.rating))
    return known


def _identities(manifest: Manifest) -> list[str]:
    return [source.identity for source in manifest.sources]


def _texts(manifest: Manifest) -> list[str]:
    """The sources for a sentence, lists with the beginning of their digests."""
    return [
        source.text if source.digest is None else f"{source.text} ({source.digest[:12]})"
        for source in manifest.sources
    ]


def _chunk_sizes(manifest: Manifest) -> list[int]:
    return [block.chunk_size for block in manifest.blocks]


def _short(value: Any) -> str:
    """A value of a manifest in a sentence."""
    if value is None or value == () or value == {}:
        return "none"
    if isinstance(value, list | tuple):
        texts = [_short(item) for item in value[:_MAX_LISTED]]
        return ",".join(texts) + (",..." if len(value) > _MAX_LISTED else "")
    text = str(value)
    return text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "..."
