"""Envelopes: what is sealed opens with its passphrase only, and has one spelling."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcb import envelope
from dcb.errors import DamagedEnvelope, EnvelopeError, NotAnEnvelope, RequestError, WrongPassphrase
from tests.cases import CASES

VECTORS = Path(__file__).parent.parent / "vectors" / "envelopes"
ORIGINAL: list[dict[str, Any]] = json.loads((VECTORS / "original.json").read_text("utf-8"))
ATTACKS: list[dict[str, Any]] = json.loads((VECTORS / "attacks.json").read_text("utf-8"))
ANSWERS = {
    "not-an-envelope": NotAnEnvelope,
    "damaged": DamagedEnvelope,
    "wrong-passphrase": WrongPassphrase,
}
CANNOT_OPEN = "Wrong passphrase, or the sealed data was altered: the envelope does not open"

KEY = bytes(range(32))
SEALED = "dcb1.AAECAwQFBgcICQoLDA0ODw.QCcD2eBOCoW058SG.TtAytpx3IKP-ZZPYJqleOQ.D79y5A"  # "text"


def test_there_are_vectors() -> None:
    assert len(ORIGINAL) >= 10
    assert len(ATTACKS) >= 29


@pytest.mark.parametrize("row", ORIGINAL, ids=lambda row: ascii(row["plaintext"][:30]))
def test_envelopes_of_the_original_open(row: dict[str, Any]) -> None:
    assert envelope.unseal(row["envelope"], row["passphrase"]) == row["plaintext"]


@pytest.mark.parametrize("row", ATTACKS, ids=lambda row: row["attack"][:60])
def test_an_attack_is_answered_as_decided(row: dict[str, Any]) -> None:
    if row["answer"] == "opens":
        text = envelope.unseal(row["envelope"], row["passphrase"], begins="---\n")
        assert text == row["text"]
    else:
        with pytest.raises(EnvelopeError) as caught:
            envelope.unseal(row["envelope"], row["passphrase"], begins="---\n")
        assert type(caught.value) is ANSWERS[row["answer"]]
        assert row["passphrase"] not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", NotAnEnvelope, "This is no envelope: it does not begin with 'dcb1.'"),
        ("---\n", NotAnEnvelope, "This is no envelope: it does not begin with 'dcb1.'"),
        ("dcb1", NotAnEnvelope, "This is no envelope: it does not begin with 'dcb1.'"),
        (
            SEALED.replace("dcb1", "dcb2"),
            NotAnEnvelope,
            "This is a dcb2 envelope, and this version of dcb opens dcb1: update dcb",
        ),
        (
            "dcb1.a.b",
            DamagedEnvelope,
            "The envelope has 3 parts instead of 5; copy it again, whole",
        ),
        (
            SEALED + "\n",
            DamagedEnvelope,
            "The envelope's ciphertext is not base64url without padding",
        ),
        (
            SEALED.replace("dcb1.", "dcb1.AA"),
            DamagedEnvelope,
            "The envelope's salt has 18 bytes instead of 16",
        ),
        (
            SEALED.replace("dcb1.", "dcb1.é"),
            DamagedEnvelope,
            "The envelope's salt is not base64url without padding",
        ),
    ],
)
def test_what_is_no_whole_envelope_says_why(text: str, error: type, message: str) -> None:
    for refuse in (lambda: envelope.unseal_with(KEY, text), lambda: envelope.salt_of(text)):
        with pytest.raises(EnvelopeError) as caught:
            refuse()
        assert (type(caught.value), str(caught.value)) == (error, message)


def test_no_key_is_derived_for_a_damaged_envelope(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(envelope, "derive", lambda *_: pytest.fail("a key was derived"))
    with pytest.raises(DamagedEnvelope):
        envelope.unseal(SEALED[:-1] + "=", "passphrase")


def test_the_last_bits_of_a_part_have_one_spelling() -> None:
    head, tag, ciphertext = SEALED.rsplit(".", 2)
    # 16 bytes leave 4 spare bits in the last character, which must be 0.
    spelled = chr(ord(tag[-1]) + 1)
    with pytest.raises(DamagedEnvelope):
        envelope.unseal_with(KEY, f"{head}.{tag[:-1]}{spelled}.{ciphertext}")


def test_what_is_sealed_is_opened() -> None:
    text = "决定\x00\r\n🚢"
    sealed = envelope.seal(text, "一二三 four")
    assert envelope.is_envelope(sealed)
    assert envelope.unseal(sealed, "一二三 four") == text
    with pytest.raises(WrongPassphrase) as caught:
        envelope.unseal(sealed, "一二三 Four")
    assert str(caught.value) == CANNOT_OPEN


def test_accents_may_be_typed_either_way() -> None:
    sealed = envelope.seal("x", "cafe\u0301")
    assert envelope.unseal(sealed, "caf\u00e9") == "x"


def test_an_empty_passphrase_is_refused() -> None:
    with pytest.raises(RequestError) as caught:
        envelope.seal("x", "")
    assert str(caught.value) == "The passphrase is empty; give at least one character"


def test_a_store_derives_once_for_many_envelopes() -> None:
    salt = envelope.new_salt()
    key = envelope.derive("passphrase", salt)
    sealed = [envelope.seal_with(key, salt, "same") for _ in range(1_000)]
    assert len(set(sealed)) == 1_000
    assert {envelope.salt_of(text) for text in sealed} == {salt}
    assert {envelope.unseal_with(key, text) for text in sealed} == {"same"}
    assert envelope.unseal(sealed[0], "passphrase") == "same"


def test_text_that_begins_otherwise_is_a_wrong_passphrase() -> None:
    assert envelope.unseal_with(KEY, SEALED, begins="te") == "text"
    with pytest.raises(WrongPassphrase) as caught:
        envelope.unseal_with(KEY, SEALED, begins="---\n")
    assert str(caught.value) == CANNOT_OPEN


@settings(max_examples=CASES)
@given(st.text(), st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16))
def test_any_text_is_sealed_and_opened(text: str, key: bytes, salt: bytes) -> None:
    assert envelope.unseal_with(key, envelope.seal_with(key, salt, text)) == text


@settings(max_examples=CASES)
@given(st.integers(0, len(SEALED) - 1), st.characters())
def test_a_changed_character_never_opens(at: int, char: str) -> None:
    changed = SEALED[:at] + char + SEALED[at + 1 :]
    if changed != SEALED and changed.split(".")[1] == SEALED.split(".")[1]:
        with pytest.raises(EnvelopeError):
            envelope.unseal_with(KEY, changed)


@settings(max_examples=CASES)
@given(st.text().map("dcb1.{}".format))
def test_any_text_is_refused_by_an_envelope_error(text: str) -> None:
    with pytest.raises(EnvelopeError):
        envelope.unseal_with(KEY, text)
