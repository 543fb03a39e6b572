"""The rules for alerts: Prometheus reads them, and they are about metrics that a server exports."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.core import Metric

from pli.server.internal.exposition import ServerCollector
from pli.server.limits import Limits
from pli.texts import words
from tests.deploy.proxies import DEPLOY
from tests.server.client import running

PROMTOOL = shutil.which(os.environ.get("PLI_PROMTOOL", "promtool"))

RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]


@pytest.mark.skipif(PROMTOOL is None, reason="promtool is not installed")
@pytest.mark.parametrize(("kind", "file"), [("rules", "alerts.yml"), ("config", "prometheus.yml")])
def test_prometheus_can_read_it(kind: str, file: str) -> None:
    command = [str(PROMTOOL), "check", kind, str(DEPLOY / file)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def exported(metric: Metric) -> set[str]:
    """The names of its samples."""
    if metric.type == "counter":
        return {f"{metric.name}_total"}
    if metric.type == "histogram":
        return {f"{metric.name}_{end}" for end in ("bucket", "count", "sum")}
    return {metric.name}


async def test_rules_are_about_metrics_that_there_are(tmp_path: Path) -> None:
    known: set[str] = set()
    async with running(tmp_path) as server:
        for metric in ServerCollector(server.context).collect():
            known |= exported(metric)
    named = {name for rule in RULES for name in re.findall(r"\bpli_\w+", rule["expr"])}
    assert len(named) >= 7
    assert named <= known


def test_rules_are_about_codes_and_limits_that_there_are() -> None:
    texts = " ".join(rule["expr"] for rule in RULES)
    codes = re.findall(r'code="(\w+)"', texts)
    assert codes
    assert all(f"errors.{code}" in words("en") for code in codes)
    limits = [each for some in re.findall(r'limit=~"([\w|]+)"', texts) for each in some.split("|")]
    assert limits
    assert {*limits} <= {*Limits.__struct_fields__, "descriptors"}
