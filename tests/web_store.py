"""A store with something of everything that the local page shows."""

from __future__ import annotations

from dataclasses import replace

from dcb.library import Library
from dcb.model import Entry, Omitted, Preference, Report, Section, Snapshot
from dcb.store import Source

PASSPHRASE = "correct horse battery staple"

LEDGER = Snapshot(
    id="s-ledger",
    conversation_id="c-ledger",
    title="Payments: retries and the ledger",
    description="How the retry queue and the ledger were split",
    created_at=1_790_000_000_000,
    tags=("payments", "架构", "q4"),
    token_estimate=812,
    verbatim=(
        Entry(
            id="v-1",
            kind="decision",
            content="We'll use **PostgreSQL 16** for the ledger.",
            src="m-4",
        ),
        Entry(
            id="v-2",
            kind="parameter",
            content="Retries: max 5, backoff 30 s",
            src="m-6",
            status="superseded",
            by="v-3",
        ),
        Entry(id="v-3", kind="parameter", content="Drop the max retries to 3 then.", src="m-9"),
        Entry(
            id="v-4",
            kind="directive",
            content="Never log card numbers:\n\n- not in debug\n- not in tests",
            src="m-11",
            pin=True,
        ),
        Entry(
            id="v-5",
            kind="code",
            lang="python",
            role="assistant",
            content="def retry(n: int) -> None:\n    for attempt in range(n):\n"
            "        send(timeout=30, reason='a line that is longer than a narrow window is wide')\n",
            src="m-12",
        ),
        Entry(
            id="v-6",
            kind="decision",
            role="assistant",
            content="Idempotency keys live for 24 hours, see [the RFC](https://example.org/rfc).",
            src="m-13",
            origin="accepted",
            via="m-14",
        ),
        Entry(
            id="v-7",
            kind="parameter",
            content="The staging key is sk-proj-" + "a1B2c3D4e5F6g7H8" * 3,
            src="m-15",
        ),
    ),
    summary=(
        Section(
            heading="Background and goals",
            bullets=("The old service retried for ever and charged twice.",),
        ),
        Section(heading="待办与风险", bullets=("对账任务每晚 2 点运行，失败要告警。",)),
    ),
    preferences=(
        Preference(scope="style", key="language", value="Answer in English"),
        Preference(scope="constraint", key="deps", value="no new dependencies", explicit=False),
    ),
)
LEFT_OUT = Omitted(
    layer="summary",
    kind="bullet",
    text="A longer discussion of Kafka against Redis streams that ended nowhere.",
    src="m-3",
    tokens=214,
    reason="budget",
)
LIBRARY = replace(
    LEDGER,
    id="s-library",
    conversation_id="c-library",
    title="社区图书馆的借书小程序",
    description="",
    tags=("图书馆",),
    verbatim=(
        Entry(id="v-1", kind="decision", content="就用 SQLite，一个文件够了。", src="m-2"),
        Entry(id="v-2", kind="parameter", content="端口改成 5433，失败时重试 3 次。", src="m-6"),
        Entry(
            id="v-3", kind="directive", content="以后都用中文回答，retries 要写进日志。", src="m-8"
        ),
    ),
)


def fill(library: Library) -> None:
    """Two snapshots, one of them with a history, and two items in the inbox."""
    library._keep(LIBRARY, Source(format="pasted-text"), ())
    library._keep(LEDGER, Source(format="claude_ai", where="data-2026.zip"), (LEFT_OUT,))
    library.edit(replace(LEDGER, verbatim=LEDGER.verbatim[:5] + LEDGER.verbatim[6:], weight=2))
    report = Report(limit=4096, needed=900, kept=812)
    for identifier, conversation in (("w-1", "c-ledger"), ("w-2", "")):
        library.submit(
            replace(LEDGER, id=identifier, conversation_id=conversation, title="Reconciliation"),
            report,
            source=Source(format="claude_ai"),
            by="an agent",
            note="Written at the end of the session",
        )
