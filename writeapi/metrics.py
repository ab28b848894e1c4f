"""What is counted of requests, for Prometheus: over all workers where PROMETHEUS_MULTIPROC_DIR names a folder."""

from __future__ import annotations

from prometheus_client import Counter, Histogram

METHODS = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS".split())

REQUESTS = Counter(
    "playbooks_requests_total",
    "Answers by the form of their address, method and status; 429 are limits that were hit.",
    ["route", "method", "status"],
)
SECONDS = Histogram(
    "playbooks_request_seconds",
    "How long answers took, in seconds.",
    ["route"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


def count_request(method: str, route: str | None, status: int, seconds: float) -> None:
    """Count one answer. What a caller wrote is no label: an address without a route is `none`, a method `other`."""
    form = route or "none"
    REQUESTS.labels(form, method if method in METHODS else "other", str(status)).inc()
    SECONDS.labels(form).observe(seconds)
