"""How many cases a property test runs: a quick look by default, ten thousand in CI."""

import os

CASES = 10_000 if os.environ.get("CI") else 200
