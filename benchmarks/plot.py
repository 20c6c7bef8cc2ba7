"""Draw a chart of the results that a benchmark wrote with `--json`.

    python benchmarks/plot.py figures.json speed.svg

The chart has bars: nanoseconds per string, on a logarithmic scale, which all panels share. The file
name extension determines the format, such as `.svg` or `.png`.
"""

from __future__ import annotations

import argparse
import json
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure
from measure import Row, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

OURS = "#1b6ca8"
PEERS = "#b9c2cc"
INK = "#22282e"
#: The height of a bar and of a panel title, including the gap, in inches.
BAR = 0.24
TITLE = 0.34


def draw(data: dict[str, Any], titles: Sequence[str]) -> Figure:
    """Return the chart: a panel for each table of times, with the fastest row on top."""
    tables = [Table.from_json(table) for table in data["tables"] if table["unit"] == "ns"]
    if titles:
        tables = [table for table in tables if table.title in titles]
    if not tables:
        raise SystemExit("no table of times has one of these titles")
    bars = [len(table.rows) for table in tables]
    height = BAR * sum(bars) + TITLE * len(tables) + 0.5
    figure = Figure(figsize=(8, height), layout="constrained")
    panels = figure.subplots(len(tables), 1, sharex=True, squeeze=False, height_ratios=bars)[:, 0]
    for panel, table in zip(panels, tables, strict=True):
        draw_panel(panel, table)
    figures = [row.figure.median for table in tables for row in table.rows]
    panels[0].set_xscale("log")
    panels[0].xaxis.set_major_formatter("{x:,.0f}")
    # Bars on a logarithmic scale have no origin: they begin below the shortest time.
    panels[0].set_xlim(10 ** floor(log10(min(figures)) - 0.3), max(figures) * 4)
    figure.supxlabel(
        "nanoseconds per string, median, on a logarithmic scale (in brackets: relative to uriverse)"
        f"; shorter is better\n{conditions(data)}",
        fontsize=8,
        color=INK,
    )
    return figure


def draw_panel(panel: Axes, table: Table) -> None:
    """Draw one table."""
    ours = table.rows[0]
    rows = sorted(table.rows, key=lambda row: row.figure.median)
    widths = [row.figure.median for row in rows]
    panel.barh(
        [row.name for row in rows],
        widths,
        height=0.72,
        color=[OURS if row is ours else PEERS for row in rows],
    )
    for place, (row, width) in enumerate(zip(rows, widths, strict=True)):
        panel.annotate(
            label(row),
            (width, place),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=INK,
        )
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.set_title(table.title, loc="left", fontsize=10, fontweight="bold", color=INK)
    panel.tick_params(labelsize=8, colors=INK, length=0)
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="x", color="#e3e7eb", linewidth=0.6)
    panel.set_axisbelow(True)


def conditions(data: dict[str, Any]) -> str:
    """Return the line about the date, the versions and the system."""
    machine = data["machine"]
    names = ("python", "system", "date")
    return ", ".join([f"uriverse {machine['uriverse']}", *(machine[name] for name in names)])


def label(row: Row) -> str:
    """Return the label of a bar: the time, and its multiple of the time of uriverse."""
    figure = f"{row.figure.median:,.0f}"
    if row.ratio is not None:
        figure += f"  ({1 / row.ratio.median:.1f}\u00d7)"
    return figure


def main(command_line: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Draw the results of a benchmark.")
    parser.add_argument("figures", type=Path, help="the JSON file that a benchmark wrote")
    parser.add_argument("chart", type=Path, help="the file to write")
    parser.add_argument(
        "--table", action="append", default=[], help="the title of a table to draw (default: all)"
    )
    arguments = parser.parse_args(command_line)
    # Make the output reproducible.
    mpl.rcParams["svg.hashsalt"] = "uriverse"
    data = json.loads(arguments.figures.read_text())
    figure = draw(data, arguments.table)
    metadata = {"Date": None} if arguments.chart.suffix == ".svg" else None
    figure.savefig(arguments.chart, dpi=150, metadata=metadata)


if __name__ == "__main__":
    main()
