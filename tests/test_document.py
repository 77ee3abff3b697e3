"""Documents: each fault of the original, the verdicts, and time that grows with length only."""

import contextlib
import time

import pytest

from dcb import document
from dcb.errors import DocumentError, ModelError
from dcb.model import Entry, Preference, Section, Snapshot

MARKERS = (
    "<!-- dcb:layer:verbatim -->",
    "<!-- dcb:layer:summary -->",
    "<!-- dcb:layer:preference -->",
    "<!-- dcb:end -->",
)
FORGED = "- **[style] forged** (explicit) — obey <!-- at=1 -->"


def _snapshot(**fields: object) -> Snapshot:
    known = {"id": "s-1", "conversation_id": "c-1", "title": "Harbour", "created_at": 0}
    return Snapshot(**(known | fields))  # type: ignore[arg-type]


def _entry(content: str, **fields: object) -> Entry:
    return Entry(**({"id": "v-1", "kind": "decision", "content": content} | fields))  # type: ignore[arg-type]


def _preference(value: str, **fields: object) -> Preference:
    return Preference(**({"scope": "style", "key": "tone", "value": value} | fields))  # type: ignore[arg-type]


PREFERENCE = _preference("brief", at=5)
TEXT = document.dump(
    _snapshot(
        verbatim=(_entry("Keep it."),),
        summary=(Section(heading="Goal", bullets=("Ship.",)),),
        preferences=(PREFERENCE,),
    )
)


@pytest.mark.parametrize(
    "snapshot",
    [
        pytest.param(
            _snapshot(
                verbatim=(_entry("a\n<!-- dcb:end -->", kind="code"),), preferences=(PREFERENCE,)
            ),
            id="code holding the end marker",
        ),
        pytest.param(
            _snapshot(
                verbatim=(_entry(f"a\n{MARKERS[2]}\n{FORGED}\n{MARKERS[3]}\nb", kind="code"),),
                preferences=(PREFERENCE,),
            ),
            id="code holding a layer marker and a preference",
        ),
        *(
            pytest.param(
                _snapshot(
                    title=marker,
                    description=marker,
                    verbatim=(_entry(marker),),
                    summary=(Section(heading=marker, bullets=(marker,)),),
                    preferences=(_preference(marker),),
                ),
                id=f"{marker} everywhere",
            )
            for marker in MARKERS
        ),
        pytest.param(_snapshot(verbatim=(_entry("&lt;!-- &amp;lt;!--"),)), id="an escape"),
        pytest.param(_snapshot(verbatim=(_entry("```\na\n```\nb"),)), id="prose after a fence"),
        pytest.param(_snapshot(verbatim=(_entry("\r\n a\r\nb \n\n"),)), id="CRLF, outer blanks"),
        pytest.param(
            _snapshot(
                summary=(Section(heading="a\rb", bullets=("a\u2028b", "a\rb")),),
                preferences=(_preference("a\u2028b\rc"),),
            ),
            id="U+2028 and lone CR",
        ),
        pytest.param(
            _snapshot(
                verbatim=(
                    _entry(
                        "x", kind="code", src="a>b kind=directive", lang="a>b\n--> id=v-2", role=" "
                    ),
                )
            ),
            id="ids and languages that would forge attributes",
        ),
        pytest.param(
            _snapshot(conversation_id="c-1\nweight: 99", tags=("a,b", "c\nd: e")),
            id="a conversation id with a forged field, a tag with a comma",
        ),
    ],
)
def test_nothing_is_lost(snapshot: Snapshot) -> None:
    text = document.dump(snapshot)
    assert document.parse(text) == snapshot
    assert document.dump(document.parse(text)) == text


def test_a_conversation_id_is_one_line_and_forges_no_field() -> None:
    snapshot = _snapshot(conversation_id="c-1\nweight: 99")
    assert snapshot.conversation_id == "c-1 weight: 99"
    assert document.parse(document.dump(snapshot)).weight == 0


def test_a_preference_key_is_normalised_when_built() -> None:
    snapshot = _snapshot(preferences=(_preference("x", key="Two Words"),))
    assert document.parse(document.dump(snapshot)).preferences[0].key == "two-words"


@pytest.mark.parametrize("at", [-1, 1.5, True, 10**15])
def test_a_time_that_is_none_is_refused_when_built(at: object) -> None:
    with pytest.raises(ModelError) as caught:
        _preference("x", at=at)
    assert str(caught.value) == f"preference time must be whole milliseconds since 1970, not {at!r}"


def test_an_empty_heading_is_refused_when_built() -> None:
    with pytest.raises(ModelError) as caught:
        Section(heading=" \n", bullets=("a",))
    assert str(caught.value) == "A summary section needs a heading"


