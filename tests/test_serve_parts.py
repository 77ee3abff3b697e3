"""The small parts of the server: rates, sessions, addresses, lines of the log."""

from __future__ import annotations

import io
import json

import pytest

pytest.importorskip("psycopg_pool")

from dcb.errors import RequestError
from dcb.serve import logs, proxies, routes
from dcb.serve.kept import Kept
from dcb.serve.limits import Buckets
from dcb.serve.sessions import IDLE_SECONDS, MOST_SECONDS, Sessions

HASH = b"h" * 32


class Clock:
    """A clock that stands until it is moved."""

    now = 1000.0

    def __call__(self):
        return self.now


# --- rates -------------------------------------------------------------------------------


def test_a_bucket_gives_what_flows_in():
    clock = Clock()
    buckets = Buckets(2, burst=3, clock=clock)
    assert [buckets.wait("a") for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.5
    assert [buckets.wait("a") for _ in range(2)] == [0, 0.5]


def test_buckets_do_not_share():
    buckets = Buckets(1, burst=1, clock=Clock())
    assert [buckets.wait(key) for key in "aab"] == [0, 1, 0]


def test_looking_into_a_bucket_takes_nothing_out():
    buckets = Buckets(1, burst=1, clock=Clock())
    assert [buckets.exhausted("a") for _ in range(2)] == [0, 0]
    buckets.wait("a")
    assert buckets.exhausted("a") == 1


def test_only_so_many_buckets_are_remembered():
    buckets = Buckets(1, burst=1, clock=Clock(), most=2)
    assert [buckets.wait(key) for key in "abc"] == [0, 0, 0]
    assert [buckets.wait(key) for key in "cba"] == [1, 1, 0]


# --- sessions ----------------------------------------------------------------------------


def test_a_session_is_found_by_its_key_until_it_ends():
    sessions = Sessions(clock=Clock())
    session = sessions.begin(HASH)
    assert sessions.find(session.key) is session
    sessions.end(session)
    assert sessions.find(session.key) is None


@pytest.mark.parametrize("key", ["", "x", "é", "\udce9"])
def test_a_key_that_was_never_given_finds_nothing(key):
    sessions = Sessions(clock=Clock())
    sessions.begin(HASH)
    assert sessions.find(key) is None


def test_a_session_that_nobody_uses_ends():
    clock = Clock()
    sessions = Sessions(clock=clock)
    key = sessions.begin(HASH).key
    clock.now += IDLE_SECONDS
    assert sessions.find(key)
    clock.now += IDLE_SECONDS + 1
    assert sessions.find(key) is None


def test_a_session_ends_after_a_week_however_much_it_is_used():
    clock = Clock()
    sessions = Sessions(clock=clock)
    key = sessions.begin(HASH).key
    until = clock.now + MOST_SECONDS
    while clock.now + IDLE_SECONDS <= until:
        clock.now += IDLE_SECONDS
        assert sessions.find(key)
    clock.now = until + 1
    assert sessions.find(key) is None


def test_the_session_used_the_longest_ago_makes_room():
    sessions = Sessions(clock=Clock(), most=2)
    first, second = sessions.begin(HASH), sessions.begin(HASH)
    sessions.find(first.key)
    sessions.begin(HASH)
    assert sessions.find(second.key) is None
    assert sessions.find(first.key) is first


# --- addresses ---------------------------------------------------------------------------


def scope(peer, *forwarded):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    return {"client": (peer, 1), "headers": headers}


@pytest.mark.parametrize(
    ("peer", "forwarded", "expected"),
    [
        ("198.51.100.7", ("203.0.113.1",), "198.51.100.7"),  # anyone may write that header
        ("127.0.0.1", ("203.0.113.1",), "203.0.113.1"),
        ("127.0.0.1", ("10.0.0.1, 203.0.113.1",), "203.0.113.1"),  # only the last is the proxy's
        ("127.0.0.1", ("10.0.0.1", "203.0.113.1"), "203.0.113.1"),
        ("127.0.0.1", ("203.0.113.1, 127.0.0.1",), "203.0.113.1"),
        ("127.0.0.1", (), "127.0.0.1"),
        ("127.0.0.1", ("203.0.113.1, evil",), "127.0.0.1"),
    ],
)
def test_only_a_proxy_that_was_named_says_who_asks(peer, forwarded, expected):
    assert proxies.address(scope(peer, *forwarded), trusted=("127.0.0.1",)) == expected


def test_a_proxy_has_an_address():
    with pytest.raises(RequestError) as error:
        proxies.checked("10.0.0.0/8")
    assert str(error.value) == (
        "'10.0.0.0/8' is not an address; give that of the proxy, as --trusted-proxy 127.0.0.1"
    )


# --- the log -----------------------------------------------------------------------------


def test_a_line_of_the_log_is_json_without_what_is_unknown():
    out = io.StringIO()
    logs.write("request", route="mcp", person=None, status=200, to=out)
    line = json.loads(out.getvalue())
    assert line.pop("time").endswith("Z")
    assert line == {"event": "request", "route": "mcp", "status": 200}


def test_a_fault_is_told_without_its_words():
    lines = []
    try:
        raise ValueError("what a conversation said")
    except ValueError as error:
        logs.fault(error, route="mcp", log=lambda event, **fields: lines.append((event, fields)))
    ((event, fields),) = lines
    assert event == "fault"
    assert fields["kind"] == "ValueError"
    assert fields["at"].startswith("test_serve_parts.py:")
    assert "conversation" not in str(fields)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", "library"),
        ("/mcp", "mcp"),
        ("/p/north/mcp", "mcp"),
        ("/p/north/snapshot", "snapshot"),
        ("/snapshot/history", "snapshot"),
        ("/healthz", "health"),
        ("/0199-0001", "other"),
        ("/p/north", "library"),
    ],
)
def test_a_path_has_a_class_that_names_nothing(path, expected):
    assert routes.classed(path) == expected


# --- what is kept ------------------------------------------------------------------------


def test_what_was_not_used_for_the_longest_is_closed():
    closed = []
    kept = Kept(closed.append, most=2)
    for name in ("a", "b", "a", "c"):
        kept.get(name, lambda name=name: name.upper())
    assert closed == ["B"]
    kept.drop(lambda key: key == "a")
    assert closed == ["B", "A"]
