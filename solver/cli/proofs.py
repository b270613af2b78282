"""Proofs of lost deals on the command line: written by `solve`, checked by `verify`."""

from __future__ import annotations

from typing import Final

from boulanger.engine.position import Position
from boulanger.solver.answers.play import json_answer
from boulanger.solver.answers.proofs import proof_json, proof_text
from boulanger.solver.cli.arguments import voice
from boulanger.solver.cli.notes import remark_notes
from boulanger.solver.cli.reading import read_input
from boulanger.solver.cli.terminal import EXIT_NO, EXIT_YES, remark, write
from boulanger.solver.deals.source import DealSource
from boulanger.solver.files import write_whole
from boulanger.solver.proof.certificate import check, game_of, prove
from boulanger.solver.result import Verdict

_MAX_BYTES: Final = 1 << 30


def write_proof(position: Position, verdict: Verdict, path: str) -> None:
    """Writes the proof that a position is lost; says so if there is none."""
    if verdict != Verdict.UNWINNABLE:
        remark(f"no proof was written: the verdict is {verdict.word}")
        return
    proof = prove(game_of(position))
    write_whole(path, proof)
    remark(f"the proof has {len(proof)} bytes; boulanger verify DEAL --proof FILE checks it")


def check_proof(source: DealSource, path: str, as_json: bool) -> int:
    """The answer and the exit code of `verify --proof`."""
    checked = check(source.position, read_input(path, _MAX_BYTES, "proof"))
    if as_json:
        write(json_answer(proof_json(source, checked), voice()))
    else:
        remark_notes(source)
        write(proof_text(checked, source.position.num_cells))
    return EXIT_YES if checked.fault is None else EXIT_NO
