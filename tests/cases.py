"""How many cases a property test runs: a quick look by default, many in CI.

`CASES` is for the laws that everything stands on (documents, envelopes, queries); `FEWER`
for tests of which there are many, or whose cases are slow.
"""

import os

CASES = 10_000 if os.environ.get("CI") else 200
FEWER = 500 if os.environ.get("CI") else 100
