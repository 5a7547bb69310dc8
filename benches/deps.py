#!/usr/bin/env python3
"""Whether what `asof deps --unused` calls certain can be removed, and what a search for names says.

    benches/deps.py ASOF WORKSPACE... [--check] [--json FILE]

ASOF is the program, each WORKSPACE a clean checkout with a lock file. With `--check`, `cargo check
--workspace --all-targets` has to pass, then `asof deps --fix` edits the manifests, and it has to pass
again; the checkout is as before afterwards. The search for names is what cargo-machete does: an entry is
unused if its key, `-` as `_`, is no word of a Rust file below the manifest's folder that stands before
`::`, in a `use` or behind `extern crate`.
"""

import argparse
import json
import pathlib
import re
import subprocess


def ask(asof, root, *arguments):
    command = [asof, "deps", *arguments, "--limit", "0", "--format", "json"]
    return json.loads(subprocess.run(command, cwd=root, check=True, capture_output=True).stdout)


def by_name(root, entries):
    """Entries whose name no file of their package has."""
    texts = {}
    for entry in entries:
        folder = (root / entry["manifest_path"]).parent
        if folder not in texts:
            files = [path for path in folder.rglob("*.rs") if "target" not in path.parts]
            texts[folder] = "\n".join(path.read_text(errors="replace") for path in files)
        name = re.escape(entry["key"].replace("-", "_"))
        uses = rf"\b{name}\s*::|\buse\s+(::)?{name}\b|extern\s+crate\s+{name}\b"
        if entry["table"] != "workspace" and not re.search(uses, texts[folder]):
            yield entry


def name(entry):
    return f"{entry['manifest_path']} {entry['table']} {entry['key']}"


def check(root):
    """Errors of `cargo check`."""
    command = ["cargo", "check", "--workspace", "--all-targets", "--quiet", "--message-format=short"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace")
    return [] if done.returncode == 0 else [line for line in done.stderr.split("\n") if "error" in line]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("asof")
    parser.add_argument("workspaces", nargs="+")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--json")
    options = parser.parse_args()
    asof = str(pathlib.Path(options.asof).resolve())
    rows = []
    for workspace in options.workspaces:
        root = pathlib.Path(workspace).resolve()
        found = ask(asof, root)["items"]
        certain = {name(one): one["finding"] for one in found if one["certain"]}
        uncertain = {name(one): one["doubt"] for one in found if one.get("finding") and not one["certain"]}
        unused = {key for key, finding in certain.items() if finding == "unused"}
        searched = {name(one) for one in by_name(root, found)}
        row = {
            "workspace": root.name, "entries": len(found), "certain": certain, "uncertain": uncertain,
            "search": sorted(searched), "only_here": sorted(unused - searched),
            "only_search": sorted(searched - unused),
        }
        if options.check:
            row["before"] = check(root)
            if not row["before"]:
                subprocess.run([asof, "deps", "--fix"], cwd=root, check=True, capture_output=True)
                row["after"] = check(root)
                subprocess.run(["git", "checkout", "--quiet", "."], cwd=root, check=True)
        rows.append(row)
        built = {None: "", 0: "builds"}.get(len(row["after"]) if "after" in row else None, "DOES NOT BUILD")
        print(f"{root.name}: {len(found)} entries, {len(certain)} certain ({len(unused)} unused), "
              f"{len(uncertain)} uncertain; search: {len(searched)} {built}")
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
