"""How many made-up secrets are found, how often ordinary talk is taken for one, and how fast.

    python benchmarks/find_secrets.py CONVERSATIONS.jsonl...

Tokens are drawn at random from the shapes that providers document (a prefix, an alphabet, a
length), 100 of each, and put into sentences, code and JSON. Each line of CONVERSATIONS is a
conversation with `messages`; false alarms are counted per million characters, each shown with
its kind and place (never its text). Speed is that of one process over all the talk.
"""

from __future__ import annotations

import json
import random
import string
import sys
import time
from collections import Counter
from pathlib import Path

from dcb import secrets

WORD = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"

# Name, beginning, alphabet, length of the rest.
SHAPES: tuple[tuple[str, str, str, int], ...] = (
    ("GitHub classic", "ghp_", WORD, 36),
    ("GitHub fine-grained", "github_pat_", WORD + "_", 82),
    ("GitLab", "glpat-", WORD + "-_", 20),
    ("OpenAI project", "sk-proj-", WORD + "-_", 120),
    ("Anthropic", "sk-ant-api03-", WORD + "-_", 93),
    ("OpenRouter", "sk-or-v1-", HEX, 64),
    ("AWS key id", "AKIA", UPPER, 16),
    ("Google API", "AIza", WORD + "-_", 35),
    ("Slack bot", "xoxb-2847561930-", WORD, 24),
    ("Stripe live", "sk_live_", WORD, 24),
    ("npm", "npm_", WORD, 36),
    ("PyPI", "pypi-AgEIcHlwaS5vcmc", WORD + "-_", 140),
    ("Hugging Face", "hf_", string.ascii_letters, 34),
    ("SendGrid", "SG.", WORD, 22),
    ("DigitalOcean", "dop_v1_", HEX, 64),
    ("Tencent key id", "AKID", WORD, 32),
    ("Alibaba key id", "LTAI", WORD, 20),
)
PLACES = (
    "The token is {}.",
    "用这个 {}，别外传",
    'export TOKEN="{}"',
    '{{"auth": "{}", "n": 1}}',
    "curl -H 'X-Key: {}' https://example.org",
    "{}\n",
)
DRAWN = 100


def main(paths: list[str]) -> None:
    """One line for each shape, one for all, then false alarms and speed."""
    chance = random.Random(20_26)
    shares = {name: _found(chance, name, *shape) for name, *shape in SHAPES}
    for name, count in shares.items():
        print(f"{name:20} {count} of {DRAWN}")
    total = sum(shares.values())
    print(f"recall: {total / len(SHAPES) / DRAWN:.2%} of {len(SHAPES)} shapes")
    _talk([message for path in paths for message in _messages(Path(path))])


def _found(chance: random.Random, name: str, start: str, alphabet: str, length: int) -> int:
    count = 0
    for _ in range(DRAWN):
        token = start + "".join(chance.choices(alphabet, k=length))
        if name == "SendGrid":
            token += "." + "".join(chance.choices(alphabet, k=43))
        text = chance.choice(PLACES).format(token)
        count += token not in secrets.mask(text)
    return count


def _messages(path: Path) -> list[tuple[str, str]]:
    found = []
    for line in path.read_text("utf-8").splitlines():
        conversation = json.loads(line)
        for number, message in enumerate(conversation["messages"]):
            found.append((f"{path.parent.name} {conversation['id']} {number}", message["content"]))
    return found


def _talk(messages: list[tuple[str, str]]) -> None:
    secrets.find("")  # the rules are compiled by the first use
    alarms: Counter[str] = Counter()
    begun = time.process_time()
    for place, text in messages:
        for secret in secrets.find(text):
            alarms[secret.kind] += 1
            print(f"alarm: {secret.kind} in {place}")
    seconds = time.process_time() - begun
    size = sum(len(text) for _, text in messages)
    if size:
        rate = sum(alarms.values()) / size * 1e6
        print(f"talk: {size / 1e6:.1f} M characters, {rate:.2f} false alarms per million")
        print(f"speed: {size / 1e6 / seconds:.1f} M characters a second")


if __name__ == "__main__":
    main(sys.argv[1:])
