"""The guard: every rule that keeps strangers out, one by one."""

import re
from typing import Any

import pytest

from boulanger.solver.web.guard import CONTENT_SECURITY_POLICY, MAX_BODY, Keys
from tests.web import ORIGIN, PORT, TOKEN, client_of, new_server

COOKIE = f"boulanger-{PORT}={TOKEN}"
JSON = "application/json"
QUESTION = '{"start": "ms:1"}'
HERE = {"cookie": COOKIE, "origin": ORIGIN, "content-type": JSON}


@pytest.fixture
def client() -> Any:
    return client_of(new_server())


@pytest.mark.parametrize(
    ("host", "status"),
    [
        (f"127.0.0.1:{PORT}", 200),
        (f"localhost:{PORT}", 200),
        (f"LOCALHOST:{PORT}", 200),
        (f"[::1]:{PORT}", 200),
        ("127.0.0.1", 421),
        ("127.0.0.1:80", 421),
        (f"evil.example:{PORT}", 421),
        (f"127.0.0.1.evil.example:{PORT}", 421),
        (f"www.localhost:{PORT}", 421),
        (f"localhost.:{PORT}", 421),
        (f"127.1:{PORT}", 421),
        (f"0.0.0.0:{PORT}", 421),
        (f"192.168.1.5:{PORT}", 421),
        (f"x@127.0.0.1:{PORT}", 421),
        ("", 421),
    ],
)
def test_only_its_own_names_are_answered(client: Any, host: str, status: int) -> None:
    response = client.get("/api", headers={"host": host, "cookie": COOKIE})
    assert response.status_code == status
    if status != 200:
        assert response.json()["error"]["key"] == "web.host"


def test_an_address_of_the_network_is_a_name_with_lan_alone() -> None:
    host = {"host": f"192.168.1.5:{PORT}", "cookie": COOKIE}
    assert client_of(new_server()).get("/api", headers=host).status_code == 421
    open_client = client_of(new_server(), ("192.168.1.5",))
    assert open_client.get("/api", headers=host).status_code == 200
    other = {"host": f"192.168.1.6:{PORT}", "cookie": COOKIE}
    assert open_client.get("/api", headers=other).status_code == 421


def test_two_hosts_are_none(client: Any) -> None:
    headers = [("host", f"127.0.0.1:{PORT}"), ("host", "evil.example"), ("cookie", COOKIE)]
    assert client.get("/api", headers=headers).status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"cookie": f"boulanger-{PORT}=wrong"},
        {"cookie": f"boulanger-1={TOKEN}"},
        {"cookie": f"boulanger-{PORT}={TOKEN}x"},
        {"cookie": f"boulanger-{PORT}={TOKEN[:-1]}"},
        {"cookie": f"boulanger-{PORT}="},
        {"cookie": f"boulanger-{PORT}=\u00e9"},
        {"authorization": "Bearer wrong"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": "Bearer wrong", "cookie": COOKIE},
    ],
)
@pytest.mark.parametrize("path", ["/api", "/api/status", "/", "/main.js", "/api/check", "/nowhere"])
def test_strangers_get_nothing(client: Any, path: str, headers: dict[str, str]) -> None:
    encoded = {key: value.encode("latin-1") for key, value in headers.items()}
    response = client.get(path, headers=encoded)
    assert response.status_code == 403
    assert TOKEN not in response.text
    if path.startswith("/api"):
        assert response.json()["error"]["key"] == "web.token"
    else:
        assert "`boulanger serve` prints" in response.text


def test_the_token_becomes_a_cookie_and_leaves_the_address(client: Any) -> None:
    response = client.get(f"/x/y?deal=ms%3A1&token={TOKEN}&lang=he")
    assert response.status_code == 303
    assert response.headers["location"] == "/x/y?deal=ms%3A1&lang=he"
    cookie = response.headers["set-cookie"]
    assert cookie == f"{COOKIE}; HttpOnly; SameSite=Lax; Path=/"
    assert client.get("/api", headers={"cookie": COOKIE}).status_code == 200


