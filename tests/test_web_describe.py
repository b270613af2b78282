"""`GET /api` and `docs/api.md` say what the server does."""

import json
from typing import Any

import jsonschema
import pytest

from boulanger.solver.web.describe import describe
from boulanger.solver.web.handlers import QUESTIONS
from boulanger.solver.web.requests import KEYS
from tests.api_examples import PAGE, ask, examples, shape, shortened
from tests.web import Asker

EXAMPLES = list(examples())


@pytest.fixture(scope="module")
def document() -> Any:
    return describe()


@pytest.fixture(scope="module")
def asker() -> Asker:
    return Asker()


def resolved(document: Any, schema: Any) -> Any:
    """A schema that holds all that it refers to."""
    return {**schema, "components": document["components"]}


def test_the_server_gives_the_description(asker: Asker, document: Any) -> None:
    response = asker.client.get("/api", headers={"authorization": "Bearer a-token-for-tests-alone"})
    assert response.json() == json.loads(json.dumps(document))


def test_all_schemas_are_schemas(document: Any) -> None:
    assert document["openapi"].startswith("3.1.")
    for path, item in document["paths"].items():
        for method, operation in item.items():
            assert operation["summary"], path
            for response in operation["responses"].values():
                for content in response.get("content", {}).values():
                    jsonschema.Draft202012Validator.check_schema(content["schema"])
            if method == "post" and "requestBody" in operation:
                (content,) = operation["requestBody"]["content"].values()
                jsonschema.Draft202012Validator.check_schema(content["schema"])


def test_every_address_is_described_and_answered(asker: Asker, document: Any) -> None:
    routes = {
        route.path: route.methods - {"HEAD"}
        for route in asker.server.app().routes
        if hasattr(route, "methods")
    }
    described = {path: {m.upper() for m in item} for path, item in document["paths"].items()}
    assert described == routes


@pytest.mark.parametrize(
    ("name", "body"), [(name, body) for name, body, _ in EXAMPLES], ids=[e[0] for e in EXAMPLES]
)
def test_answers_are_as_described(asker: Asker, document: Any, name: str, body: Any) -> None:
    operation = document["paths"][f"/api/{name}"]["post"]
    (content,) = operation["requestBody"]["content"].values()
    jsonschema.validate(body, resolved(document, content["schema"]))
    response = asker.post(name, body)
    (answer,) = operation["responses"][str(response.status_code)]["content"].values()
    jsonschema.validate(response.json(), resolved(document, answer["schema"]))


@pytest.mark.parametrize("name", QUESTIONS)
def test_bodies_that_are_not_described_are_refused(asker: Asker, document: Any, name: str) -> None:
    (content,) = document["paths"][f"/api/{name}"]["post"]["requestBody"]["content"].values()
    schema = resolved(document, content["schema"])
    for key, properties in content["schema"]["properties"].items():
        assert properties == KEYS[key].schema
        for value in (object, -1, 10**30, 1.5, True, "\u0000", [None], {"x": 1}, ["x"] * 20_000):
            body = {key: value if value is not object else {}}
            is_fine = True
            try:
                jsonschema.validate(body, schema)
            except jsonschema.ValidationError:
                is_fine = False
            if not is_fine:
                assert asker.post(name, body).status_code in (400, 413), body
    assert asker.post(name, {"nonsense": 1}).json()["error"]["key"] == "web.unknown_key"


@pytest.mark.parametrize(("name", "body", "answer"), EXAMPLES, ids=[e[0] for e in EXAMPLES])
def test_the_pages_examples_are_true(name: str, body: Any, answer: Any) -> None:
    """Keys, not values: seconds differ, and sentences may be bettered."""
    assert shape(shortened(ask(name, body))) == shape(answer)


def test_the_page_has_an_example_of_every_question() -> None:
    assert {name for name, _, _ in EXAMPLES} == set(QUESTIONS)
    text = PAGE.read_text("utf-8")
    for key in KEYS:
        assert f"`{key}`" in text, key
