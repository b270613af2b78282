"""What the help tells beside the options: examples, and the formats of boards, moves and codes."""

from __future__ import annotations

from typing import Final

_BOARD: Final = """\
A board is text, a column a line, the exposed card last (`show` writes so):

  Freecells: - - - -
  : JD KD 2S 4C 3S 6D 6S
  : 2D KC KS 5C TD 8S 9C
  ... eight lines in all

A card is a rank and a suit: A 2 3 4 5 6 7 8 9 T J Q K, then S H D C. `10H`
and signs such as \u2665 are read too. Rows as the screen shows them are read as
well, and a note says so.

For a game that was begun, say what is home and what is in the cells:

  Foundations: H-3 C-0 D-A S-0
  Freecells: 6S - KD -

JSON as `show --json` writes it is read as well. Give DEAL the name of the
file, or - for standard input.
"""
_MOVES: Final = """\
A move is two places, from and to (standard FreeCell notation):

  1 to 8              the columns, from the left
  a b c d             the cells; with more than four: e f g i
  h                   home, the foundations

  26     from column 2 to column 6: the run that fits there
  a5     from cell a to column 5
  3b     from column 3 to cell b
  3h     from column 3 home
  28v3   three cards from column 2 to the empty column 8

Moves are separated by blanks, commas or lines. Numbers such as `12.` and
whatever follows a # are ignored, so that the answer of `solve` is a list of
moves.
In the app nothing goes home by itself: each card that does is a move.
"""
_CODES: Final = """\
DEAL names a deal in one of these ways:

  BK1-C4-AAAAA24   a game code of the app: version, cells in play, and seven
                   letters or digits (A to Z and 2 to 7)
  ms:617           Microsoft FreeCell deal 617; 0 to 8589934591
  random:17@1      deal 17 of the random sample with seed 1
  board.txt        a file with a board (`boulanger help board`), or with one
                   of the above
  -                the same from standard input

How the app deals its codes is not published. Until you teach it with
`identify`, codes are dealt by a dealer of this project (bk1), and the answer
is about that board. `boulanger dealers` lists what can deal them.
"""
_EXIT_CODES: Final = """\
  0    winnable (review: at its end); verify: all moves are legal;
       identify: found; other commands: done
  1    proven unwinnable; verify: an illegal move; identify: no rule deals
       the board
  2    bad input, or an answer that cannot be written; classify: done, but
       for lines that were no deals
  3    undecided: a limit was reached; find: fewer deals found than asked
       for; identify: several rules that differ deal the board
  4    classify: a disk or workers failed; the same command goes on
  70   a fault of the program or of its installation, never an answer;
       BOULANGER_TRACEBACK=1 shows where
  130  interrupted (Ctrl-C)
"""

TOPICS: Final = {
    "board": _BOARD,
    "moves": _MOVES,
    "codes": _CODES,
    "exit-codes": _EXIT_CODES,
}

