"""A real browser meets the local page: no fault for any reader, no request elsewhere, no mouse.

Runs where `DCB_PLAYWRIGHT` names a node_modules folder with playwright-core and axe-core;
`DCB_CHROMIUM` names the browser (`chromium` on the path otherwise). With `DCB_SCREENSHOTS`
set to a folder, pictures of every page go there.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dcb.library import Library
from dcb.settings import Settings
from tests.web_store import PASSPHRASE, fill

SCRIPTS = Path(__file__).parent / "browser"
NODE_MODULES = os.environ.get("DCB_PLAYWRIGHT", "")
CHROMIUM = os.environ.get("DCB_CHROMIUM") or shutil.which("chromium") or ""

pytestmark = pytest.mark.skipif(
    not (NODE_MODULES and CHROMIUM and shutil.which("node")),
    reason="DCB_PLAYWRIGHT names no node_modules folder, or there is no node or Chromium",
)

PAGES = {
    "library": "/",
    "search": "/?q=retries",
    "filters": "/?kind=decision",
    "nothing-found": "/?q=zebra",
    "snapshot": "/snapshot?id=s-ledger",
    "history": "/snapshot/history?id=s-ledger",
    "compare": "/snapshot/compare?before=s-ledger@1&after=s-ledger@2",
    "inbox": "/inbox",
    "inbox-item": "/inbox/item?id=w-1",
    "settings": "/settings",
    "error": "/nowhere",
}


@pytest.fixture
def folder():
    """A folder whose name can be shown in pictures."""
    with TemporaryDirectory(prefix="dcb-") as name:
        yield Path(name)


@pytest.fixture
def served(folder):
    """The link to a page over a store with something of everything."""
    with Library(Settings(data_dir=folder)) as library:
        fill(library)
    yield from _serve(folder)


@pytest.fixture
def empty(folder):
    """The link to a page over an empty store."""
    yield from _serve(folder)


@pytest.fixture
def encrypted(folder):
    """The link to a page over an encrypted store."""
    with Library(Settings(data_dir=folder)) as library:
        fill(library)
        library.store.encrypt(PASSPHRASE)
    yield from _serve(folder)


def _serve(folder):
    ours = {name: value for name, value in os.environ.items() if not name.startswith("DCB_")}
    config = folder / "config.toml"
    config.write_text(f'data_dir = "{folder.as_posix()}"\nlang = "en"\n')
    environment = {**ours, "DCB_CONFIG": str(config)}
    command = [sys.executable, "-m", "dcb", "web", "--port", "0", "--no-open"]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield process.stderr.readline().split()[-1]
        finally:
            process.kill()


def faults(script, *arguments):
    """What a script of the browser found wrong."""
    done = subprocess.run(
        ["node", str(SCRIPTS / script), *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
        env={**os.environ, "DCB_CHROMIUM": CHROMIUM},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_every_page_is_fit_for_every_reader_and_asks_nobody_else(served):
    assert faults("look.mjs", served, json.dumps(PAGES)) == []


def test_an_empty_store_is_too(empty):
    pages = {"library-empty": "/", "inbox-empty": "/inbox"}
    assert faults("look.mjs", empty, json.dumps(pages)) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_brief_is_found_made_and_copied_without_a_mouse(lang, served):
    assert faults("keyboard.mjs", served, lang, "retries") == []


def test_an_encrypted_store_is_opened_on_the_page(encrypted):
    assert faults("unlock.mjs", encrypted, PASSPHRASE) == []


def test_what_one_meets_before_the_pages_is_fit_for_every_reader(encrypted):
    assert faults("doors.mjs", encrypted, PASSPHRASE) == []


def test_every_form_works_without_javascript(empty, tmp_path):
    (tmp_path / "talk.txt").write_text(
        "User: We decided to sample every 60 seconds. Never log the token.\n\nAssistant: Noted.\n"
    )
    assert faults("plain.mjs", empty, str(tmp_path / "talk.txt")) == []


def test_a_long_conversation_is_watched_and_stopped_while_it_is_compiled(empty, tmp_path):
    said = [
        {"role": "user", "content": f"Set retries to {n % 50}, {n} times."} for n in range(99_000)
    ]
    (tmp_path / "long.json").write_text(json.dumps(said))
    assert faults("compiling.mjs", empty, str(tmp_path / "long.json")) == []
