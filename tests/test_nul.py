"""The character NUL, which a server cannot keep, is refused at reading, whatever keeps the store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from dcb.cli import main
from dcb.document import dump
from dcb.errors import RequestError
from dcb.library import Library
from dcb.mcp.desk import Desk
from dcb.mcp.words import CompileConversation, Said
from dcb.model import Entry
from dcb.settings import Settings
from tests.test_store import snapshot

Dcb = Callable[..., Result]
SAID = "We decided: port 5433\0 is for reports."
REFUSED = "holds the character NUL, which no store keeps; take it out there and try again"


@pytest.fixture(params=["sqlite", "postgresql"])
def dcb(request: pytest.FixtureRequest, tmp_path: Path) -> Dcb:
    """Runs `dcb` over one store or the other."""
    where = {"DCB_DATA_DIR": str(tmp_path / "data"), "DCB_STORE": ""}
    if request.param == "postgresql":
        where["DCB_STORE"] = request.getfixturevalue("postgres").fresh()
    runner = CliRunner(env=where)
    return lambda *arguments, **options: runner.invoke(main, [*map(str, arguments)], **options)


def talk(name: str, text: str, title: str) -> dict[str, Any]:
    said = {"uuid": f"{name}-1", "sender": "human", "text": text}
    return {"uuid": name, "name": title, "chat_messages": [said]}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.json", json.dumps([{"role": "user", "content": SAID}])),
        ("export.json", json.dumps([talk("a", SAID, "Ports")])),
        ("lines.jsonl", json.dumps({"messages": [{"role": "user", "content": SAID}]}) + "\n"),
        ("paste.txt", f"User: {SAID}\n\nAssistant: Noted.\n"),
    ],
)
def test_a_message_with_nul_is_refused_at_reading(
    dcb: Dcb, tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    for verb in (("read",), ("compile", "--save"), ("compile", "--out", tmp_path / "out.md")):
        done = dcb(verb[0], path, *verb[1:])
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.startswith(f"dcb: {path}")
        assert done.stderr.endswith(f": Message 1 {REFUSED}\n")
    assert dcb("list", "--json").stdout == "[]\n"
    assert not (tmp_path / "out.md").exists()


def test_it_costs_its_own_conversation_and_no_other(dcb: Dcb, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    talks = [talk("a", SAID, "Ports"), talk("b", "Port 1.", "T\0"), talk("c", "Port 2.", "Kept")]
    path.write_text(json.dumps(talks), "utf-8")
    done = dcb("ingest", path)
    assert done.exit_code == 0
    assert f"  1 × Message 1 {REFUSED}\n      {path}, conversation 1\n" in done.stdout
    assert f"  1 × The title {REFUSED}\n      {path}, conversation 2\n" in done.stdout
    assert [row["title"] for row in json.loads(dcb("list", "--json").stdout)] == ["Kept"]


def test_a_document_with_nul_is_refused_with_its_line(dcb: Dcb, tmp_path: Path) -> None:
    path = tmp_path / "kept.md"
    held = Entry(id="v-001", kind="code", content="a\nb\0c", lang="text")
    path.write_text(dump(snapshot(verbatim=(held,))), "utf-8")
    line = path.read_text("utf-8").split("\0")[0].count("\n") + 1
    done = dcb("add", path)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr == (
        f"dcb: {path}: Snapshot '0199-0001' holds the character NUL (line {line} of its document), "
        "which no store keeps; take it out and save it again\n"
    )


def test_an_agent_is_told_which_message_it_is_in(tmp_path: Path) -> None:
    said = [Said(role="user", content="Always sail."), Said(role="user", content=SAID)]
    desk = Desk(lambda: Library(Settings(data_dir=tmp_path)))
    with pytest.raises(RequestError) as refused:
        desk.compile_conversation(CompileConversation(messages=said))
    assert str(refused.value) == f"Message 2 {REFUSED}"