@pytest.mark.parametrize("path", ["//evil.example/", "/%2f/evil.example", "///evil.example/"])
def test_the_way_in_leads_nowhere_else(client: Any, path: str) -> None:
    response = client.get(f"{ORIGIN}{path}?token={TOKEN}")
    assert response.status_code == 303
    assert re.match(r"/[^/\\]", response.headers["location"])


def test_a_wrong_token_in_the_address_is_no_way_in(client: Any) -> None:
    response = client.get("/?token=wrong", headers={"cookie": COOKIE})
    assert response.status_code == 403
    assert "set-cookie" not in response.headers


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": ORIGIN}, 200),
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "same-origin", "origin": ORIGIN}, 200),
        ({}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": f"https://127.0.0.1:{PORT}"}, 403),
        ({"origin": f"http://localhost:{PORT}"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"sec-fetch-site": "same-site", "origin": ORIGIN}, 403),
        ({"sec-fetch-site": "cross-site", "origin": ORIGIN}, 403),
        ({"sec-fetch-site": "none"}, 403),
        ({"sec-fetch-site": "same-origin", "origin": "http://evil.example"}, 403),
    ],
)
def test_a_question_comes_from_a_page_of_this_server(
    client: Any, headers: dict[str, str], status: int
) -> None:
    sent = {"cookie": COOKIE, "content-type": JSON, **headers}
    response = client.post("/api/deal", content=QUESTION, headers=sent)
    assert response.status_code == status
    if status == 403:
        assert response.json()["error"]["key"] == "web.origin"


def test_a_program_with_the_token_needs_no_origin(client: Any) -> None:
    headers = {"authorization": f"Bearer {TOKEN}", "content-type": JSON}
    assert client.post("/api/deal", content=QUESTION, headers=headers).status_code == 200


