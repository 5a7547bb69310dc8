"""Opens exported tables: exactly the files that the newest export of each project lists."""

import hashlib
import json
import re

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from . import statements

NAMES = (
    "project revision symbol definition use occurrence place external public_path package "
    "dependency item_match metric"
).split()

# Longer lists of keys are joined, shorter ones are literals that Parquet's filters see.
LITERALS = 1000

CONFIG = {
    # A partition's value is text, also if it looks like a number.
    "spark.sql.sources.partitionColumnTypeInference.enabled": "false",
    # Lists of keys are pushed down as they are, not as their bounds: keys are hashes.
    "spark.sql.parquet.pushdown.inFilterThreshold": str(LITERALS),
    # Files are looked up by that many tasks at most; by default, by one task for each of them.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "16",
    "spark.sql.session.timeZone": "UTC",
}


class NoTables(Exception):
    """The folder has no exported tables, none of the projects, or a listing that is not one."""


def session(master=None, **config):
    """A Spark session with the settings that the questions expect."""
    builder = SparkSession.builder.appName("asof")
    if master:
        builder = builder.master(master)
    for key, value in {**CONFIG, **config}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


class Tables:
    """Views over the tables in a folder, one for each, as of the exports that are there now.

    Open it again to see newer exports. A session has one set of views: the one opened last.
    """

    def __init__(self, spark, folder, projects=None):
        self.spark = spark
        self.folder = str(folder).rstrip("/")
        for key, value in CONFIG.items():
            spark.conf.set(key, value)
        listing = self._listing(projects)
        self.projects = sorted({row.project for row in listing})
        # What the exports are, in a word: differs if any of them does.
        exports = sorted({(row.project, row.sequence, row.chain) for row in listing})
        self.digest = hashlib.blake2b(repr(exports).encode(), digest_size=8).hexdigest()
        self.bytes = {}
        for name in NAMES:
            rows = [row for row in listing if row.table == name]
            if not rows:
                raise NoTables(f"the exports in `{self.folder}` list no file of `{name}`")
            self.bytes[name] = sum(row.bytes for row in rows)
            reader = spark.read.option("basePath", f"{self.folder}/{name}")
            paths = sorted(f"{self.folder}/{row.path}" for row in rows)
            reader.parquet(*paths).createOrReplaceTempView(name)
        for statement in statements.split(statements.text("tables")):
            spark.sql(statement)
        # Small, made of many joins, and part of most questions. What a lost worker had is made again.
        spark.sql("CACHE LAZY TABLE link")

    def _listing(self, projects):
        reader = self.spark.read.option("basePath", f"{self.folder}/export")
        try:
            rows = reader.parquet(f"{self.folder}/export/*/[0-9]*.parquet")
        except AnalysisException as error:
            if error.getCondition() != "PATH_NOT_FOUND":
                raise
            raise NoTables(f"`{self.folder}` has no exported tables") from None
        if projects is not None:
            rows = rows.where(F.col("project").isin(list(projects)))
        newest = rows.groupBy("project").agg(F.max("sequence").alias("sequence"))
        listing = rows.join(newest, ["project", "sequence"]).collect()
        if not listing:
            raise NoTables(f"`{self.folder}` has no export of {projects}")
        for row in listing:
            # Anything else could lead out of the folder, or be a pattern that matches other files.
            own = rf"{re.escape(row.table)}/project=[A-Za-z0-9_.%-]+/[A-Za-z0-9_.-]+\.parquet"
            if row.table != "export" and not re.fullmatch(own, row.path):
                raise NoTables(f"an export of `{row.project}` lists `{row.path}`")
        return listing

    def sql(self, name, **values):
        """Rows of a statement in `sql/`, with its parameters bound."""
        return run(self.spark, name, **values)

    def table(self, name):
        """The rows of a table."""
        return self.spark.table(f"`{name}`")


def run(spark, name, **values):
    """Rows of a statement in `sql/`, with its parameters bound."""
    (statement,) = statements.split(statements.text(name))
    return spark.sql(statement, args=statements.bound(name, **values))


def rows_of(spark, keys):
    """Keys as rows with one column, `symbol`."""
    return run(spark, "keys", keys=json.dumps(sorted(keys)))


def among(rows, column, keys):
    """Rows whose column is one of the keys: by a literal list if it is short enough to be one."""
    if len(keys) <= LITERALS:
        return rows.where(F.col(column).isin(sorted(keys)))
    wanted = rows_of(rows.sparkSession, keys).withColumnRenamed("symbol", column)
    return rows.join(F.broadcast(wanted), column, "left_semi")
