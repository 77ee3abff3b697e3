"""CPU seconds and peak memory of compiling long conversations.

    python benchmarks/compile.py CONVERSATION.json …

Each file is compiled in a process of its own: read, extract, budget, document.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from pathlib import Path

import dcb


def main(paths: list[str]) -> None:
    """Print one line for each file; call this file again for the measuring itself."""
    if paths[:1] == ["--one"]:
        measure(paths[1])
        return
    print(
        f"{'file':<24} {'messages':>9} {'Mchars':>7} {'CPU s':>7} {'peak MB':>8} {'entries':>8} {'left out':>9}"
    )
    for path in paths:
        subprocess.run([sys.executable, __file__, "--one", path], check=True)


def measure(path: str) -> None:
    """Compile one file and print its line."""
    started = time.process_time()
    messages = characters = entries = omitted = 0
    for conversation in dcb.read_conversations(path):
        compiled = dcb.compile_conversation(conversation)
        assert compiled.document
        messages += len(conversation.messages)
        characters += sum(len(message.content) for message in conversation.messages)
        entries += len(compiled.snapshot.verbatim)
        omitted += len(compiled.report.omitted)
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{Path(path).name:<24} {messages:>9,} {characters / 1e6:>7.1f} {seconds:>7.2f} "
        f"{peak:>8.0f} {entries:>8,} {omitted:>9,}"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
