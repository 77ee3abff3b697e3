"""Cline and Roo Code tasks: the files that the VS Code extensions keep per task.

Where: VS Code's `globalStorage/saoudrizwan.claude-dev/tasks/<milliseconds>/` and
`rooveterinaryinc.roo-cline/tasks/<uuid>/`, also `~/.cline/data/tasks/`. Roo names task, title
and parent task in `history_item.json`.

`ui_messages.json` is `[{ts, type: ask|say, ask|say: …, text, images, files, partial}]` and tells
person and agent apart: the first `say: text` and every `user_feedback` are the person's, later
texts, completion results, follow-up questions and plans the agent's. It is read wherever it is
there: `api_conversation_history.json` beside it is another copy of the same task.

That file alone (Anthropic messages, also plain `{role, timestamp, content}` of third parties)
is read by its tags, see `cline_tags`.

Read in file order; an id is the time as text. A task that another task opened was prompted by
the agent. Left out: partial rows, requests, reasoning, tools, commands, results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dcb.errors import SourceError
from dcb.readers import cline_tags
from dcb.readers.base import File, Input, Item, Reader
from dcb.readers.content import attachment, join_blocks, string_in
from dcb.readers.jsontext import array_items, document, loads
from dcb.readers.loose import fields, identity, items, string
from dcb.readers.talk import Talk, base_name
from dcb.readers.times import epoch_ms

NAME = "cline"
UI = "ui_messages.json"
API = "api_conversation_history.json"
INFO = "history_item.json"

USER_SAYS = frozenset({"task", "user_feedback"})
AGENT_SAYS = frozenset({"completion_result"})
# Asks that put words before the person, and where in their JSON the words are.
SHOWN_ASKS = {
    "followup": ("question",),
    "plan_mode_respond": ("response",),
    "act_mode_respond": ("response",),
    "completion_result": (),
}


def detect(source: Input) -> str | None:
    """Rows of `ts` with `say` or `ask`, or messages that hold the extensions' own tags."""
    name = base_name(source.file)
    rows = [item for item in source.items if isinstance(item, dict)]
    if any("ts" in row and row.get("type") in ("say", "ask") for row in rows):
        return "rows of `ts` with `say` or `ask`"
    if source.shape == "array" and name == API:
        return f"named {API}"
    if source.shape == "object" and name.endswith(".messages.json") and "sessionId" in source.keys:
        return "a session of Cline's command line"
    if any(cline_tags.is_marked(row.get("content")) for row in rows if "role" in row):
        return "messages with Cline's tags (`<task>`, `<environment_details>`)"
    return None


def read(source: Input) -> Iterator[Item]:
    """The one task of the file, from `ui_messages.json` where that lies beside it."""
    talk = Talk(source)
    info = _info(source.file)
    file = source.file
    if base_name(file) == API and source.shape == "array":
        file = file.sibling(UI) or file
    if source.shape == "object":
        whole = fields(document(file, warn=talk.notes.warn))
        info = {"id": whole.get("sessionId"), **info}
        rows = items(whole.get("messages"))
    else:
        rows = [row for _, row in array_items(file, warn=talk.notes.warn)]
    if any("say" in fields(row) or "ask" in fields(row) for row in rows):
        _read_ui(talk, rows, is_subtask=bool(info.get("parentTaskId")))
    else:
        _read_api(talk, rows)
    first = next((identity(fields(row).get("ts")) for row in rows), None)
    times = [message.created_at for message in talk.messages if message.created_at]
    yield talk.close(
        NAME,
        id=info.get("id") or _folder(source.file) or first,
        title=string(info.get("task")) or talk.first_prompt(),
        created_at=times[0] if times else None,
        updated_at=times[-1] if times else None,
    )


def _info(file: File) -> dict[str, Any]:
    """Roo's own words about the task, where they lie beside it and can be read."""
    beside = file.sibling(INFO)
    try:
        return fields(loads(memoryview(beside.data))) if beside else {}
    except SourceError:
        return {}


def _folder(file: File) -> str:
    return file.name.replace("\\", "/").rpartition("/")[0].rpartition("/")[2]


def _read_ui(talk: Talk, rows: list[Any], *, is_subtask: bool) -> None:
    is_first = True
    for row in map(fields, rows):
        kind = string(row.get("say")) or string(row.get("ask"))
        if row.get("partial") is True:
            talk.notes.drop("damaged")
        elif row.get("type") == "say" and kind == "text" and is_first:
            is_first = False
            if is_subtask:
                talk.notes.drop("hidden")
            else:
                _say(talk, "user", row)
        elif row.get("type") == "say" and kind in USER_SAYS:
            is_first = False
            _say(talk, "user", row)
        elif row.get("type") == "say" and kind in ("text", *AGENT_SAYS):
            _say(talk, "assistant", row)
        elif row.get("type") == "ask" and kind in SHOWN_ASKS:
            _ask(talk, row, SHOWN_ASKS[kind])
        else:
            talk.notes.drop("thinking" if kind == "reasoning" else "tool")


def _ask(talk: Talk, row: dict[str, Any], keys: tuple[str, ...]) -> None:
    """A question or plan; a completion that was said already is asked about once more."""
    text = string(row.get("text"))
    if keys and text.lstrip().startswith("{"):
        try:
            text = string_in(loads(text.encode("utf-8", "replace")), *keys)
        except SourceError:
            talk.notes.warn("A question to the person could not be decoded and was left out")
            talk.notes.drop("damaged")
            return
    last = talk.messages[-1].content if talk.messages else ""
    if text.strip() == last and text:
        talk.notes.drop("duplicate")
    else:
        _say(talk, "assistant", {**row, "text": text})


def _say(talk: Talk, role: str, row: dict[str, Any]) -> None:
    images = (attachment("image") for _ in items(row.get("images")))
    files = (attachment("file", base) for base in map(_last_name, items(row.get("files"))))
    content = join_blocks((string(row.get("text")), *images, *files))
    talk.say(role, content, id=identity(row.get("ts")), at=epoch_ms(row.get("ts")))


def _last_name(path: Any) -> str:
    return string(path).replace("\\", "/").rpartition("/")[2]


def _read_api(talk: Talk, rows: list[Any]) -> None:
    for row in map(fields, rows):
        role = row.get("role")
        if role not in ("user", "assistant"):
            talk.notes.drop("unknown")
            continue
        stamp = row.get("ts", row.get("timestamp"))
        text = cline_tags.said(role, row.get("content"), talk.notes)
        talk.say(role, text, id=identity(row.get("id")) or identity(stamp), at=epoch_ms(stamp))


READER = Reader(
    name=NAME,
    title="Cline, Roo Code",
    detect=detect,
    read=read,
    companions=(INFO, "task_metadata.json"),
)
