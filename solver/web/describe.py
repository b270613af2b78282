"""The API in OpenAPI 3.1, made from the questions themselves."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from boulanger.solver.web.handlers import QUESTIONS, Question
from boulanger.solver.web.requests import KEYS

Schema = dict[str, Any]


def describe() -> Schema:
    """The whole document."""
    paths: Schema = {f"/api/{name}": {"post": _operation(q)} for name, q in QUESTIONS.items()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Boulanger",
            "version": version("boulanger"),
            "description": "Exact answers about Baker's Game. Every question is a POST of a JSON "
            "object and needs the token of the server, in its cookie or as a bearer token.",
        },
        "paths": paths,
        "components": {"schemas": {"Error": _ERROR}},
    }


_ERROR: Schema = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["key", "facts", "text"],
            "properties": {
                "key": {"type": "string", "description": "What is wrong, for programs."},
                "facts": {"type": "object"},
                "text": {"type": "string", "description": "The same as a sentence."},
            },
        }
    },
}


def _operation(question: Question) -> Schema:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    return {
        "operationId": question.name,
        "summary": question.summary,
        "requestBody": {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "additionalProperties": False,
                        "properties": {key: KEYS[key].schema for key in question.keys},
                    }
                }
            },
        },
        "responses": {
            "200": {
                "description": "The answer.",
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            "400": {"description": "This is no question.", "content": error},
            "422": {"description": "What was asked for is wrong.", "content": error},
        },
    }
