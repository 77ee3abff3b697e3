"""Fill, save and search, in figures, with a plain trigram table beside it in the same run.

    python benchmarks/store.py [N | FILE.jsonl] …      1,000 and 10,000 when nothing is given
    python benchmarks/store.py --postgres URL N …      a store on this server as well, in a
                                                       project of its own that stays there

N snapshots are invented (about 20 entries each); a file holds one snapshot a line in the
field names of the original implementation. The trigram table is what that implementation
keeps: one FTS5 row per snapshot with `tokenize='trigram'`, a scan with LIKE for words below
three characters, and index rows found by a scan when a snapshot is saved again. It reads a
query as one phrase, so of several terms or filters it finds nothing, quickly.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import quantiles
from unittest import mock

import apsw

from dcb import envelope
from dcb.model import Entry, Preference, Section, Snapshot
from dcb.store import Store, opened

REPEATS = 40
PASSPHRASE = "only for measuring"
# The table needs seconds for some queries once it holds this many.
MANY = 20_000
FEW_REPEATS = 5
MATTERS = (
    "泊位调度",
    "夜班排班",
    "集装箱编号",
    "吊机维护",
    "告警聚合",
    "报表导出",
    "权限模型",
    "缓存预热",
    "灰度发布",
    "数据回填",
)
SAYINGS = (
    "{m}需要重新设计，因为上游没有幂等键，编号 {n}",
    "最终决定采用方案 {n}，由 {m} 先行",
    "超时设为 {n}ms，{m} 不变",
    "the scheduler keeps a local clock, retries are not idempotent (ref {n})",
    "we compared two queues for {m} last week, ticket {n}",
    "def task_{n}(x):\n    return x * {n}",
)
RARE = "鹦鹉螺号计划 nautilus"
QUERIES = (
    ("common, 1 character", "位"),
    ("common, 2 characters", "排班"),
    ("common, 4 characters", "泊位调度"),
    ("common, English", "scheduler"),
    ("rare, 1 character", "鹦"),
    ("rare, 2 characters", "鹦鹉"),
    ("rare, 4 characters", "鹦鹉螺号"),
    ("rare, English", "nautilus"),
    ("absent, of common characters", "位班"),
    ("two common terms", "排班 scheduler"),
    ("a common and a rare term", "排班 鹦鹉"),
    ("a filter and a term", "kind:decision 排班"),
    ("a tag and a term", "tag:api 排班"),
)


def invented(number: int) -> Iterator[Snapshot]:
    """So many snapshots; three of them hold the rare words."""
    rng = random.Random(7)
    for place in range(number):

        def said() -> str:
            return rng.choice(SAYINGS).format(m=rng.choice(MATTERS), n=rng.randrange(100_000))

        rare = (RARE,) if place % max(1, number // 3) == number // 6 else ()
        yield Snapshot(
            id=f"bench-{place:08d}",
            conversation_id=f"conv-{place}",
            title=f"{rng.choice(MATTERS)}评审 {place}",
            description=said().replace("\n", " "),
            tags=tuple(rng.sample(("排班", "api", "oncall", "export", "review"), 2)),
            created_at=1_773_469_800_000 + place * 60_000,
            verbatim=tuple(
                Entry(id=f"v-{entry}", kind=rng.choice(("decision", "directive", "parameter", "code")),
                      content=said(), src=f"m{entry}")
                for entry in range(8)
            ),
            summary=tuple(
                Section(heading=heading, bullets=(*(said() for _ in range(3)), *rare))
                for heading in ("背景与目标", "讨论与推导", "待办与风险")
            ),
            preferences=(Preference(scope="style", key="language", value="回复请用简体中文"),),
        )  # fmt: skip


def read(path: Path) -> Iterator[Snapshot]:
    """Snapshots of a file in the original's field names."""
    for line in path.open(encoding="utf-8"):
        given = json.loads(line)
        meta = given["meta"]
        yield Snapshot(
            id=meta["snapshotId"],
            conversation_id=meta["sourceConversationId"],
            title=meta["title"],
            description=meta["description"],
            tags=tuple(meta["tags"]),
            created_at=meta["createdAt"],
            verbatim=tuple(
                Entry(id=item["id"], kind=item["kind"], content=item["content"],
                      src=item["sourceMessageId"], at=item["createdAt"])
                for item in given["verbatim"]
            ),
            summary=tuple(
                Section(heading=item["heading"], bullets=tuple(item["bullets"]))
                for item in given["summary"]
            ),
            preferences=tuple(
                Preference(scope=item["scope"], key=item["key"], value=item["value"])
                for item in given["preferences"]
            ),
        )  # fmt: skip