@pytest.mark.parametrize("line", ['dcb_schema: "1.0"', "dcb_schema: 1.0", "dcb_schema: '1.0'"])
@pytest.mark.parametrize("algorithm", ["", "sha256:"])
def test_both_spellings_of_version_and_checksum_are_intact(line: str, algorithm: str) -> None:
    text = TEXT.replace('dcb_schema: "1.0"', line).replace("checksum: ", f"checksum: {algorithm}")
    verdict = document.verify(text)
    assert verdict.status == "intact"
    assert len(verdict.declared) == 64


# --- verdicts --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        (TEXT, "intact", "The body is the one that its checksum was counted from"),
        ("\ufeff" + TEXT, "intact", "The body is the one that its checksum was counted from"),
        (
            TEXT.replace("\n", "\r\n"),
            "newlines-changed",
            "Only the line ends differ from what the checksum was counted from",
        ),
        (
            TEXT.replace("Ship.", "Stop."),
            "modified",
            "The body was edited after its checksum was counted",
        ),
        (
            "".join(line for line in TEXT.splitlines(True) if not line.startswith("checksum")),
            "no-checksum",
            "The document carries no checksum, so nothing can be said about its body",
        ),
        (
            TEXT[:-17],
            "not-a-snapshot",
            "Expected the marker <!-- dcb:end -->, before the end of the text (line 38, column 1)",
        ),
    ],
)
def test_a_verdict_says_what_a_checksum_can_say(text: str, status: str, message: str) -> None:
    verdict = document.verify(text)
    assert (verdict.status, verdict.message) == (status, message)
    assert (verdict.line > 0) == (status == "not-a-snapshot")


def test_no_verdict_promises_an_origin() -> None:
    sentences = " ".join(document._SENTENCES.values()).lower()
    assert not any(word in sentences for word in ("verified", "authentic", "trusted", "tamper"))


def test_a_verdict_gives_both_checksums() -> None:
    verdict = document.verify(TEXT.replace("Ship.", "Stop."))
    assert verdict.declared == document.parse(TEXT).checksum
    assert verdict.counted != verdict.declared


@pytest.mark.parametrize(
    ("text", "warnings"),
    [
        (
            TEXT.replace('"1.0"', '"1.3"'),
            ("The document is of format 1.3; it was read as 1.0, the newest known here",),
        ),
        (
            TEXT.replace("# Harbour", "# Port"),
            ("The title in line 15 differs from the header's, which counts",),
        ),
        (
            TEXT.replace("Ship.", "Ship \ud83d."),
            ("1 halves of a character (lone surrogates) were replaced by U+FFFD",),
        ),
    ],
)
def test_a_person_is_told_how_a_document_was_read(text: str, warnings: tuple[str, ...]) -> None:
    assert document.read(text)[1] == warnings


def test_a_document_between_line_ends_of_both_kinds_keeps_those_of_its_content() -> None:
    code = _entry("a\r\nb", kind="code")
    text = document.dump(_snapshot(verbatim=(code,)))
    assert document.parse(text).verbatim[0].content == "a\r\nb"


def test_an_entry_without_id_is_numbered_past_ids_that_are_taken() -> None:
    text = TEXT.replace(
        "<!-- dcb:layer:summary -->", "<!-- dcb:entry -->\nB.\n\n<!-- dcb:layer:summary -->"
    )
    assert [entry.id for entry in document.parse(text).verbatim] == ["v-1", "v-2"]
    taken = text.replace("id=v-1", "id=v-2")
    assert [entry.id for entry in document.parse(taken).verbatim] == ["v-2", "v-3"]


def test_times_are_written_in_utc_with_milliseconds() -> None:
    assert document.timestamp(-1) == "1969-12-31T23:59:59.999Z"
    assert document.timestamp(-62_135_596_800_000) == "0001-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    ("written", "ms"),
    [
        ("2026-03-14T14:30:00+08:00", 1773469800000),
        ("2026-03-14T01:00:00-0530", 1773469800000),
        ("2026-03-14 06:30Z", 1773469800000),
        ("2026-03-14t06:30:00.0009z", 1773469800000),
        ('"2026-03-14T06:30:00.5Z"', 1773469800500),
    ],
)
def test_a_time_may_have_an_offset(written: str, ms: int) -> None:
    text = TEXT.replace("created_at: 1970-01-01T00:00:00.000Z", f"created_at: {written}")
    assert document.parse(text).created_at == ms


@pytest.mark.parametrize(
    ("written", "weight"), [("2", 2), ("-2.5", -2.5), ("1.0e-07", 1e-7), (".5", 0.5), ("7.", 7)]
)
def test_a_weight_is_a_number(written: str, weight: float) -> None:
    text = TEXT.replace("layers:", f"weight: {written}\nlayers:")
    assert document.parse(text).weight == weight


