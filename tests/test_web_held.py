"""What is brought in for an encrypted store is readable to its own process alone."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcb.errors import SourceError
from dcb.web import held
from dcb.web.held import Held, new_key
from tests.test_web_bring_in import brought, export, files, send
from tests.test_web_review import under_review
from tests.web_client import web

__all__ = ["web"]
PASSPHRASE = "correct horse battery staple"
MiB = 1 << 20


def kept(tmp_path, data, *, pieces=7):
    made = Held(path=tmp_path / "file", key=new_key())
    with made.writing() as file:
        size = max(1, len(data) // pieces)
        for start in range(0, len(data), size):
            file.write(data[start : start + size])
    return made


@pytest.mark.parametrize("size", [0, 1, MiB - 1, MiB, MiB + 1, 3 * MiB + 5])
def test_what_is_written_is_read_back(size, tmp_path):
    data = os.urandom(size)
    made = kept(tmp_path, data)
    with made.reading() as file:
        assert file.read() == data
    assert size < 16 or data[:16] not in made.path.read_bytes()
    assert made.path.stat().st_mode & 0o077 == 0


def test_any_place_can_be_read(tmp_path, monkeypatch):
    monkeypatch.setattr(held, "CHUNK", 64)
    data = bytes(range(256)) * 3
    with kept(tmp_path, data).reading() as file:

        @given(st.integers(0, 800), st.integers(0, 300))
        def law(at, size):
            file.seek(at)
            assert file.read(size) == data[at : at + size]

        law()
        assert file.seek(-3, os.SEEK_END) == len(data) - 3
        assert file.read() == data[-3:]


def test_a_changed_file_is_refused(tmp_path):
    made = kept(tmp_path, b"some words" * 100)
    data = bytearray(made.path.read_bytes())
    data[10] ^= 1
    made.path.write_bytes(data)
    with made.reading() as file, pytest.raises(SourceError) as refused:
        file.read()
    assert str(refused.value) == "The file was changed while it lay here; bring it in again"


def test_the_key_is_in_no_words(tmp_path):
    assert repr(Held(path=tmp_path, key=new_key())) == f"Held(path={tmp_path!r})"


@pytest.fixture
def sealed(web):
    with web.library() as library:
        library.store.encrypt(PASSPHRASE)
    web.desk.unlock(PASSPHRASE)
    return web


def test_a_file_for_an_encrypted_store_lies_sealed_and_is_read(sealed):
    key = brought(sealed, export(3, title="Canary"))
    assert "Canary 2" in sealed.text(f"/bring-in/source?id={key}")
    assert files(sealed)
    assert all(b"Canary" not in file.read_bytes() for file in files(sealed))
    answer = sealed.post("/bring-in/review", {"id": key, "place": "1"})
    assert answer.status_code == 303


def test_an_archive_for_an_encrypted_store_is_read_where_it_lies(sealed):
    example = Path(__file__).parents[1] / "examples" / "chatgpt-export.zip"
    key = brought(sealed, example.read_bytes(), "export.zip")
    assert "chatgpt" in sealed.text(f"/bring-in/source?id={key}")
    assert all(not file.read_bytes().startswith(b"PK") for file in files(sealed))


def test_pasted_text_for_an_encrypted_store_lies_sealed(sealed):
    under_review(sealed, "User: Never log the canary.\n\nAssistant: Noted.")
    assert files(sealed)
    assert all(b"canary" not in file.read_bytes() for file in files(sealed))


def test_a_file_for_an_open_store_is_mapped_where_it_lies(web):
    assert send(web, export(2)).status_code == 201
    assert [file.read_bytes() for file in files(web)] == [export(2)]