def document(snapshot: Snapshot) -> str:
    """As long as the document of the snapshot; its form does not matter here."""
    return f"snapshot_id: {snapshot.id}\n" + "\n\n".join(texts(snapshot))


def texts(snapshot: Snapshot) -> list[str]:
    """Title, description, tags, verbatim, summary and preferences, each as one text."""
    return [
        snapshot.title,
        snapshot.description,
        " ".join(snapshot.tags),
        "\n".join(entry.content for entry in snapshot.verbatim),
        "\n".join(bullet for section in snapshot.summary for bullet in section.bullets),
        "\n".join(item.value for item in snapshot.preferences),
    ]


class Trigrams:
    """The plain table to compare with."""

    def __init__(self, path: Path) -> None:
        """An empty table in a file."""
        self.database = apsw.Connection(str(path))
        self.database.execute("pragma journal_mode=wal; pragma synchronous=full")
        self.database.execute(
            "create virtual table found using fts5(id unindexed, title, description, tags, "
            "verbatim, summary, preferences, tokenize='trigram')"
        )

    def add(self, snapshots: Iterable[Snapshot]) -> None:
        """Add snapshots, in one transaction."""
        with self.database:
            for snapshot in snapshots:
                self.save(snapshot, again=False)

    def save(self, snapshot: Snapshot, *, again: bool = True) -> None:
        """Save a snapshot in place of an earlier one."""
        if again:
            self.database.execute("delete from found where id=?", (snapshot.id,))
        self.database.execute(
            "insert into found values (?,?,?,?,?,?,?)", (snapshot.id, *texts(snapshot))
        )

    def search(self, text: str) -> None:
        """The best twenty, or the newest twenty for a short word."""
        if len(text) < 3:
            columns = ("title", "description", "tags", "verbatim", "summary", "preferences")
            where = " or ".join(f"{name} like ?1" for name in columns)
            sql = f"select id from found where {where} order by rowid desc limit 20"
            list(self.database.execute(sql, (f"%{text}%",)))
        else:
            phrase = '"' + text.replace('"', '""') + '"'
            sql = "select id from found where found match ? order by bm25(found) limit 20"
            list(self.database.execute(sql, (phrase,)))


def timed(act: Callable[[], object], *, repeats: int = REPEATS) -> str:
    """Median and 95th percentile of an act, and the latter in CPU time, in milliseconds."""
    act()
    took, busy = [], []
    for _ in range(repeats):
        start, start_busy = time.perf_counter(), time.process_time()
        act()
        took.append((time.perf_counter() - start) * 1000)
        busy.append((time.process_time() - start_busy) * 1000)
    return f"{quantiles(took)[1]:8.1f} {_p95(took):8.1f} {_p95(busy):8.1f}"


def _p95(took: list[float]) -> float:
    return quantiles(took, n=20, method="inclusive")[18]


def fill(store: Store, snapshots: Iterable[Snapshot]) -> int:
    """Put snapshots, five hundred in a transaction; their number."""
    count = 0
    source = iter(snapshots)
    while batch := list(islice(source, 500)):
        with store._database.writing():
            for snapshot in batch:
                store.put(snapshot, document(snapshot))
        count += len(batch)
    return count


