#!/usr/bin/env python3
"""Load on `asof serve`: clients that read and edit while files change.

    python3 benches/load.py ASOF WORKSPACE [--seconds 60] [--clients 16]

WORKSPACE is copied first; nothing is written to it. Prints requests, errors, percentiles of the
latency of each kind of request, and the memory of the server at the beginning and the end.
"""

import argparse
import collections
import http.client
import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.parse


class Server:
    def __init__(self, program, root):
        self.root = root
        command = [program, "-C", str(root), "serve", "--port", "0", "--allow-edits"]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if "listening on http://" in line:
                address = line.split("http://")[1].split(";")[0].strip()
                self.host, self.port = address.rsplit(":", 1)
                break
        else:
            raise SystemExit("the server does not listen")
        threading.Thread(target=lambda: collections.deque(self.process.stderr, 0), daemon=True).start()
        self.token = (root / ".asof/http-token").read_text().strip()

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024


class Client:
    def __init__(self, server, times, errors):
        self.server, self.times, self.errors = server, times, errors
        self.connection = http.client.HTTPConnection(server.host, int(server.port), timeout=90)

    def ask(self, kind, target, body=None, expected=(200,)):
        headers = {"Authorization": f"Bearer {self.server.token}"}
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body)
        begin = time.perf_counter()
        try:
            self.connection.request("POST" if body is not None else "GET", target, data, headers)
            response = self.connection.getresponse()
            text = response.read()
        except OSError as error:
            self.errors.append((kind, target, repr(error)))
            self.connection.close()
            return None
        self.times[kind].append(time.perf_counter() - begin)
        if response.status not in expected:
            self.errors.append((kind, target, f"{response.status} {text[:300]!r}"))
            return None
        return json.loads(text) if response.status == 200 else {"status": response.status}


def functions(server):
    """Paths of functions, to ask about."""
    client = Client(server, collections.defaultdict(list), [])
    script = "?[path] := *node{kind: 'function', path}, path != null :order path :limit 2000"
    rows = client.ask("paths", "/api/query", {"script": {"text": script}})
    return [row[0] for row in rows["items"]]


def read(client, paths, rng):
    path = urllib.parse.quote(rng.choice(paths))
    kind, target = rng.choice([
        ("resolve", f"/api/resolve?path={path}"),
        ("show", f"/api/show?paths={path}&all=true"),
        ("refs", f"/api/refs?path={path}&all=true"),
        ("callers", f"/api/callers?path={path}&all=true&depth=2"),
        ("impact", f"/api/impact?path={path}&all=true"),
        ("outline", "/api/outline?path=crate"),
        ("history", f"/api/history?path={path}"),
        ("log", "/api/log"),
        ("search", "/api/search?query=parse+the+options"),
    ])
    # Another client's edit may be under way: then the item is gone or there twice for a moment.
    client.ask(kind, target, expected=(200, 404, 409))


def edit(client, name, rng):
    """Plans, applies and undoes a new function in a file of its own."""
    code = f"pub fn load_{rng.randrange(1 << 30)}() {{}}\n"
    edits = [{"mode": "create_file", "file_path": f"load_{name}.rs", "code": code}]
    plan = client.ask("plan", "/api/edit/plan", {"edits": edits})
    if plan is None:
        return
    proposal = {"proposal_id": plan["proposal_id"]}
    if client.ask("apply", "/api/edit/apply", proposal) is not None:
        client.ask("undo", "/api/edit/undo", proposal)


def work(server, number, paths, end, times, errors):
    rng, client = random.Random(number), Client(server, times, errors)
    while time.monotonic() < end:
        # One request in fifty of the first clients is an edit.
        if number < 4 and rng.random() < 0.02:
            edit(client, number, rng)
        else:
            read(client, paths, rng)


def change(server, end):
    """Saves files, as an editor does: the server indexes them beside the requests."""
    files = sorted(server.root.rglob("*.rs"))
    rng = random.Random(1)
    while time.monotonic() < end:
        file = rng.choice(files)
        text = file.read_bytes()
        file.write_bytes(text + b"\nfn saved() {}\n")
        time.sleep(0.7)
        file.write_bytes(text)
        time.sleep(0.7)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("workspace", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--clients", type=int, default=16)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "workspace"
        shutil.copytree(options.workspace, root, ignore=shutil.ignore_patterns(".asof", "target"))
        server = Server(str(pathlib.Path(options.program).absolute()), root)
        paths = functions(server)
        times, errors = collections.defaultdict(list), []
        memory = [server.memory()]
        end = time.monotonic() + options.seconds
        threads = [
            threading.Thread(target=work, args=(server, number, paths, end, times, errors))
            for number in range(options.clients)
        ]
        threads.append(threading.Thread(target=change, args=(server, end)))
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            time.sleep(min(10, options.seconds / 4))
            memory.append(server.memory())
        server.process.terminate()
        code = server.process.wait(timeout=30)
    total = sorted(took for kind in times.values() for took in kind)
    print(f"{len(total)} requests, {len(total) / options.seconds:.0f}/s, {len(errors)} errors")
    for kind, took in sorted([*times.items(), ("all", total)]):
        took = sorted(took)
        at = lambda share: took[min(len(took) - 1, int(len(took) * share))] * 1e3
        print(f"{kind:8} {len(took):6}  p50 {at(.5):7.1f} ms  p99 {at(.99):7.1f} ms  max {took[-1] * 1e3:7.1f} ms")
    print("memory (MB): " + ", ".join(f"{size:.0f}" for size in memory))
    print(f"exit code {code}")
    for error in errors[:10]:
        print("error:", *error)


main()
