"""Without a route to any other host the local page is the same, byte for byte."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Serves a filled store at a real port and prints a digest of every page. In a network of its
# own, the loopback interface has to be switched on first.
SCRIPT = """
import fcntl, hashlib, socket, struct, sys, threading, time, urllib.request
from pathlib import Path
import uvicorn
from dcb.library import Library
from dcb.settings import Settings
from dcb.web.app import create_app
from dcb.web.desk import Desk
from dcb.web.door import Codes, Door
from tests.web_store import fill

if sys.argv[2] == "alone":
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", 0x41))
settings = Settings(data_dir=Path(sys.argv[1]))
with Library(settings) as library:
    if not library.list(limit=1):
        fill(library)
listener = socket.create_server(("127.0.0.1", 0))
door = Door(port=listener.getsockname()[1], session="the same for both")
app = create_app(Desk(settings), door=door, codes=Codes(clock=time.monotonic))
server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", ws="none"))
threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
for path in sys.argv[3:]:
    request = urllib.request.Request(f"http://127.0.0.1:{door.port}{path}")
    request.add_header("Cookie", f"{door.cookie}={door.session}")
    with urllib.request.urlopen(request, timeout=30) as answer:
        print(path, hashlib.sha256(answer.read()).hexdigest())
if sys.argv[2] == "alone":
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=2)
    except OSError as error:
        print("alone:", error.strerror, file=sys.stderr)
server.should_exit = True
"""
PATHS = (
    "/",
    "/?q=retries",
    "/snapshot?id=s-ledger",
    "/snapshot/document?id=s-ledger",
    "/snapshot/history?id=s-ledger",
    "/bring-in",
    "/merge",
    "/timeline",
    "/inbox",
    "/inbox/item?id=w-1",
    "/settings",
    "/static/app.js",
)


def digests(folder, *, alone):
    run = [sys.executable, "-c", SCRIPT, str(folder), "alone" if alone else "", *PATHS]
    command = ["unshare", "--map-root-user", "--net", *run] if alone else run
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def may_have_a_network_of_its_own():
    try:
        command = ["unshare", "--map-root-user", "--net", "true"]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


@pytest.mark.skipif(not may_have_a_network_of_its_own(), reason="needs unshare --net")
def test_without_any_other_host_every_page_is_the_same(tmp_path):
    among_others = digests(tmp_path, alone=False)
    alone = digests(tmp_path, alone=True)
    assert alone.stderr == "alone: Network is unreachable\n"
    assert len(alone.stdout.splitlines()) == len(PATHS)
    assert alone.stdout == among_others.stdout
