"""One session of Spark for all tests of a process, without a word on the console.

Starting one takes seconds, and so what needs it is marked to run in one worker.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOME = os.environ.get("JAVA_HOME")

#: As Spark looks for it.
JAVA = shutil.which(Path(HOME) / "bin" / "java" if HOME else "java")

#: Why there can be no session; empty if there can be one.
MISSING = (
    "needs pyspark (pip install '.[test-all]')"
    if find_spec("pyspark") is None
    else "needs Java (apt install default-jre-headless)"
    if JAVA is None
    else ""
)

#: What tests that need a session are marked with.
MARKS = [
    pytest.mark.spark,
    pytest.mark.skipif(bool(MISSING), reason=MISSING),
    pytest.mark.xdist_group("spark"),
    # Spark 4.3 says so of pandas 3, at whatever has to do with it.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    # Spark 4.0 leaves what it listens to for the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@cache
def session() -> SparkSession:
    """The session, which stops when the process ends."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    # Java writes to the standard error that it finds when it starts, before it can be told not to.
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