# For each command two command lines, and what they are for.
EXAMPLES: Final = {
    "show": (
        ("boulanger show ms:617", "the board of a Microsoft deal"),
        ("boulanger show BK1-C4-AAAAA24 > board.txt", "a board file, to be edited"),
    ),
    "solve": (
        ("boulanger solve BK1-C4-AAAAA24", "can it be won, and how?"),
        ("boulanger solve ms:1 --shortest actions", "with the fewest gestures"),
    ),
    "rate": (
        ("boulanger rate ms:1", "how hard is it, and why?"),
        ("boulanger rate BK1-C4-AAAAA24 --cells 2 --json", "the same for programs"),
    ),
    "verify": (
        ("boulanger verify ms:1 --moves moves.txt", "are these moves legal?"),
        ("boulanger verify ms:23 --proof ms23.proof", "does this prove that it is lost?"),
    ),
    "notation": (
        ("boulanger notation", "how moves are written, with a drawn board"),
        ("boulanger solve ms:1 --style words", "a solution in words"),
    ),
    "merge": (
        ("boulanger merge part1 part2 --out all", "two shards into one catalogue"),
        ("boulanger merge day1 day2 day3 --out week", "three catalogues into one"),
    ),
    "code": (
        ("boulanger code 860", "the game code of a number"),
        ("boulanger code BK1-C4-AAAAA24", "the number of a game code"),
    ),
    "hint": (
        ('boulanger hint ms:1 --played "2a 3b"', "what now, after two moves?"),
        ("boulanger hint board.txt -n 3", "the next three actions from a board"),
    ),
    "check": (
        ('boulanger check ms:1 --played "2a 3b"', "can it still be won?"),
        ("boulanger check board.txt --cells 2", "the same of a board, with 2 cells"),
    ),
    "review": (
        ("boulanger review ms:1 --played moves.txt", "where was it lost?"),
        ('boulanger review ms:1 --played "2a 3b" --measure plies', "in single-card moves"),
    ),
    "serve": (
        ("boulanger serve", "the page in a browser on this machine"),
        ("boulanger serve --help", "its options"),
    ),
    "find": (
        ("boulanger find --count 5", "five winnable deals"),
        ("boulanger find --cells 2 --difficulty hard --count 3", "hard ones with 2 cells"),
    ),
    "classify": (
        ("boulanger classify ms:1..32000 --out ms", "all classic deals, into a folder"),
        ("boulanger classify ms:1..64000 --out ms --grow", "more deals into the same folder"),
    ),
    "summary": (
        ("boulanger summary ms", "how many can be won?"),
        ("boulanger summary ms --plot rates.png", "drawn as well"),
    ),
    "export": (
        ("boulanger export ms --unwinnable", "the deals that 4 cells lose"),
        ("boulanger export ms --where difficulty=hard --limit 20", "of a rated one"),
    ),
    "engine": (
        ("boulanger engine", "questions and answers, a line each"),
        ("boulanger engine --help", "what can be asked"),
    ),
    "identify": (
        ("boulanger identify BK1-C4-AAAAA24 board.txt", "which rule deals this board?"),
        ("boulanger identify BK1-C4-AAAAA24 board.txt --save app", "keep it"),
    ),
    "dealers": (
        ("boulanger dealers", "what can deal game codes"),
        ("boulanger dealers --use bk1", "use the project's own again"),
    ),
    "compile": (
        ("boulanger compile", "do now what the first commands would wait for"),
        ("boulanger compile --no-ratings", "the same without what rate needs"),
    ),
    "help": (
        ("boulanger help board", "how to write a board"),
        ("boulanger help solve", "the same as boulanger solve --help"),
    ),
    "completion": (
        ("boulanger completion bash", "the script for bash"),
        ("boulanger completion fish > ~/.config/fish/completions/boulanger.fish", "for fish"),
    ),
}

# What a command with such an argument or option reads, in a line.
_FORMATS: Final = {
    "deal": "Board: a column a line, such as `: JD KD 2S`; see `boulanger help board`.",
    "played": "Moves: from and to, such as `26 a5 3h`; see `boulanger help moves`.",
}
_FORMATS_OF: Final = {
    **dict.fromkeys(("deal", "what", "codes_and_boards", "sources"), _FORMATS["deal"]),
    **dict.fromkeys(("played", "moves"), _FORMATS["played"]),
}


def closing(name: str, parameters: list[str]) -> str:
    """The end of a command's help: the formats that it reads, and its examples."""
    lines = list(dict.fromkeys(_FORMATS_OF[key] for key in parameters if key in _FORMATS_OF))
    text = "\n" + "".join(f"{line}\n" for line in lines) if lines else ""
    if name in EXAMPLES:
        text += "\nExamples:\n"
        for line, purpose in EXAMPLES[name]:
            text += f"  # {purpose}\n  {line}\n"
    return text
