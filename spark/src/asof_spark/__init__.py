"""Questions across tables that `asof export tables` wrote, answered by Apache Spark.

The questions are those of `queries/sql/`, with the same parameters and columns.
"""

from .edges import Edges, NotPrepared
from .levels import Answer, callees, callers, impact
from .questions import (
    adoption,
    collisions,
    item_history,
    unused_public,
    users_of_version_range,
    where_used,
)
from .tables import NoTables, Tables, session

__all__ = [
    "Answer",
    "Edges",
    "NoTables",
    "NotPrepared",
    "Tables",
    "adoption",
    "callees",
    "callers",
    "collisions",
    "impact",
    "item_history",
    "session",
    "unused_public",
    "users_of_version_range",
    "where_used",
]
