"""Compares exported tables, as DuckDB and Delta readers see them, with the answers of `asof`."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import deltalake
import duckdb
import pyarrow.parquet

import small

ASOF = os.environ["ASOF"]
SQL = os.path.join(os.path.dirname(__file__), "..", "..", "queries", "sql")
COMMITS = os.environ.get("ASOF_COMMITS", "200")
MOMENTS = int(os.environ.get("ASOF_MOMENTS", "10"))
ITEMS = 2
OPEN = 2**63 - 1
KINDS = (
    "call method_call value field pattern type bound path use macro attribute overrides mention"
).split()
compared = 0


def run(*args, **more):
    done = subprocess.run([ASOF, *args], capture_output=True, text=True, **more)
    if done.returncode:
        raise SystemExit(f"asof {' '.join(args)}: {done.stderr}")
    return done.stdout


def moment(at):
    """A time as `--at` reads it."""
    seconds, micros = divmod(at, 1_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{micros:06}Z"


def asked(root, at, name, **params):
    """Rows of a shipped query or, with a space in its name, of a script."""
    query = ["--name", name] if " " not in name else [name]
    for key, value in params.items():
        query += ["-p", f"{key}={json.dumps(value)}"]
    limits = ["--limit", "0", "--timeout", "300", "--memory", "4000"]
    out = run("query", *query, "--at", moment(at), "-C", root, "--no-refresh", "--format", "json", *limits)
    answer = json.loads(out)
    assert not answer["truncated"], name
    return [dict(zip(answer["headers"], row)) for row in answer["items"]]


def same(what, found, expected):
    global compared
    found, expected = sorted(map(repr, found)), sorted(map(repr, expected))
    if found != expected:
        missing = sorted(set(expected) - set(found))[:5]
        extra = sorted(set(found) - set(expected))[:5]
        raise SystemExit(f"{what}: {len(found)} rows, expected {len(expected)}\n missing {missing}\n extra {extra}")
    compared += len(found)


class Lake:
    """Tables, opened as a user opens them."""

    def __init__(self, folder, projects=None):
        self.db = duckdb.connect()
        self.set("tables", folder)
        if projects:
            self.db.execute(f"SET VARIABLE projects = {projects!r}")
        self.db.execute(open(os.path.join(SQL, "open.sql")).read())

    def set(self, name, value):
        self.db.execute(f'SET VARIABLE "{name}" = {value!r}')

    def sql(self, text):
        return self.db.execute(text).fetchall()

    def ask(self, name, **params):
        text = open(os.path.join(SQL, f"{name}.sql")).read()
        for key, value in params.items():
            assert f"-- @param  {key}:" in text, f"{name}: {key}"
            self.set(key, value)
        answer = self.db.execute(text)
        header = [c.split(":")[0].strip() for line in text.splitlines() if line.startswith("-- @column")
                  for c in line.removeprefix("-- @column").split(",")]
        assert header == [c[0] for c in answer.description], f"{name}: {header}"
        return answer.fetchall()


def index(root):
    run("index", root, "--history", "--max", COMMITS, "-q")


def export(root, folder, *more):
    return json.loads(run("export", "tables", "--out", folder, "-C", root, "--no-refresh", "--format", "json", *more))


def answers(root, project, lake):
    """Every question at moments over the whole history."""
    times = [at for (at,) in lake.sql('SELECT "at" FROM revision ORDER BY 1')]
    picked = sorted({times[i * (len(times) - 1) // max(1, MOMENTS - 1)] for i in range(MOMENTS)})
    ids = dict(lake.sql("SELECT symbol, id FROM symbol WHERE id IS NOT NULL"))
    texts = dict(lake.sql("SELECT symbol, text FROM external"))
    for at in picked:
        label = f"{project} at {at}"
        held = f"valid_from <= {at} AND {at} < valid_to"
        columns = "path kind id visibility signature cfg tracking_hash file start_byte end_byte start end line".split()
        lines = map(json.loads, run("export", "--what", "defs", "--at", moment(at), "-C", root, "--no-refresh").splitlines())
        expected = [tuple(line[c] for c in columns) for line in lines]
        exported = {row[2] for row in expected}
        rows = lake.sql(f"""SELECT d.path, d.kind, d.symbol, d.visibility, d.signature, d.cfg, d.tracking_hash,
            p.file_path, p.start_byte, p.end_byte, p.start_line, p.end_line, p.name_line
            FROM definition d JOIN place p USING (symbol) WHERE d.valid_from <= {at} AND {at} < d.valid_to AND p.valid_from <= {at} AND {at} < p.valid_to""")
        rows = [(*row[:2], ids[row[2]], *row[3:]) for row in rows]
        same(f"definitions of {label}", [row for row in rows if row[2] in exported], expected)
        targets = lake.sql(f"""SELECT d.path, d.symbol FROM definition d JOIN "use" u ON u.target = d.symbol
            WHERE d.valid_from <= {at} AND {at} < d.valid_to AND u.valid_from <= {at} AND {at} < u.valid_to
            AND d.path IS NOT NULL GROUP BY ALL ORDER BY count(*) DESC, d.path LIMIT {ITEMS}""")
        for path, _ in targets:
            seeds = [ids[s] for (s,) in lake.sql(
                f"SELECT DISTINCT symbol FROM definition WHERE path = '{path}' AND {held}")]
            rows = lake.ask("where_used", path=path, at=at)
            rows = [(ids[r[1]], ids[r[2]], *r[3:]) for r in rows]
            expected = asked(root, at, "edges/where_used", targets=seeds, kinds=KINDS)
            same(f"where_used {path} of {label}", rows, [
                (e["target"], e["source"], e["path"], e["use_kind"], e["provenance"], e["confidence"],
                 e["file_path"], e["line"], e["column"], e["start_byte"]) for e in expected])
            for name, query, kinds in [
                ("callers", "edges/downstream", ["call", "method_call"]),
                ("callees", "edges/upstream", ["call", "method_call"]),
                ("impact", "edges/downstream", KINDS),
            ]:
                rows = lake.ask(name, path=path, at=at, depth=64, min_confidence=0.5)
                expected = asked(root, at, query, seeds=seeds, kinds=kinds, min_confidence=0.5, depth=64)
                known = {v: k for k, v in ids.items()}
                same(f"{name} {path} of {label}", {(ids.get(r[0], r[3]), r[1]) for r in rows},
                     {(e["id"] if e["id"] in known else text_of(root, at, e["id"]), e["depth"]) for e in expected})
        roots = [r["root_id"] for r in asked(root, at, "resolve/crates") if r["target_kind"] in ("lib", "proc_macro")]
        public = asked(root, at, "inspect/api", roots=roots) if roots else []
        used = asked(root, at, "?[target] := user[target, source, kind, confidence, _f], source != target, "
                     "confidence >= 0.5, kind != 'use'")
        used = {row["target"] for row in used}
        expected = {p["id"] for p in public if p["id"] and p["id"] not in used and p["kind"] != "module" and not p["hidden"]}
        rows = lake.ask("unused_public", at=at, min_confidence=0.5)
        same(f"unused_public of {label}", [ids[r[2]] for r in rows], expected)
    # An item over time, and the users of an API.
    for path, symbol in targets:
        rows = [r for r in lake.ask("item_history", path=path) if r[1] == symbol]
        for at in picked:
            expected = asked(root, at, f"?[tracking_hash] := *node{{id: to_uuid('{ids[symbol]}'), tracking_hash}}")
            found = {r[5] for r in rows if r[6] <= at < r[7]}
            same(f"item_history {path} of {project} at {at}", found, {e["tracking_hash"] for e in expected})
    for (path,) in lake.sql("SELECT text FROM external e JOIN \"use\" u ON u.target = e.symbol WHERE known "
                            "GROUP BY text ORDER BY count(*) DESC, text LIMIT 2"):
        step = max(1, (picked[-1] - picked[0]) // 5)
        for at, _, users, places in lake.ask("adoption", path=path, first=picked[0], last=picked[-1], step=step):
            expected = asked(root, at, "?[s, t, k, n] := use[s, t, k, _p, _c, n], *external_symbol{id: t, text}, "
                             f"(text == '{path}' || starts_with(text, '{path}::'))")
            same(f"adoption of {path} in {project} at {at}", [(users, places)],
                 [(len({e["s"] for e in expected}), sum(e["n"] for e in expected))])


NAMES = {}


def text_of(root, at, id):
    if (root, id) not in NAMES:
        rows = asked(root, at, "?[id, text] := *external_symbol{id, text}")
        NAMES.update({(root, row["id"]): row["text"] for row in rows})
    return NAMES[root, id]


def locked_versions(root, project, lake):
    """Versions in a range, compared with the lock files that Git has."""
    dependency = lake.sql("SELECT dependency FROM dependency WHERE version IS NOT NULL "
                          "GROUP BY 1 ORDER BY count(DISTINCT version) DESC, 1 LIMIT 1")
    if not dependency:
        return
    (name,), = dependency
    expected = set()
    commits = lake.sql('SELECT "at", commit FROM revision WHERE commit IS NOT NULL ORDER BY 1')
    rows = lake.ask("users_of_version_range", package=name, from_version="0", before_version="9999")
    for at, commit in commits:
        text = subprocess.run(["git", "show", f"{commit}:Cargo.lock"], cwd=root, capture_output=True, text=True).stdout
        packages = tomllib.loads(text).get("package", [])
        versions = {p["version"] for p in packages if p["name"] == name}
        found = {r[2] for r in rows if r[3] <= at < r[4]}
        assert found <= versions, f"{name} in {project} at {at}: {found}, locked {versions}"
        if len(versions) == 1 and found:
            expected.add((at, *versions))
    assert expected, f"no locked version of {name} in {project}"


def delta_readers(folder, lake):
    """Every table, as a Delta reader sees it."""
    for (table,) in lake.sql('SELECT DISTINCT "table" FROM export ORDER BY 1'):
        if table == "export":
            continue
        delta = deltalake.DeltaTable(os.path.join(folder, table))
        assert delta.protocol().min_reader_version == 1 and delta.protocol().min_writer_version == 2
        rows = duckdb.from_arrow(delta.to_pyarrow_dataset().to_table()).order("ALL").fetchall()
        names = ", ".join(f'"{field.name}"' for field in delta.schema().fields)
        same(f"Delta table {table}", rows, lake.sql(f'SELECT {names} FROM "{table}"'))
        for uri in delta.file_uris()[:3]:
            pyarrow.parquet.read_table(uri.removeprefix("file://"), partitioning=None)


def races(root, folder):
    """Writers of one project and of another race, while a reader sees old or new, never half."""
    other = os.path.join(os.path.dirname(root), "other")
    for place in (root, other):
        os.makedirs(os.path.join(place, "src"), exist_ok=True)
        with open(os.path.join(place, "Cargo.toml"), "w") as out:
            out.write(small.manifest(os.path.basename(place), "0.1.0"))
    seen, failures, stop = [], [], threading.Event()

    def write(place, n):
        text = "".join(f"pub fn f{i}() {{ f{(i * n) % 20}(); }}\n" for i in range(20 + n))
        with open(os.path.join(place, "src", "lib.rs"), "w") as out:
            out.write(text)
        run("index", place, "-q")

    def read():
        while not stop.is_set():
            try:
                lake = Lake(folder)
                newest = dict(lake.sql("SELECT project, newest FROM project"))
                rows = lake.sql(f'SELECT project, target, source FROM "use" WHERE valid_to = {OPEN}')
                defs = lake.sql(f"SELECT project, symbol FROM definition WHERE valid_to = {OPEN}")
                seen.append((newest, rows, defs))
            except duckdb.Error as error:
                failures.append(str(error))
                return

    def both(n):
        command = [ASOF, "export", "tables", "--out", folder, "--delta", "--no-refresh", "-q", "-C"]
        started = [subprocess.Popen([*command, place], stderr=subprocess.PIPE, text=True)
                   for place in (root, root, other)]
        results = [(p.communicate()[1], p.returncode) for p in started]
        assert results[2][1] == 0, results
        assert 0 in (results[0][1], results[1][1]), results
        for text, code in results[:2]:
            assert code == 0 or "finished first" in text, results
        return sum(code != 0 for _, code in results[:2])

    lost = 0
    for place in (root, other):
        write(place, 1)
    lost += both(1)
    reader = threading.Thread(target=read)
    reader.start()
    for n in range(2, 9):
        for place in (root, other):
            write(place, n)
        lost += both(n)
    stop.set()
    reader.join()
    assert not failures, failures
    lake = Lake(folder)
    states = set()
    for newest, rows, defs in seen:
        for project, at in newest.items():
            held = f"project = '{project}' AND valid_from <= {at} AND {at} < valid_to"
            states.add((project, at))
            same(f"uses that a reader saw of {project} at {at}", [r for r in rows if r[0] == project],
                 lake.sql(f'SELECT project, target, source FROM "use" WHERE {held}'))
            same(f"definitions that a reader saw of {project} at {at}", [r for r in defs if r[0] == project],
                 lake.sql(f"SELECT project, symbol FROM definition WHERE {held}"))
    delta_readers(folder, lake)
    print(f"races: {len(seen)} reads saw {len(states)} states; {lost} of 16 racing exports were refused")


def main():
    with tempfile.TemporaryDirectory() as work:
        roots = []
        for given in sys.argv[1:]:
            root = os.path.join(work, str(len(roots)), os.path.basename(os.path.abspath(given)))
            subprocess.run(["git", "clone", "-q", "--shared", given, root], check=True)
            roots.append(root)
        made = small.make(os.path.join(work, "made"))
        folder = os.path.join(work, "tables")
        projects = {}
        for root in made + roots:
            index(root)
            report = export(root, folder, "--delta")
            projects[report["project"]] = root
            again = export(root, folder)
            assert again["unchanged"] and again["new_bytes"] == 0, again
            uses = next(t for t in report["tables"] if t["table"] == "use")
            print(f"{report['project']}: {report['rows']} rows, {report['bytes']} bytes, "
                  f"{uses['bytes'] / max(1, uses['rows']):.1f} bytes a use, {report['ms']:.0f} ms")
        lake = Lake(folder)
        delta_readers(folder, lake)
        assert lake.ask("collisions") == []
        for project, root in projects.items():
            one = Lake(folder, [project])
            answers(root, project, one)
            locked_versions(root, project, one)
        # Across projects: `user` calls what `retry` defines, under its public path.
        at, = lake.sql("SELECT max(newest) FROM project WHERE project IN ('user', 'retry')")[0]
        found = {(r[0], r[3]) for r in lake.ask("where_used", path="retry::delay::next_delay", at=at)}
        assert {("user", "user::wait"), ("retry", "retry::twice")} <= found, found
        found = {(r[2], r[3]) for r in lake.ask("callers", path="retry::delay::next_delay", at=at, depth=9, min_confidence=0.0)}
        assert ("user", "user::main") in found, found
        unused = {r[4] for r in lake.ask("unused_public", at=at, min_confidence=0.0) if r[0] == "retry"}
        assert "retry::delay::nobody" in unused and "retry::next_delay" not in unused, unused
        races(os.path.join(work, "race"), os.path.join(work, "raced"))
    print(f"{compared} rows compared")


if __name__ == "__main__":
    main()
