"""The API in OpenAPI 3.1, made from the questions themselves."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from boulanger.solver.web.handlers import QUESTIONS
from boulanger.solver.web.questions import Question
from boulanger.solver.web.requests import KEYS
from boulanger.solver.web.schemas import ANSWERS, COMPONENTS, PAIRING, STATUS, ref

Schema = dict[str, Any]

_REFUSALS = {
    "400": "This is no question: no JSON, an unknown key, a value of the wrong kind.",
    "403": "No token, a wrong one, or asked by a foreign page.",
    "409": "A later question of the same client took the place of this one.",
    "413": "Too long.",
    "415": "Not application/json.",
    "421": "The server does not go by that name.",
    "422": "What was asked for is wrong.",
    "503": "Too many questions wait.",
}


def describe() -> Schema:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Boulanger",
            "version": version("boulanger"),
            "description": "Exact answers about Baker's Game. Every question is a POST of a JSON "
            "object and needs the token of the server, in its cookie or as a bearer token. With "
            "Accept: application/x-ndjson the answer is lines of JSON: {progress}, any number of "
            "times, then {result} or {error}.",
        },
        "security": [{"token": []}],
        "paths": {
            "/api": {"get": _get("description", "This document.", {"type": "object"})},
            "/api/status": {"get": _get("status", "How far the solver is.", STATUS)},
            "/api/pair": {
                "post": {
                    "operationId": "pair",
                    "summary": "An address that lets one more device in, with its QR code.",
                    "responses": _responses(PAIRING),
                }
            },
            **{f"/api/{name}": {"post": _post(question)} for name, question in QUESTIONS.items()},
        },
        "components": {
            "schemas": COMPONENTS,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _get(name: str, summary: str, answer: Schema) -> Schema:
    return {"operationId": name, "summary": summary, "responses": _responses(answer)}


def _post(question: Question) -> Schema:
    body = {
        "type": "object",
        "additionalProperties": False,
        "properties": {key: KEYS[key].schema for key in question.keys},
    }
    return {
        "operationId": question.name,
        "summary": question.summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": _responses(ANSWERS[question.name]),
    }


def _responses(answer: Schema) -> Schema:
    error = {"application/json": {"schema": ref("Error")}}
    good = {"description": "The answer.", "content": {"application/json": {"schema": answer}}}
    refusals = {
        status: {"description": text, "content": error} for status, text in _REFUSALS.items()
    }
    return {"200": good, **refusals}
