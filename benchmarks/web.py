"""How long the local page takes over a large store, and how heavy it is.

    python benchmarks/web.py FOLDER

FOLDER holds a store (`benchmarks/store.py` fills one). Prints the median of some requests
in milliseconds on the server, and the bytes that each sends.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from statistics import median

from starlette.testclient import TestClient

from dcb.settings import Settings
from dcb.web.app import create_app, large_bodies
from dcb.web.desk import Desk
from dcb.web.door import Codes, Door

REPEATS = 11
ADDRESSES = (
    "/",
    "/?below=1000",
    "/results?q=端口",
    "/results?q=decision",
    "/results?q=评审",
    "/results?q=zzz-not-there",
    "/results?tag=oncall",
    "/results?kind=decision&after=2026-03-20",
    "/?q=review&limit=60",
)


def main(folder: str) -> None:
    """Measure and print."""
    door = Door(port=8377, large=large_bodies())
    desk = Desk(Settings(data_dir=Path(folder)))
    app = create_app(desk, door=door, codes=Codes(clock=time.monotonic))
    client = TestClient(app, base_url="http://127.0.0.1:8377", cookies={door.cookie: door.session})
    for address in ADDRESSES:
        took = []
        for _ in range(REPEATS):
            begin = time.perf_counter()
            answer = client.get(address)
            took.append((time.perf_counter() - begin) * 1000)
        print(f"{median(took):8.1f} ms {len(answer.content):>9,} bytes  {address}")
    desk.close()


if __name__ == "__main__":
    main(sys.argv[1])
