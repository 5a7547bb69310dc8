"""`asof-spark`: one question, its answer as JSON lines."""

import argparse
import json
import sys

from . import levels, questions, statements
from .edges import BUCKETS, Edges, NotPrepared
from .tables import NoTables, Tables, session

DEEP = ("callers", "callees", "impact")
OTHER = ("where_used", "unused_public", "users_of_version_range", "item_history", "adoption",
         "collisions")


def parser():
    """The command line: a command for each question, its parameters from the header in `sql/`."""
    top = argparse.ArgumentParser(prog="asof-spark", description=__doc__)
    commands = top.add_subparsers(dest="question", required=True, metavar="QUESTION")
    prepare = commands.add_parser("prepare", help="write edges in buckets, for deep questions")
    prepare.add_argument("--buckets", type=int, default=BUCKETS,
                         help="the same for all exports of a folder (default: %(default)s)")
    for name in DEEP + OTHER:
        command = commands.add_parser(name, help=statements.doc(name))
        for param, kind in statements.parameters(name).items():
            command.add_argument(f"--{param.replace('_', '-')}", dest=param, type=kind, required=True)
    for name, command in commands.choices.items():
        command.add_argument("--tables", required=True, help="folder that `asof export tables` wrote")
        command.add_argument("--project", action="append", help="only this project; may be repeated")
        command.add_argument("--master", help="of the cluster, such as spark://host:7077")
        command.add_argument("--edges", required=name == "prepare", help="folder of prepared edges")
        if name in DEEP:
            command.add_argument("--work", help="folder for levels, that all workers write to")
            command.add_argument("--levels", action="store_true", help="say on standard error what each took")
    return top


def ask(spark, given):
    """Rows of the question."""
    tables = Tables(spark, given.tables, given.project)
    if given.question == "prepare":
        edges = Edges.prepare(tables, given.edges, given.buckets)
        print(f"edges of {len(tables.projects)} projects in {edges.buckets} buckets: {edges.folder}",
              file=sys.stderr)
        return []
    values = {param: getattr(given, param) for param in statements.parameters(given.question)}
    edges = Edges(tables, given.edges) if given.edges else None
    if given.question not in DEEP:
        if given.question == "where_used":
            values["edges"] = edges
        return getattr(questions, given.question)(tables, **values).collect()
    answer = getattr(levels, given.question)(tables, **values, edges=edges, work=given.work)
    rows = answer.rows.collect()
    if given.levels:
        for level in answer.levels:
            print(json.dumps(level), file=sys.stderr)
    answer.discard()
    return rows


def main(arguments=None):
    """The program."""
    given = parser().parse_args(arguments)
    spark = session(given.master)
    try:
        for row in ask(spark, given):
            print(json.dumps(row.asDict(), ensure_ascii=False))
    except NoTables as error:
        sys.exit(f"error: {error}")
    except NotPrepared as error:
        sys.exit(f"error: {error}\nhint: `asof-spark prepare` writes edges; pass `--edges` and `--work`")
    except ValueError as error:
        sys.exit(f"error: {error}")
    finally:
        spark.stop()
