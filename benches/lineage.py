#!/usr/bin/env python3
"""Asks `asof lineage` the fixed questions of a reference, for its `score.py lineage`.
usage: lineage.py ASOF PATH TRUTH_DIR [MIN_CONFIDENCE] > lineage.jsonl"""
import csv, json, subprocess, sys

asof, path, truth = sys.argv[1:4]
least = sys.argv[4] if len(sys.argv) > 4 else "0.5"
run = lambda *args: subprocess.run(
    [asof, "--root", path, "--no-refresh", "--format", "json", *args], capture_output=True, text=True
).stdout
for row in csv.DictReader(open(f"{truth}/lineage_queries.tsv"), delimiter="\t"):
    found = json.loads(run("resolve", row["path"], "--file", row["file"]) or '{"items": []}')
    ids = [i["id"] for i in found["items"] if i["line"] == int(row["name_line"])]
    result = []
    for one in ids[:1]:
        args = ["lineage", row["path"], "--file", row["file"], "--id", one]
        args += ["--direction", row["direction"], "--min-confidence", least, "--limit", "0"]
        answer = json.loads(run(*args) or '{"items": []}')
        result = [
            [i["file_path"], i["line"], i["item"]["name"]]
            for i in answer["items"]
            if not i["external"] and i["item"]["kind"] in ("function", "method")
        ]
    line = {"def_id": int(row["def_id"]), "direction": row["direction"], "depth": 0, "result": result}
    print(json.dumps(line))
