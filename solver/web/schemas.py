"""The answers as JSON Schema, for `solver.web.describe`; a test holds real answers against them."""

from __future__ import annotations

from typing import Any, Final

Schema = dict[str, Any]

TEXT: Final[Schema] = {"type": "string"}
WHOLE: Final[Schema] = {"type": "integer"}
NUMBER: Final[Schema] = {"type": "number"}
TRUTH: Final[Schema] = {"type": "boolean"}
CARD: Final[Schema] = {"type": "string", "pattern": "^[A2-9TJQK][SHDC]$"}
PLACE: Final[Schema] = {"type": "string", "pattern": "^[1-8a-gih]$"}
MOVE: Final[Schema] = {"type": "string", "pattern": "^[1-8a-gi][1-8a-gih](v[1-9a-d])?$"}
VERDICT: Final[Schema] = {"type": "string", "enum": ["winnable", "unwinnable", "undecided"]}
LIMIT: Final[Schema] = {"enum": ["nodes", "seconds", "memory", None]}
MEASURE: Final[Schema] = {"type": "string", "enum": ["plies", "actions"]}
RANK: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 13}


def listed(items: Schema) -> Schema:
    """A list of these."""
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    """This, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def an_object(**properties: Schema) -> Schema:
    """An object with all of these keys and perhaps more; `from_` is the key `from`."""
    named = {key.rstrip("_"): value for key, value in properties.items()}
    return {"type": "object", "required": list(named), "properties": named}


def ref(name: str) -> Schema:
    """A schema of `COMPONENTS`."""
    return {"$ref": f"#/components/schemas/{name}"}


_DEAL: Final = {"deal": TEXT, "dealer": maybe(TEXT), "notes": {"type": "array"}}
_GAME: Final = {
    **_DEAL,
    "start": {"anyOf": [TEXT, ref("Board")]},
    "moves": listed(MOVE),
    "undoable": WHOLE,
    "cells": WHOLE,
    "board": ref("Board"),
    "score": WHOLE,
    "home": WHOLE,
    "won": TRUTH,
    "legal_move": TRUTH,
    "actions": listed(ref("Action")),
    "tap": {"type": "object", "additionalProperties": MOVE},
    "double_tap": {"type": "object", "additionalProperties": MOVE},
}
_CHECKED: Final = {
    **_DEAL,
    "cells": WHOLE,
    "played": WHOLE,
    "verdict": VERDICT,
    "reason": LIMIT,
    "legal_move": TRUTH,
}
_SOLUTION: Final = an_object(
    notation=listed(MOVE), actions=listed(an_object()), plies=listed(an_object()), score=WHOLE
)
_SHORTEST: Final = an_object(measure=MEASURE, length=WHOLE, lower_bound=WHOLE, proven=TRUTH)

_CATALOGUE: Final = {
    "catalogue": WHOLE,
    "name": TEXT,
    "deals": WHOLE,
    "cells": listed(WHOLE),
    "rated": listed(WHOLE),
    "sources": listed(TEXT),
    "finished": TRUTH,
}

COMPONENTS: Final[dict[str, Schema]] = {
    "Error": an_object(
        error=an_object(
            key={**TEXT, "description": "What is wrong, for programs."},
            facts={"type": "object"},
            text={**TEXT, "description": "The same as a sentence."},
        )
    ),
    "Board": an_object(
        num_cells=WHOLE,
        foundations=an_object(S=RANK, H=RANK, D=RANK, C=RANK),
        cells=listed(maybe(CARD)),
        columns={**listed(listed(CARD)), "minItems": 8, "maxItems": 8},
    ),
    "Action": an_object(
        notation=MOVE, from_=PLACE, to=PLACE, count=WHOLE, cards=listed(CARD), like=maybe(MOVE)
    ),
    "Mark": an_object(
        notation=MOVE,
        text=TEXT,
        cards=listed(CARD),
        reasons=listed(ref("Reason")),
        reason=TEXT,
        verdict=VERDICT,
        distance=maybe(WHOLE),
        proven=TRUTH,
    ),
    "Step": an_object(
        notation=MOVE,
        text=TEXT,
        cards=listed(CARD),
        reasons=listed(ref("Reason")),
        reason=TEXT,
        distance=WHOLE,
    ),
    "Reason": an_object(kind=TEXT),
    "Catalogue": an_object(**_CATALOGUE),
    "Listed": an_object(
        deal=TEXT,
        source=TEXT,
        number=WHOLE,
        cells=listed(an_object(cells=WHOLE, verdict=VERDICT, nodes=maybe(WHOLE))),
    ),
}

ANSWERS: Final[dict[str, Schema]] = {
    "deal": an_object(
        **_GAME,
        kind={"enum": ["code", "ms", "random", "board"]},
        number=maybe(WHOLE),
        dealer_note=maybe(TEXT),
        dealer_known=TRUTH,
        fresh=TRUTH,
    ),
    "play": an_object(**_GAME, done=WHOLE),
    "check": an_object(**_CHECKED, nodes=WHOLE, seconds=NUMBER),
    "marks": an_object(
        **_DEAL, cells=WHOLE, played=WHOLE, measure=MEASURE, actions=listed(ref("Mark"))
    ),
    "hint": an_object(
        **_CHECKED,
        measure=MEASURE,
        distance=maybe(WHOLE),
        proven=TRUTH,
        hints=listed(ref("Step")),
        solution=maybe(listed(MOVE)),
        loss=maybe(
            an_object(
                undos=maybe(WHOLE),
                within_undo=TRUTH,
                number=maybe(WHOLE),
                notation=maybe(MOVE),
                from_start=TRUTH,
            )
        ),
    ),
    "solve": {
        **an_object(
            **_DEAL,
            cells=WHOLE,
            verdict=VERDICT,
            reason=LIMIT,
            nodes=WHOLE,
            seconds=NUMBER,
            solution=maybe(_SOLUTION),
            shortest=maybe(_SHORTEST),
        ),
    },
    "review": an_object(
        **_DEAL,
        cells=WHOLE,
        measure=MEASURE,
        verdict=VERDICT,
        final_verdict=VERDICT,
        won=TRUTH,
        length=WHOLE,
        shortest=maybe(WHOLE),
        wasted=WHOLE,
        lost_by=maybe(WHOLE),
        score=WHOLE,
        actions=listed(
            an_object(
                number=WHOLE,
                notation=MOVE,
                verdict=VERDICT,
                distance_before=maybe(WHOLE),
                distance_after=maybe(WHOLE),
                wasted=maybe(WHOLE),
                losing=TRUTH,
                score=WHOLE,
            )
        ),
    ),
    "export": an_object(name=TEXT, html=TEXT),
    "rate": an_object(
        **_DEAL,
        cells=WHOLE,
        verdict=VERDICT,
        min_cells=maybe(WHOLE),
        min_certain=TRUTH,
        score=maybe(NUMBER),
        word=maybe(TEXT),
        seed=WHOLE,
        parts=maybe({"type": "object"}),
        percentiles={"type": "object", "additionalProperties": NUMBER},
    ),
    "find": an_object(
        seed=WHOLE,
        conditions=listed(an_object(cells=WHOLE, verdict=VERDICT)),
        drawn=WHOLE,
        undecided=WHOLE,
        deals=listed(an_object(deal=TEXT, number=WHOLE)),
    ),
    "catalogue": {
        "anyOf": [
            an_object(catalogues=listed(ref("Catalogue"))),
            an_object(
                **_CATALOGUE,
                summary=an_object(deals=WHOLE, cells=listed(an_object(cells=WHOLE))),
                scores=listed(an_object(cells=WHOLE, bins=listed(WHOLE))),
            ),
            an_object(
                catalogue=WHOLE,
                cells=WHOLE,
                deals=listed(ref("Listed")),
                next=maybe(listed(WHOLE)),
                read=WHOLE,
            ),
        ]
    },
    "identify": an_object(
        codes=listed(TEXT),
        notes={"type": "array"},
        tried=WHOLE,
        seconds=NUMBER,
        most_right=WHOLE,
        fits_first=WHOLE,
        groups=listed(an_object(words=TEXT, rules=listed(TEXT), bk1=TRUTH)),
        deciding_code=maybe(TEXT),
        near=maybe({"type": "object"}),
        saved=maybe(an_object(name=TEXT, file=TEXT)),
    ),
}

STATUS: Final = an_object(
    version=TEXT,
    role={"enum": ["owner", "guest"]},
    lan=TRUTH,
    solver=an_object(
        state={"enum": ["loading", "compiling", "ready", "failed"]},
        done=listed({"enum": ["check", "hint", "rate"]}),
        step=maybe(TEXT),
        progress=NUMBER,
        fault=maybe(TEXT),
    ),
    open=an_object(quick=WHOLE, slow=WHOLE),
)
PAIRING: Final = an_object(url=TEXT, qr=TEXT)
