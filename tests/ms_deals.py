"""Two deals of Microsoft's FreeCell as it shows them, each column from the buried card."""

MS_1_COLUMNS = (
    "JD KD 2S 4C 3S 6D 6S",
    "2D KC KS 5C TD 8S 9C",
    "9H 9S 9D TS 4S 8D 2H",
    "JC 5S QD QH TH QS 6H",
    "5D AD JS 4H 8H 6C",
    "7H QC AS AC 2C 3D",
    "7C KH AH 4D JH 8C",
    "5H 3H 3C 7S 7D TC",
)
# The one of the first 32000 that cannot be won as FreeCell.
MS_11982_COLUMNS = (
    "AH 3D KD JC 6C JD KC",
    "AS 3H 6H 5D 2C 7D 8D",
    "4H QS 5S 5C TH 8H 2S",
    "AC QC 4D 8C QH 9C 3S",
    "2D 8S 9H 9D 6D 2H",
    "6S 7H JH TD TC QD",
    "TS AD 9S KH 4S 4C",
    "JS KS 3C 7C 7S 5H",
)
