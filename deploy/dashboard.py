#!/usr/bin/env python3
"""Writes dashboard.json for Grafana: python3 deploy/dashboard.py. The dashboard shows the metrics that alerts use, and those that explain them."""

import json
import pathlib

ROWS = [
    (
        "Health",
        [
            ("Engines", "none", {"up": 'sum(up{job="heliopause"})', "database reached": "sum(heliopause_database_available)"}),
            ("Incidents", "none", {"{{instance}}": "increase(heliopause_incidents_total[10m])"}),
            ("Failed commits", "none", {"{{instance}}": "increase(heliopause_journal_failed_commits_total[10m])"}),
            ("Clock offset from the database", "s", {"{{instance}}": "heliopause_clock_offset_seconds"}),
        ],
    ),
    (
        "Calls",
        [
            ("Calls per second by status", "reqps", {"{{code}}": "sum by (code) (rate(heliopause_requests_total[5m]))"}),
            ("Calls per second by method", "reqps", {"{{method}}": "topk(8, sum by (method) (rate(heliopause_requests_total[5m])))"}),
            (
                "Call latency",
                "s",
                {
                    "median": "histogram_quantile(0.5, sum by (le) (rate(heliopause_request_seconds_bucket[5m])))",
                    "99th percentile": "histogram_quantile(0.99, sum by (le) (rate(heliopause_request_seconds_bucket[5m])))",
                },
            ),
            ("Open streams", "none", {"{{instance}}": "heliopause_open_streams"}),
        ],
    ),
    (
        "Games",
        [
            ("Games in memory", "none", {"{{instance}}": "heliopause_live_games"}),
            ("Journal entries per second", "none", {"{{instance}}": "rate(heliopause_journal_entries_total[5m])"}),
            ("Commits per second", "none", {"{{instance}}": "rate(heliopause_journal_commits_total[5m])"}),
            ("Repeated appends per second", "none", {"{{why}}": "sum by (why) (rate(heliopause_appends_repeated_total[5m]))"}),
        ],
    ),
    (
        "Automation and limits",
        [
            (
                "Workers",
                "none",
                {"workers": "sum(heliopause_workers)", "leases": "sum(heliopause_leases)", "capacity": "sum(heliopause_worker_capacity)"},
            ),
            ("Connections (share of the limit)", "percentunit", {"{{instance}}": "heliopause_connections / heliopause_connection_limit"}),
            ("Memory", "bytes", {"{{instance}}": "process_resident_memory_bytes", "limit": "max(heliopause_memory_limit_bytes)"}),
        ],
    ),
]
SOURCE = {"type": "prometheus", "uid": "${source}"}


def panel(number, title, unit, queries, x, y, width):
    targets = [
        {"datasource": SOURCE, "expr": query, "legendFormat": legend, "refId": chr(ord("A") + index)}
        for index, (legend, query) in enumerate(queries.items())
    ]
    return {
        "id": number,
        "type": "timeseries",
        "title": title,
        "datasource": SOURCE,
        "targets": targets,
        "fieldConfig": {"defaults": {"unit": unit, "min": None if unit == "s" else 0}, "overrides": []},
        "gridPos": {"x": x, "y": y, "w": width, "h": 8},
    }


def dashboard():
    panels, y = [], 0
    for title, row in ROWS:
        panels.append({"id": len(panels) + 1, "type": "row", "title": title, "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}})
        width = 24 // len(row)
        for index, (name, unit, queries) in enumerate(row):
            panels.append(panel(len(panels) + 1, name, unit, queries, index * width, y + 1, width))
        y += 9
    source = {"name": "source", "type": "datasource", "query": "prometheus", "label": "Prometheus"}
    return {
        "title": "Heliopause",
        "uid": "heliopause",
        "schemaVersion": 39,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": [source]},
        "panels": panels,
    }


if __name__ == "__main__":
    path = pathlib.Path(__file__).with_name("dashboard.json")
    path.write_text(json.dumps(dashboard(), indent=1) + "\n")
