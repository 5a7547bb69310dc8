"""Questions that need no deep recursion. Each returns rows as its header in `sql/` says."""

import json

from .tables import among


def where_used(tables, path, at, edges=None):
    """Every place where an item is used, in any project.

    `edges` (see `Edges.prepare`) say which projects have such uses; only their files are read then.
    """
    targets = [row.symbol for row in tables.sql("targets", path=path, at=at).collect()]
    used = among(tables.table("occurrence"), "target", targets)
    if edges is not None:
        used = used.where(used.project.isin(edges.projects_with(targets)))
    used.createOrReplaceTempView("used")
    return tables.sql("where_used", path=path, at=at)


def unused_public(tables, at, min_confidence):
    """Items that other crates could name, and that nothing in any project uses."""
    return tables.sql("unused_public", at=at, min_confidence=min_confidence)


def users_of_version_range(tables, package, from_version, before_version):
    """Who was built with a package in a range of versions, and when."""
    return tables.sql("users_of_version_range", package=package, from_version=from_version,
                      before_version=before_version)


def item_history(tables, path):
    """Versions of an item, what it was before it was moved or renamed included."""
    definition = tables.table("definition")
    start = definition.where(definition.path == path).select("project", "symbol").distinct()
    known = frontier = {tuple(row) for row in start.collect()}
    while frontier:
        rows = tables.sql("was", items=_json(frontier)).collect()
        frontier = {tuple(row) for row in rows} - known
        known = known | frontier
    return tables.sql("item_history", items=_json(known))


def adoption(tables, path, first, last, step):
    """How many items and projects use an API at moments in time."""
    targets = [row.symbol for row in tables.sql("targets_below", path=path).collect()]
    among(tables.table("use"), "target", targets).createOrReplaceTempView("used")
    return tables.sql("adoption", path=path, first=first, last=last, step=step)


def collisions(tables):
    """Keys that two different symbols have."""
    return tables.sql("collisions")


def _json(items):
    return json.dumps([{"project": project, "symbol": symbol} for project, symbol in sorted(items)])

