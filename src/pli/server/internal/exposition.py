"""The metrics of a server in the text formats of Prometheus and OpenMetrics."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate
from platform import python_version

from prometheus_client import CollectorRegistry, GCCollector, ProcessCollector
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from pli import __version__
from pli.server.context import Context
from pli.server.metrics import BOT, PERSON, Counter, Counts, Histogram


class Exposition:
    """All metrics of one server, and those of its process."""

    def __init__(self, context: Context) -> None:
        self._registry = CollectorRegistry(auto_describe=False)
        self._registry.register(ServerCollector(context))
        ProcessCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def encode(self, accept: str) -> tuple[bytes, str]:
        """In the format that the header `Accept` asks for, and its content type."""
        encoder, content_type = choose_encoder(accept)
        return encoder(self._registry), content_type


class ServerCollector(Collector):
    """Reads the metrics, and counts what is there now, when it is asked."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def collect(self) -> Iterator[Metric]:
        yield from self._present()
        yield from self._play()
        yield from self._clients()
        yield from self._journal()
        yield from self._cluster()

    def _present(self) -> Iterator[Metric]:
        context, lobby = self._context, self._context.lobby
        build = GaugeMetricFamily(
            "pli_build_info", "The version that runs.", labels=("version", "python")
        )
        build.add_metric((__version__, python_version()), 1)
        yield build
        yield _gauge("pli_stopping", "1 during a planned stop.", context.stopping)
        count = lobby.count()
        tables = GaugeMetricFamily("pli_tables", "Tables in memory, by state.", labels=("state",))
        for state, number in count.tables.items():
            tables.add_metric((state,), number)
        yield tables
        viewers = GaugeMetricFamily(
            "pli_viewers", "Pages at the tables in memory, by kind.", labels=("kind",)
        )
        viewers.add_metric(("seated",), count.seated)
        viewers.add_metric(("spectator",), count.spectators)
        yield viewers
        yield _gauge("pli_connections", "Open WebSockets.", len(context.connections))
        yield _gauge("pli_lab_runs", "Runs of the lab.", context.lab_running)
        yield _gauge("pli_sockets", "Open connections of any kind.", context.sockets.count)

    def _play(self) -> Iterator[Metric]:
        metrics = self._context.metrics
        actions = CounterMetricFamily(
            "pli_actions", "Actions that are durable.", labels=("game", "by")
        )
        for game, counts in metrics.actions.items():
            actions.add_metric((game, "person"), counts[PERSON])
            actions.add_metric((game, "bot"), counts[BOT])
        yield actions
        yield _histogram(
            "pli_durable_seconds",
            "From the start of a command to its entries being durable.",
            metrics.durable,
        )
        yield _histogram(
            "pli_told_seconds",
            "From the arrival of a player's action to all pages being told of it.",
            metrics.told,
        )
        yield _histograms(
            "pli_bot_thinking_seconds",
            "How long bots took to decide.",
            "level",
            metrics.thinking,
        )
        yield _histogram(
            "pli_event_loop_delay_seconds",
            "How late a timer of the event loop was.",
            metrics.loop_delay,
        )

    def _clients(self) -> Iterator[Metric]:
        metrics = self._context.metrics
        yield _histogram(
            "pli_allowance_seconds",
            "Round trips that are allowed for, at each pong of a connection.",
            metrics.allowance,
        )
        yield _counts("pli_refusals", "Refused actions of players.", "code", metrics.refusals)
        yield _counts("pli_problems", "Other errors told to clients.", "code", metrics.problems)
        yield _counts("pli_limits_met", "Limits that clients met.", "limit", metrics.limits)

    def _journal(self) -> Iterator[Metric]:
        context, metrics = self._context, self._context.metrics
        yield _gauge(
            "pli_journal_healthy",
            "1 if the last write to the journal succeeded.",
            context.journal.healthy,
        )
        yield _counts(
            "pli_unsaved", "Commands whose entries could not be saved.", "code", metrics.unsaved
        )
        yield _histogram(
            "pli_journal_batch_appends", "Appends in one flush of the journal.", metrics.batch
        )
        yield _histogram(
            "pli_journal_flush_seconds", "How long a flush of the journal took.", metrics.flush
        )

    def _cluster(self) -> Iterator[Metric]:
        metrics = self._context.metrics
        yield _counter(
            "pli_relays",
            "Connections that were relayed to a room on another server.",
            metrics.relays,
        )
        yield _counter(
            "pli_takeovers", "Tables taken over from a server that had died.", metrics.takeovers
        )
        yield _counter("pli_handovers", "Tables handed over at a planned stop.", metrics.handovers)


def _gauge(name: str, about: str, value: float) -> Metric:
    return GaugeMetricFamily(name, about, value=float(value))


def _counter(name: str, about: str, counter: Counter) -> Metric:
    return CounterMetricFamily(name, about, value=counter.value)


def _counts(name: str, about: str, label: str, counts: Counts) -> Metric:
    family = CounterMetricFamily(name, about, labels=(label,))
    for value, number in sorted(counts.values.items()):
        family.add_metric((value,), number)
    return family


def _histogram(name: str, about: str, histogram: Histogram) -> Metric:
    return HistogramMetricFamily(name, about, buckets=_buckets(histogram), sum_value=histogram.sum)


def _histograms(name: str, about: str, label: str, many: Mapping[str, Histogram]) -> Metric:
    family = HistogramMetricFamily(name, about, labels=(label,))
    for value, histogram in many.items():
        family.add_metric((value,), _buckets(histogram), histogram.sum)
    return family


def _buckets(histogram: Histogram) -> list[tuple[str, float]]:
    bounds: Iterable[str] = (*map(str, map(float, histogram.bounds)), "+Inf")
    return [*zip(bounds, accumulate(histogram.counts), strict=True)]
