"""Edges of all projects in buckets, so that a level of a recursion reads what it needs."""

import uuid

from pyspark.errors import AnalysisException
from pyspark.sql import functions as F

from .tables import among

BUCKETS = 64
DIRECTIONS = {"by_target": ("target", "source"), "by_source": ("source", "target")}


class NotPrepared(Exception):
    """There are no edges of these exports in the folder."""


class Edges:
    """Uses, external names linked, twice: by what is used and by what uses it.

    A row of `by_target` says that `there` uses `here`; of `by_source`, that `here` uses `there`.
    Rows are partitioned by `pmod(here, buckets)` and sorted by `here` and project, so that what
    repeats is stored once. They are in a folder named after the exports that they were made from, so
    edges of other exports are never taken for theirs.
    `finished` is written last and names the folder that is complete: of writers at the same time,
    each has a folder of its own, and all readers take the same.
    """

    def __init__(self, tables, folder):
        self.tables = tables
        self.spark = tables.spark
        home = _home(tables, folder)
        try:
            finished = self.spark.read.parquet(f"{home}/finished").orderBy("run").first()
        except AnalysisException as error:
            # The second: a first writer is about to finish.
            if error.getCondition() not in ("PATH_NOT_FOUND", "UNABLE_TO_INFER_SCHEMA"):
                raise
            raise NotPrepared(f"`{folder}` has no edges of the newest exports in "
                              f"`{tables.folder}`") from None
        self.buckets = finished.buckets
        self.folder = f"{home}/{finished.run}"

    @classmethod
    def prepare(cls, tables, folder, buckets=BUCKETS):
        """Writes the edges, unless those of the same exports are there, whatever their number of
        buckets. Reads `use` once for each direction."""
        if buckets < 1:
            raise ValueError(f"`buckets` must be at least 1, got {buckets}")
        try:
            return cls(tables, folder)
        except NotPrepared:
            pass
        home, run = _home(tables, folder), uuid.uuid4().hex
        linked = tables.table("linked")
        for name, (here, there) in DIRECTIONS.items():
            rows = linked.select(
                F.col(here).alias("here"), F.col(there).alias("there"),
                F.col("kind").isin("call", "method_call", "implicit").alias("call"),
                "confidence", "valid_from", "valid_to", "project",
            ).distinct().withColumn("bucket", F.pmod("here", F.lit(buckets)).cast("int"))
            rows = rows.repartition(buckets, "bucket").sortWithinPartitions("bucket", "here", "project", "there")
            rows.write.option("compression", "zstd").partitionBy("bucket") \
                .parquet(f"{home}/{run}/{name}")
        finished = tables.spark.range(1).select(F.lit(run).alias("run"), F.lit(buckets).alias("buckets"))
        finished.coalesce(1).write.mode("append").parquet(f"{home}/finished")
        return cls(tables, folder)

    def rows(self, direction):
        """Edges of a direction, with the column `bucket`."""
        rows = self.spark.read.option("basePath", f"{self.folder}/{direction}") \
            .parquet(f"{self.folder}/{direction}")
        return rows.withColumn("bucket", F.col("bucket").cast("int"))

    def projects_with(self, targets):
        """Projects that use one of the symbols, at any time, be it under an external name."""
        link = among(self.tables.table("link"), "external", targets)
        targets = {*targets, *(row.symbol for row in link.select("symbol").distinct().collect())}
        rows = self.rows("by_target")
        rows = among(rows.where(F.col("bucket").isin(sorted({t % self.buckets for t in targets}))),
                     "here", targets)
        return [row.project for row in rows.select("project").distinct().collect()]


def _home(tables, folder):
    return f"{str(folder).rstrip('/')}/{tables.digest}"
