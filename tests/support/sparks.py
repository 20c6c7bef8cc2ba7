"""A Spark session that all tests of a process share, without output on the console.

Starting a session takes seconds, so all tests that need the session run in one worker.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOME = os.environ.get("JAVA_HOME")

#: The path of Java, found as Spark finds it.
JAVA = shutil.which(Path(HOME) / "bin" / "java" if HOME else "java")

#: The reason why a session cannot start; empty if it can.
MISSING = (
    "needs pyspark (pip install --group extended)"
    if find_spec("pyspark") is None
    else "needs Java (apt install default-jre-headless)"
    if JAVA is None
    else ""
)

#: The marks of all tests that need a session.
MARKS = [
    pytest.mark.spark,
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
    pytest.mark.xdist_group("spark"),
    # Spark 4.3 warns about pandas 3.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    # Spark 4.0 leaves sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

#: A test function.
Test = TypeVar("Test", bound=Callable[..., None])


def needed(test: Test) -> Test:
    for mark in MARKS:
        test = mark(test)
    return test


def require_arrow_udf() -> None:
    """Skip a test if Spark is too old for SQL functions, and for strings that are not UTF-8."""
    from pyspark.sql import functions

    if not hasattr(functions, "arrow_udf"):
        pytest.skip("Spark 4.0 supports pandas Series only")


SETTINGS = {
    # The jobs are short, so optimizing their code takes longer than running it.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.connect.grpc.binding.address": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@cache
def session(master: str = "local[2]", *, connect: bool = False) -> SparkSession:
    """Return the session, which stops when the process exits.

    With `connect`, it is that of a client of a Spark Connect server. A process has either sessions
    of clients or others.
    """
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = (
        SparkSession.builder.remote(master) if connect else SparkSession.builder.master(master)
    )
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    # Java writes to standard error before Spark can configure its logging.
    error = os.dup(2)
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 2)
        try:
            spark = builder.getOrCreate()
        finally:
            os.dup2(error, 2)
            os.close(error)
    atexit.register(spark.stop)
    return spark