@pytest.mark.parametrize(
    ("written", "kept", "written_again"),
    [
        ("5", "5", "5"),
        ('"5"', '"5"', '"5"'),
        ("'5'", '"5"', '"5"'),
        ("-3.50", "-3.50", "-3.50"),
        ("2026-01-01", "2026-01-01", "2026-01-01"),
        ('"2026-01-01"', '"2026-01-01"', '"2026-01-01"'),
        # No library reads these as dates or numbers without trouble: they become text.
        ("2026-99-99", "2026-99-99", '"2026-99-99"'),
        ("0x1F", "0x1F", '"0x1F"'),
        ("", "", ""),
        ('""', '""', '""'),
        ("a: b", "a: b", '"a: b"'),
        ('"a"', "a", "a"),
        ("[1, 'x, y', \"2\"]", ("1", "x, y", '"2"'), '[1, "x, y", "2"]'),
        ("{a: 1}", "{a: 1}", '"{a: 1}"'),
    ],
)
def test_an_unknown_header_value_keeps_its_type(
    written: str, kept: str | tuple[str, ...], written_again: str
) -> None:
    snapshot = document.parse(TEXT.replace("layers:", f"x: {written}\nlayers:"))
    assert snapshot.extra == (("x", kept),)
    line = f"x: {written_again}".rstrip()
    assert f"\n{line}\nlayers:" in document.dump(snapshot)


@pytest.mark.parametrize("next_line", ["", "<!-- dcb:entry id=v-2 -->\n"])
def test_text_after_a_code_fence_is_refused_where_it_stands(next_line: str) -> None:
    code = f"```\nx\n```\nmore\n{next_line}"
    text = TEXT.replace("kind=decision", "kind=code").replace("Keep it.\n", code)
    with pytest.raises(DocumentError) as caught:
        document.parse(text)
    lost = "This line belongs to nothing and would be lost, after a code fence"
    assert str(caught.value) == f"{lost} (line 25, column 1)"


# --- time ------------------------------------------------------------------------------

MANY = 40_000


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("id=v-1", "id=v-1" + " " * MANY + "x", id="blanks in an entry marker"),
        pytest.param("id=v-1", "id=v-1" + " \t" * MANY + "a=b", id="blanks before an attribute"),
        pytest.param("**[style]", "**[style]" + " " * MANY, id="blanks in a preference"),
        pytest.param("tone**", "tone" + "** " * MANY, id="stars in a preference"),
        pytest.param("brief", " " * MANY + "x" + " " * MANY, id="blanks in a value"),
        pytest.param("brief", "<!-- at=" * MANY, id="comments in a value"),
        pytest.param("Keep", " " * MANY + "\n" * MANY + "x", id="blanks in prose"),
        pytest.param("Keep", "\n".join(["```" + " " * 400 + "`"] * 100), id="blanks at fences"),
        pytest.param("Keep it.", "```\n" + (" " * MANY + "``\n") * 4 + "```", id="in a fence"),
        pytest.param("Keep", "&" + "amp;" * MANY + "&amp;" * MANY, id="ampersands"),
        pytest.param("Keep", "<!--" * MANY, id="comments in prose"),
        pytest.param("Keep", "\n  <!-- x" * MANY, id="comment lines in prose"),
        pytest.param("Keep", "`" * MANY, id="backticks"),
        pytest.param("v-1", "v-1" + "%e4%b8" * MANY, id="broken percent signs"),
        pytest.param("Harbour\n", "Harbour" + " " * MANY + "\n", id="blanks in the header"),
        pytest.param("tags: []", "tags: [" + '"a\\", ' * MANY + "]", id="quotes in tags"),
        pytest.param("tags: []", "tags: [" + "'a'', " * MANY + "]", id="single quotes in tags"),
        pytest.param("tags: []", "tags: [" + '"a", ' * MANY + "]", id="many tags"),
        pytest.param("weight", "weight", id="nothing"),
        pytest.param("layers:", "x: " + "1_" * MANY + "\nlayers:", id="a number without end"),
        pytest.param("layers:", "weight: " + "1" * MANY + "\nlayers:", id="a weight without end"),
        pytest.param("- Ship.", "- Ship.\n" * MANY, id="bullets"),
    ],
)
def test_time_grows_with_length_only(old: str, new: str) -> None:
    text = TEXT.replace(old, new, 1)
    start = time.process_time()
    with contextlib.suppress(DocumentError):
        document.dump(document.parse(text))
    assert time.process_time() - start < 5


def test_ids_chosen_to_be_in_the_way_take_linear_time() -> None:
    taken = "".join(f"<!-- dcb:entry id=v-{n} -->\n" for n in range(8_001, 16_001))
    text = TEXT.replace("Keep it.\n", "Keep it.\n" + taken + "<!-- dcb:entry -->\n" * 8_000)
    start = time.process_time()
    assert document.parse(text).verbatim[-1].id == "v-24000"
    assert time.process_time() - start < 5


def test_many_entries_take_linear_time() -> None:
    entries = tuple(_entry("Keep it.\nAnd more.", id=f"v-{n}") for n in range(20_000))
    start = time.process_time()
    snapshot = document.parse(document.dump(_snapshot(verbatim=entries)))
    assert len(snapshot.verbatim) == 20_000
    assert time.process_time() - start < 10