@pytest.mark.parametrize(
    ("content_type", "status"),
    [
        (JSON, 200),
        ("application/json; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("text/plain; application/json", 415),
        ("", 415),
        (None, 415),
    ],
)
def test_a_question_is_json(client: Any, content_type: str | None, status: int) -> None:
    headers = {"cookie": COOKIE, "origin": ORIGIN}
    if content_type is not None:
        headers["content-type"] = content_type
    response = client.post("/api/deal", content=QUESTION, headers=headers)
    assert response.status_code == status


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_no_other_method(client: Any, method: str) -> None:
    response = client.request(method, "/api/deal", content=QUESTION, headers=HERE)
    assert response.status_code == 405
    assert not [name for name in response.headers if name.startswith("access-control")]


def test_get_asks_nothing(client: Any) -> None:
    for name in ("deal", "check", "pair", "rate"):
        response = client.get(f"/api/{name}", headers={"cookie": COOKIE})
        assert response.status_code in (404, 405)
        assert set(response.json()) == {"error"}


def test_a_body_has_a_limit(client: Any) -> None:
    long = '{"board": "' + "x" * MAX_BODY + '"}'
    response = client.post("/api/deal", content=long, headers=HERE)
    assert (response.status_code, response.json()["error"]["key"]) == (413, "web.too_long")

    def pieces() -> Any:
        for _ in range(MAX_BODY // 1000 + 2):
            yield b" " * 1000

    response = client.post("/api/deal", content=pieces(), headers=HERE)  # says no length
    assert (response.status_code, response.json()["error"]["key"]) == (413, "web.too_long")


@pytest.mark.parametrize(
    ("path", "sent", "status"),
    [
        ("/api", {"cookie": COOKIE}, 200),
        ("/api", {}, 403),
        ("/", {}, 403),
        ("/api", {"host": "evil.example"}, 421),
        ("/api/nothing", {"cookie": COOKIE}, 404),
        (f"/?token={TOKEN}", {}, 303),
    ],
)
def test_every_answer_has_the_headers(
    client: Any, path: str, sent: dict[str, str], status: int
) -> None:
    response = client.get(path, headers=sent)
    assert response.status_code == status
    assert response.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["referrer-policy"] == "no-referrer"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"
    assert response.headers["cache-control"] in ("no-cache", "no-store")


def test_the_policy_allows_no_inline_code_and_no_frames() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'")
    assert "frame-ancestors 'none'" in CONTENT_SECURITY_POLICY


def test_opener_policy_on_the_loopback_alone() -> None:
    client = client_of(new_server(), ("192.168.1.5",))
    name = "cross-origin-opener-policy"
    assert name in client.get("/api", headers={"cookie": COOKIE}).headers
    lan = {"host": f"192.168.1.5:{PORT}", "cookie": COOKIE}
    assert name not in client.get("/api", headers=lan).headers


def test_a_websocket_is_not_opened(client: Any) -> None:
    with (
        pytest.raises(Exception) as caught,  # Starlette's own, by its code
        client.websocket_connect("/api", headers={"cookie": COOKIE}),
    ):
        pass
    assert getattr(caught.value, "code", None) == 1008


def test_a_pairing_token_lets_one_device_in_once() -> None:
    server = new_server(pairing_url=lambda token: f"http://192.168.1.5:{PORT}/?token={token}")
    origin = f"http://192.168.1.5:{PORT}"
    owner, phone = client_of(server), client_of(server, ("192.168.1.5",), origin)
    response = owner.post("/api/pair", content="{}", headers=HERE)
    assert response.status_code == 200
    assert response.json()["qr"].startswith("data:image/svg+xml")
    url = response.json()["url"]
    assert TOKEN not in url

    first = phone.get(url)
    assert first.status_code == 303
    guest = first.headers["set-cookie"].partition(";")[0]
    assert TOKEN not in guest
    sent = {"cookie": guest, "origin": origin, "content-type": JSON}
    assert phone.post("/api/deal", content=QUESTION, headers=sent).status_code == 200
    assert phone.get("/api/status", headers={"cookie": guest}).json()["role"] == "guest"

    stranger = client_of(server, ("192.168.1.5",), origin)
    assert stranger.get(url).status_code == 403
    # Guests keep nothing on the owner's disk.
    body = '{"pairs": [{"code": "BK1-C4-AAAAA24", "board": "x"}], "save": "app"}'
    response = phone.post("/api/identify", content=body, headers=sent)
    assert (response.status_code, response.json()["error"]["key"]) == (403, "web.owner")
    # Guests let nobody else in.
    response = phone.post("/api/pair", content="{}", headers=sent)
    assert (response.status_code, response.json()["error"]["key"]) == (403, "web.owner")


def test_no_pairing_without_lan(client: Any) -> None:
    response = client.post("/api/pair", content="{}", headers=HERE)
    assert (response.status_code, response.json()["error"]["key"]) == (409, "web.no_lan")


def test_a_pairing_token_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = Keys()
    pairing = keys.new_pairing()
    now = __import__("time").monotonic()
    monkeypatch.setattr("boulanger.solver.web.guard.time.monotonic", lambda: now + 601)
    assert keys.redeem(pairing) is None


def test_only_the_last_pairing_tokens_count() -> None:
    keys = Keys()
    tokens = [keys.new_pairing() for _ in range(10)]
    assert keys.redeem(tokens[0]) is None
    assert keys.redeem(tokens[-1]) is not None


def test_the_browsers_token_is_the_owners_and_single_use() -> None:
    keys = Keys()
    launch = keys.new_pairing(is_guest=False)
    assert keys.redeem(launch) == keys.token
    assert keys.redeem(launch) is None
    assert keys.role(keys.token) == "owner"


def test_tokens_differ_from_start_to_start() -> None:
    tokens = {Keys().token for _ in range(50)}
    assert len(tokens) == 50
    assert all(len(token) >= 22 for token in tokens)
