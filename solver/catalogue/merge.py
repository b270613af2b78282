"""Merges catalogues: the shards of one, or several about different deals, into one folder.

Parts are copied as they are. Shards of the same catalogue fall into one block; other catalogues
follow each other as blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from boulanger.engine.errors import CatalogueError
from boulanger.engine.words import quoted
from boulanger.solver.catalogue.folder import Folder, check_free, rejected_path
from boulanger.solver.catalogue.manifest import (
    Manifest,
    differences,
    own_versions,
    read_manifest,
)
from boulanger.solver.catalogue.reader import Catalogue
from boulanger.solver.catalogue.schema import digest_of
from boulanger.solver.files import write_whole


def merge(
    folders: Sequence[Path], out: Path, on_part: Callable[[int, int], None] | None = None
) -> Manifest:
    """Makes one catalogue of several; what stops it, the same again goes on.

    Args:
        folders: of catalogues with the same options, finished or not.
        out: where the new one is to be.
        on_part: told after each part how many of how many are there.

    Returns:
        The manifest of the new one; it is unfinished if some parts are missing.

    Raises:
        CatalogueError: if one of them is damaged, or they do not fit together.
        OSError: if the new one cannot be written.
    """
    catalogues = [Catalogue(folder) for folder in folders]
    if out.resolve() in {folder.resolve() for folder in folders}:
        raise CatalogueError(f"{quoted(str(out))} is one of those to be merged; a new one expected")
    groups = _groups(catalogues)
    first = catalogues[0].manifest
    merged = replace(
        first,
        blocks=tuple(block for group in groups for block in group[0].manifest.blocks),
        shard=None,
        dealers={k: v for group in groups for k, v in group[0].manifest.dealers.items()},
        rules={k: v for group in groups for k, v in group[0].manifest.rules.items()},
        versions=own_versions(),
    )
    there = read_manifest(out)
    if there is None:
        check_free(out)
    elif different := differences(there, merged):
        raise CatalogueError(
            f"{quoted(str(out))} holds another catalogue ({'; '.join(different)}); the name of a "
            "new one expected"
        )
    with Folder(out, merged) as folder:
        folder.begin(there is None)
        if there is None:
            _copy_rejected(folders, out)
        present = {index for index, done in folder.done() if done.counts is not None}
        offset = 0
        for group in groups:
            for catalogue in group:
                for index, data in catalogue.whole_parts():
                    if offset + index not in present:
                        folder.write_part(offset + index, data)
                        present.add(offset + index)
                    if on_part is not None:
                        on_part(len(present), merged.num_chunks)
            offset += group[0].manifest.spans.num_chunks
    return merged


def _groups(catalogues: Sequence[Catalogue]) -> list[list[Catalogue]]:
    """The catalogues, those together that are shards of one.

    Raises:
        CatalogueError: if two of them were made with other options.
    """
    groups: list[list[Catalogue]] = []
    first = catalogues[0]
    known: dict[str, Any] = {}
    for catalogue in catalogues:
        own = replace(catalogue.manifest, shard=None)
        # Of different deals; a dealer that both know has to be the same.
        rules = {k: v for k, v in own.rules.items() if k in known}
        shared = {k: v for k, v in known.items() if k in own.rules}
        known |= own.rules
        alike = replace(own, blocks=first.manifest.blocks, rules=rules)
        if different := differences(replace(first.manifest, shard=None, rules=shared), alike):
            raise CatalogueError(
                f"{quoted(str(catalogue.folder))} was made with other options than "
                f"{quoted(str(first.folder))} ({'; '.join(different)}); `boulanger classify "
                "--grow` can add what one of them lacks"
            )
        for group in groups:
            if not differences(replace(group[0].manifest, shard=None), own):
                group.append(catalogue)
                break
        else:
            groups.append([catalogue])
    return groups


def _copy_rejected(folders: Sequence[Path], out: Path) -> None:
    """Puts the bad lines of all lists together, each once."""
    texts = [path.read_bytes() for folder in folders if (path := rejected_path(folder)).is_file()]
    if texts:
        by_digest = {digest_of(text): text for text in texts}
        write_whole(rejected_path(out), b"".join(by_digest.values()))
