"""What happens on the server -> figures in Prometheus' text format, without names or content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Metrics:
    """The counters of one server; `pool` says how many connections are in which state."""

    def __init__(self, pool: Callable[[], Mapping[str, int]]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Pool(pool))
        self._requests = Counter(
            "dcb_requests",
            "Requests answered, by class of route and status.",
            ("route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "dcb_request_seconds",
            "How long an answer took.",
            ("route",),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._actions = Counter(
            "dcb_actions",
            "What was done with stores: read, search, save, merge, remove …",
            ("action",),
            registry=self._registry,
        )

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def done(self, action: str) -> None:
        """Count something that was done with a store."""
        self._actions.labels(action).inc()

    def text(self) -> bytes:
        """All figures."""
        return generate_latest(self._registry)


class _Pool(Collector):
    def __init__(self, states: Callable[[], Mapping[str, int]]) -> None:
        self._states = states

    def collect(self) -> Iterator[GaugeMetricFamily]:
        family = GaugeMetricFamily(
            "dcb_pool_connections", "Connections to the database, by state.", labels=("state",)
        )
        for state, count in self._states().items():
            family.add_metric((state,), count)
        yield family
