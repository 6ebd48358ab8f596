"""Parsers of a server's answers, metrics and log."""

import logging
from collections.abc import Iterable

import httpx
from prometheus_client.parser import text_string_to_metric_families

from illusion.web.telemetry import ThrottleFilter


def problem_code(answer: httpx.Response) -> tuple[int, str]:
    """The status and code of an error; it must be a whole problem document (RFC 9457) with a sentence."""
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    body = answer.json()
    assert body["status"] == answer.status_code
    assert body["detail"].endswith(".")
    return answer.status_code, body["code"]


def metric_samples(text: str) -> dict[tuple[str, ...], float]:
    """Each Prometheus sample under its name and the values of its labels, sorted by label."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def errors(records: Iterable[logging.LogRecord]) -> list[logging.LogRecord]:
    """The error lines of the log."""
    return [record for record in records if record.levelno >= logging.ERROR and ThrottleFilter().filter(record)]