def measure(name: str, snapshots: Callable[[], Iterator[Snapshot]], folder: Path) -> None:
    """Print the figures of one size."""
    with Store(folder / "store", now=lambda: 1) as store:
        start = time.process_time()
        count = fill(store, snapshots())
        print(f"\n{count} snapshots ({name}): filled in {time.process_time() - start:.1f} s CPU")
        table = Trigrams(folder / "trigrams.db")
        start = time.process_time()
        table.add(snapshots())
        print(f"trigram table: filled in {time.process_time() - start:.1f} s CPU")
        beside = partial(timed, repeats=REPEATS if count <= MANY else FEW_REPEATS)
        columns = f"{'median':>8}{'p95':>9}{'p95 CPU':>9}"
        print(f"{'milliseconds':36}{columns}   trigram table: the same")
        numbers = iter(range(10**6))
        one = next(snapshots())

        def save() -> None:
            changed = f"{document(one)}\n{next(numbers)}"
            store.put(one, changed)

        theirs = beside(lambda: table.save(one))
        print(f"{'save a changed snapshot':36}{timed(save)}   {theirs}")
        for what, typed in QUERIES:
            theirs = beside(lambda typed=typed: table.search(typed))
            figures = timed(lambda typed=typed: store.search(typed))
            print(f"{what + ': ' + typed:36}{figures}   {theirs}", flush=True)
    start = time.perf_counter()
    with Store(folder / "store", now=lambda: 1) as store:
        store.list(limit=20)
        print(f"{'open and list 20':36}{(time.perf_counter() - start) * 1000:8.1f}")
    size = (folder / "store" / "store.db").stat().st_size
    print(f"{'size in MB':36}{size / 1e6:8.1f}")
    if count <= MANY:
        measure_sealed(folder / "store")


def measure_sealed(folder: Path) -> None:
    """Print what the same store costs when it is encrypted."""
    with Store(folder, now=lambda: 1) as store:
        start = time.perf_counter()
        store.encrypt(PASSPHRASE)
        print(f"{'seconds to encrypt it':36}{time.perf_counter() - start:8.1f}")
    derived: list[bytes] = []
    derive = envelope.derive
    with (
        mock.patch.object(envelope, "derive", lambda *given: derived.append(b"") or derive(*given)),
        Store(folder, now=lambda: 1, passphrase=lambda: PASSPHRASE) as store,
    ):
        start = time.perf_counter()
        count = len(store.list(limit=None))
        took = (time.perf_counter() - start) * 1000
        print(f"{f'sealed: open and list {count}':36}{took:8.1f}   key derivations: {len(derived)}")
        start = time.perf_counter()
        store.search("鹦鹉")
        print(f"{'sealed: search a rare word':36}{(time.perf_counter() - start) * 1000:8.1f}")


def measure_server(snapshots: Callable[[], Iterator[Snapshot]], address: str) -> None:
    """Print what the same snapshots cost on a PostgreSQL server."""
    project = f"benchmark {time.time_ns()}"
    with opened(Path(), address=address, project=project, now=lambda: 1) as store:
        start, size = time.perf_counter(), _size(store)
        count = fill(store, snapshots())
        print(f"PostgreSQL: {count} snapshots filled in {time.perf_counter() - start:.1f} s")
        store._database.tidy()
        print(f"{'size in MB':36}{(_size(store) - size) / 1e6:8.1f}")
        one, numbers = next(snapshots()), iter(range(10**6))
        saved = timed(lambda: store.put(one, f"{document(one)}\n{next(numbers)}"))
        print(f"{'save a changed snapshot':36}{saved}")
        for what, typed in QUERIES:
            figures = timed(lambda typed=typed: store.search(typed))
            print(f"{what + ': ' + typed:36}{figures}", flush=True)
    start = time.perf_counter()
    with opened(Path(), address=address, project=project, now=lambda: 1) as store:
        store.list(limit=20)
        print(f"{'open and list 20':36}{(time.perf_counter() - start) * 1000:8.1f}")


def _size(store: Store) -> int:
    """Bytes of the whole database."""
    found = store._database.row("select pg_database_size(current_database())")
    return int(found[0]) if found else 0


def main(arguments: list[str]) -> None:
    """Measure each size or file."""
    address = ""
    if arguments[:1] == ["--postgres"]:
        address, *arguments = arguments[1:]
    for given in arguments or ["1000", "10000"]:
        with tempfile.TemporaryDirectory() as folder:
            if given.isdigit():
                name, source = "invented", partial(invented, int(given))
            else:
                name, source = given, partial(read, Path(given))
            measure(name, source, Path(folder))
            if address:
                measure_server(source, address)


if __name__ == "__main__":
    main(sys.argv[1:])
