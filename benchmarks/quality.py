"""How much of labelled conversations a compile keeps, kind by kind, and what it keeps wrongly.

    python benchmarks/quality.py LABELS.jsonl [LABELS.jsonl …] [--beside FIGURES.txt]

Each line of a file is one conversation with its marks; benchmarks/data/README.md names the
fields. The held-out set there is always measured last: it is never tuned on.

A mark counts as found when an entry of its kind holds its words, from its message. An entry is
right when it holds a mark of its kind; one that only holds an optional passage, a preference or
the echo of a mark is left out of precision. The headline is the mean of four F1 of entries, F1
of preferences, facts and answers found, lowered by wrongs taken and old values shown as current.

FIGURES holds what other systems reach on the same files: a section begins `NAME: columns`, NAME
being a file of labels without its ending, and each of its lines is one system. Ours is printed
below in the same columns.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import dcb
from dcb.model import Conversation, Entry, Snapshot
from labels import conversation

HELD_OUT = Path(__file__).parent / "data" / "heldout.jsonl"
KINDS = ("decision", "directive", "parameter", "code")
BUDGETS = (512, 1024, 2048, 4096, 8192)
AMPLE = 32_768
SHORT = 6  # characters; a shorter needle must stand as a word of its own
LONG = 12  # characters; a longer one need not be from the very message

Mark = dict[str, Any]


def main(arguments: Sequence[str]) -> None:
    """Print a table for each file of labels, the held-out one last."""
    parser = argparse.ArgumentParser()
    parser.add_argument("labels", nargs="+", type=Path)
    parser.add_argument("--beside", type=Path, metavar="FIGURES")
    asked = parser.parse_args(arguments)
    others = _sections(asked.beside.read_text("utf-8")) if asked.beside else {}
    for path in (*asked.labels, HELD_OUT):
        records = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
        count = sum((measure(record) for record in records), Counter[str]())
        report(path.name, count)
        if path.stem in others:
            print(f"{others[path.stem]}\n{_row(count)}")


def _sections(text: str) -> dict[str, str]:
    """The sections of a file of figures, by the name of the labels that they are about."""
    blocks = (block.strip() for block in text.split("\n\n"))
    return {block.partition(":")[0]: block for block in blocks if ":" in block}


# --- one conversation -------------------------------------------------------------------


def measure(record: Mark) -> Counter[str]:
    """Everything counted in one conversation."""
    talk = conversation(record)
    compiled = dcb.compile_conversation(talk, max_tokens=AMPLE, now=0, snapshot_id="s")
    snapshot, count = compiled.snapshot, Counter[str](documents=1)
    _entries(count, record, snapshot)
    _wrongs(count, record, snapshot)
    _preferences(count, record, snapshot)
    _survivors(count, record, talk, {AMPLE: _plain(compiled.document)})
    return count


def _entries(count: Counter[str], record: Mark, snapshot: Snapshot) -> None:
    active = _active(record)
    for mark in active:
        kind = mark["kind"]
        count[f"{kind}.gold"] += 1
        count[f"{kind}.hit"] += any(
            e.kind == kind and _holds(e, mark["must_contain"], mark["src"])
            for e in snapshot.verbatim
        )
    for entry in snapshot.verbatim:
        if any(
            m["kind"] == entry.kind and _holds(entry, m["must_contain"], m["src"]) for m in active
        ):
            count[f"{entry.kind}.right"] += 1
        elif not entry.status and not _excused(entry, record, active):
            count[f"{entry.kind}.wrong"] += 1


def _excused(entry: Entry, record: Mark, active: Iterable[Mark]) -> bool:
    beside = [(o["span"], o["src"]) for o in record["optional"]]
    beside += [(p["value_span"], p["src"]) for p in record["preferences"]]
    if any(_holds(entry, span, source) for span, source in beside):
        return True
    words = [m["must_contain"] for m in active if m["kind"] == entry.kind]
    if entry.kind == "decision":
        words += [ref["span"] for m in active for ref in m["refs"]]
    return any(len(_bare(word)) > 1 and _stands(word, entry.content) for word in words)


def _wrongs(count: Counter[str], record: Mark, snapshot: Snapshot) -> None:
    """Negatives taken for something, and replaced values shown as current."""
    active, current = _active(record), [e for e in snapshot.verbatim if not e.status]
    for mark in record["negatives"]:
        taken = [
            e
            for e in current
            if e.kind in mark["not_kinds"] and _holds(e, mark["span"], mark["src"])
        ]
        alone = [e for e in taken if not _rightful(e, active) and not _optional(e, record)]
        valued = "preference" in mark["not_kinds"] and any(
            len(_bare(mark["span"])) >= 4 and _bare(mark["span"]) in _bare(p.value)
            for p in snapshot.preferences
        )
        count["negatives.gold"] += 1
        count["negatives.taken"] += bool(alone or valued)
    for mark in (m for m in record["gold"] if m["superseded"]):
        shown = [
            e
            for e in current
            if e.kind == mark["kind"] and _holds(e, mark["must_contain"], mark["src"])
        ]
        count["superseded.gold"] += 1
        count["superseded.shown"] += any(not _rightful(e, active) for e in shown)


def _rightful(entry: Entry, active: Iterable[Mark]) -> bool:
    return any(
        m["kind"] == entry.kind and _holds(entry, m["must_contain"], m["src"]) for m in active
    )


def _optional(entry: Entry, record: Mark) -> bool:
    return any(_holds(entry, o["span"], o["src"]) for o in record["optional"])


def _preferences(count: Counter[str], record: Mark, snapshot: Snapshot) -> None:
    wanted = [p for p in record["preferences"] if not p["superseded"]]
    for mark in wanted:
        count["preference.gold"] += 1
        count["preference.hit"] += any(_prefers(p, mark) for p in snapshot.preferences)
    for held in snapshot.preferences:
        right = any(_prefers(held, mark) for mark in wanted)
        echoes = [m["must_contain"] for m in _active(record) if m["kind"] == "directive"]
        echoes += [o["span"] for o in record["optional"]]
        value = _bare(held.value)
        if right:
            count["preference.right"] += 1
        elif not any(value in _bare(echo) or _bare(echo) in value for echo in echoes):
            count["preference.wrong"] += 1


def _prefers(held: Any, mark: Mark) -> bool:
    value = _bare(held.value)
    stated = [mark["value_span"], *mark["values"]]
    said = any(_bare(s) in value for s in stated if _bare(s))
    return (
        bool(value)
        and held.scope == mark["scope"]
        and (said or (len(value) >= 2 and value in _bare(mark["value_span"])))
    )


def _survivors(
    count: Counter[str], record: Mark, conversation: Conversation, documents: dict[int, str]
) -> None:
    """Facts, answers, and at each budget the marked spans that are still there."""
    ample = documents[AMPLE]
    for fact in record["facts"]:
        count["facts.gold"] += 1
        count["facts.hit"] += _stands(fact["span"], ample)
    for probe in record["probes"]:
        count["probes.gold"] += 1
        count["probes.hit"] += all(
            any(_stands(a, ample) for a in group) for group in probe["answer"]
        )
    for budget in BUDGETS:
        compiled = dcb.compile_conversation(conversation, max_tokens=budget, now=0, snapshot_id="s")
        text = _plain(compiled.document)
        for probe in record["probes"]:
            count[f"answered.{budget}.gold"] += 1
            count[f"answered.{budget}.hit"] += all(
                any(_stands(a, text) for a in group) for group in probe["answer"]
            )
        for mark in _active(record):
            count[f"kept.{budget}.gold"] += 1
            count[f"kept.{budget}.hit"] += _stands(mark["must_contain"], text)


# --- words ------------------------------------------------------------------------------


def _active(record: Mark) -> list[Mark]:
    return [mark for mark in record["gold"] if not mark["superseded"]]


_QUOTES = str.maketrans({"“": '"', "”": '"', "‘": "'", "’": "'"})


def _soft(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).lower().translate(_QUOTES)
    return re.sub(r"[`*\\]+", "", re.sub(r"(?m)^\s*>\s?", "", text))


def _bare(text: str) -> str:
    return re.sub(r"\s+", "", _soft(text))


def _plain(document: str) -> str:
    return re.sub(r"<!--.*?-->", " ", document, flags=re.S)


def _stands(needle: str, text: str) -> bool:
    """Whether words stand in a text: long ones anywhere, short ones not inside other words."""
    bare = _bare(needle)
    if len(bare) > SHORT:
        return bare in _bare(text)
    pattern = r"\s*".join(map(re.escape, bare))
    before = r"(?<![a-z0-9])(?<!\d[.,])" if bare[:1].isascii() and bare[:1].isalnum() else ""
    after = r"(?![a-z0-9])(?![.,]\d)" if bare[-1:].isascii() and bare[-1:].isalpha() else ""
    after = r"(?!\d)(?![.,]\d)" if bare[-1:].isdigit() else after
    return bool(bare) and re.search(before + pattern + after, _soft(text)) is not None


def _holds(entry: Entry, needle: str, source: str) -> bool:
    return _stands(needle, entry.content) and (entry.src == source or len(_bare(needle)) >= LONG)


# --- the table --------------------------------------------------------------------------


def report(name: str, count: Counter[str]) -> None:
    """Print the table of one file."""
    print(f"\n{name}: {count['documents']} conversations")
    print(f"{'':<12}{'marks':>7}{'P':>7}{'R':>7}{'F1':>7}")
    for kind in (*KINDS, "preference"):
        precision, recall, f1 = _rates(count, kind)
        print(f"{kind:<12}{count[kind + '.gold']:>7}{precision:>7.1f}{recall:>7.1f}{f1:>7.1f}")
    for what, part in (
        ("negatives", "taken"),
        ("superseded", "shown"),
        ("facts", "hit"),
        ("probes", "hit"),
    ):
        print(f"{what:<12}{count[what + '.gold']:>7}   {part} {_share(count, what, part):.1f} %")
    kept = "  ".join(f"{b}: {_share(count, f'kept.{b}', 'hit'):.1f}" for b in BUDGETS)
    print(f"spans kept at {kept}")
    print(f"headline {headline(count):.1f}")


def _row(count: Counter[str]) -> str:
    """Our figures in the columns of a file of figures."""
    groups = [[_share(count, f"{what}.{b}", "hit") for b in BUDGETS] for what in _BY_BUDGET]
    groups.append([_share(count, "facts", "hit")])
    groups.append([_rates(count, kind)[2] for kind in (*KINDS, "preference")])
    groups.append([_share(count, "negatives", "taken")])
    groups.append([_share(count, "superseded", "shown")])
    columns = " | ".join(" ".join(f"{share:4.0f}" for share in group) for group in groups)
    return f"{'dcb':<10} {columns} | {headline(count):.1f}"


_BY_BUDGET = ("answered", "kept")


def headline(count: Counter[str]) -> float:
    """The one figure, in percent."""
    parts = [_rates(count, kind)[2] for kind in (*KINDS, "preference")]
    parts += [_share(count, "facts", "hit"), _share(count, "probes", "hit")]
    taken, shown = _share(count, "negatives", "taken"), _share(count, "superseded", "shown")
    return sum(parts) / len(parts) * (1 - taken / 100) * (1 - shown / 200)


def _rates(count: Counter[str], kind: str) -> tuple[float, float, float]:
    said = count[f"{kind}.right"] + count[f"{kind}.wrong"]
    precision = 100 * count[f"{kind}.right"] / said if said else 0.0
    recall = _share(count, kind, "hit")
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _share(count: Counter[str], what: str, part: str) -> float:
    return 100 * count[f"{what}.{part}"] / count[f"{what}.gold"] if count[f"{what}.gold"] else 0.0


if __name__ == "__main__":
    main(sys.argv[1:])
