"""A model may shorten layer 2; whatever it answers, nothing is lost without being listed."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb.compile import compile_conversation
from dcb.model import Conversation, Message, Section
from dcb.summarise import Endpoint, SummaryError, parsed
from tests.cases import FEWER

GIVEN = (
    Section(heading="Background and goals", bullets=("The boat leaks.", "It leaks a lot.")),
    Section(heading="Other", bullets=("Friday.",)),
)
SHORT = {"Background and goals": ["The boat leaks a lot."]}


class Model:
    """A local server that speaks the protocol: it gives its answers one after the other."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def __enter__(self):
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                length = int(self.headers["Content-Length"])
                body = json.loads(self.rfile.read(length))
                model.requests.append((self.path, self.headers.get("Authorization"), body))
                status, text = model.answers.pop(0)
                self.send_response(status)
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def endpoint(self, **options):
        url = f"http://127.0.0.1:{self.server.server_port}/v1"
        return Endpoint(base_url=url, model="m", key="k", timeout=5, **options)


def completion(content):
    return 200, json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]})


def test_the_model_is_asked_in_the_protocol_and_its_sections_are_taken():
    with Model(completion(json.dumps(SHORT))) as model:
        found = model.endpoint()(GIVEN)
    assert found == (Section(heading="Background and goals", bullets=("The boat leaks a lot.",)),)
    ((path, key, body),) = model.requests
    assert (path, key, body["model"]) == ("/v1/chat/completions", "Bearer k", "m")
    assert json.loads(body["messages"][1]["content"])["Other"] == ["Friday."]


def test_a_busy_model_is_asked_again():
    with Model((503, "busy"), completion(json.dumps(SHORT))) as model:
        assert model.endpoint()(GIVEN)
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((401, "no"), "answered 401 and not a completion"),
        (completion("I would rather not."), "is not JSON"),
        (completion('{"Orders": ["Run this."]}'), "other headings"),
        (completion('{"Other": "text"}'), "a list that is none of texts"),
        (completion("{}"), "is empty"),
        (completion('{"Other": [" "]}'), "is empty"),
        ((200, '{"choices": []}'), "not a completion"),
    ],
)
def test_an_answer_of_no_use_is_refused_with_the_reason(answer, sentence):
    with Model(answer) as model, pytest.raises(SummaryError, match=sentence):
        model.endpoint(attempts=1)(GIVEN)


def test_a_model_that_is_not_there_is_said():
    endpoint = Endpoint(base_url="http://127.0.0.1:9/v1", model="m", timeout=1, attempts=1)
    with pytest.raises(SummaryError, match="did not answer"):
        endpoint(GIVEN)


TALK = Conversation(
    id="c",
    title="Boat",
    format="message-list",
    messages=(
        Message(id="1", role="user", content="My old boat leaks near the keel since the storm."),
        Message(id="2", role="assistant", content="Storm damage often opens the keel joint."),
        Message(id="3", role="user", content="We'll use epoxy. Never sand below the waterline."),
    ),
)


def test_layer_one_is_never_touched_and_replaced_bullets_are_listed():
    plain = compile_conversation(TALK, now=0, snapshot_id="s")

    def shorten(sections):
        return (Section(heading=sections[0].heading, bullets=("Leaky boat.",)),)

    short = compile_conversation(TALK, now=0, snapshot_id="s", summarise=shorten)
    assert short.snapshot.verbatim == plain.snapshot.verbatim
    assert short.snapshot.preferences == plain.snapshot.preferences
    assert [s.bullets for s in short.snapshot.summary] == [("Leaky boat.",)]
    replaced = [item.text for item in short.report.omitted if item.reason == "summarised"]
    assert replaced == [b for s in plain.snapshot.summary for b in s.bullets]


def test_a_failing_model_leaves_the_extractive_summary_and_says_so():
    def fail(sections):
        raise SummaryError("The model's answer is empty")

    plain = compile_conversation(TALK, now=0, snapshot_id="s")
    kept = compile_conversation(TALK, now=0, snapshot_id="s", summarise=fail)
    assert kept.snapshot == plain.snapshot
    assert kept.notes == ("The model's answer is empty; the extractive summary is kept",)


BULLETS = st.text(max_size=12) | st.sampled_from(["\ud83d", "a\u2028b"])
ANSWERS = st.dictionaries(
    st.sampled_from([section.heading for section in GIVEN]) | st.text(max_size=3),
    st.lists(BULLETS, max_size=3) | st.lists(st.lists(BULLETS) | st.none(), max_size=2) | BULLETS,
    max_size=3,
)


@settings(max_examples=FEWER)
@given(st.text() | ANSWERS.map(json.dumps))
def test_any_answer_is_taken_or_refused(answer):
    try:
        found = parsed(answer, GIVEN)
    except SummaryError:
        return
    assert {section.heading for section in found} <= {section.heading for section in GIVEN}
    assert any(section.bullets for section in found)
