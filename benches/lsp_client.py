"""A language server as a process: started, asked, and its edits applied to texts in memory."""

import json
import os
import subprocess
import threading
import time
from urllib.parse import unquote, urlparse


class Client:
    """A process and what it says. Answers that come in the meantime wait until they are asked for."""

    def __init__(self, command, root, capabilities, options, env=None):
        self.root, self.begin, self.number = root, time.monotonic(), 0
        self.answers, self.came = {}, threading.Condition()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, cwd=root, env={**os.environ, **(env or {})},
            stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL,
        )
        self.sending = threading.Lock()
        threading.Thread(target=self.listen, daemon=True).start()
        answer = self.ask("initialize", {
            "processId": os.getpid(),
            "rootUri": root.as_uri(),
            "workspaceFolders": [{"uri": root.as_uri(), "name": root.name}],
            "capabilities": {"general": {"positionEncodings": ["utf-8"]}, **capabilities},
            "initializationOptions": options,
        })
        if "error" in answer:
            raise OSError(f"{command}: {answer['error']['message']}")
        self.tell("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.sending:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.process.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def listen(self):
        stream = self.process.stdout
        while head := stream.readline():
            length = None
            while head.strip():
                if head.lower().startswith(b"content-length:"):
                    length = int(head.split(b":")[1])
                head = stream.readline()
            message = json.loads(stream.read(length))
            if "method" in message and "id" in message:
                self.send({"id": message["id"], "result": None})
            elif "method" in message:
                self.told(message["method"], message["params"])
            elif "id" in message:
                with self.came:
                    self.answers[message["id"]] = message
                    self.came.notify_all()

    def told(self, method, params):
        """A notification of the server."""

    def ask(self, method, params, limit=300):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": params})
        with self.came:
            if not self.came.wait_for(lambda: number in self.answers, limit):
                return {"error": {"message": "no answer in time"}}
            return self.answers.pop(number)

    def memory(self, what):
        """In MB; `what` is a line of the status of the process, as `VmRSS` or `VmHWM`."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith(what))

    def stop(self):
        self.ask("shutdown", None, 20)
        self.tell("exit", None)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Server(Client):
    """rust-analyzer, or what has its options, asked for renames."""

    def __init__(self, program, root, target, features):
        self.quiet = threading.Event()
        edits = {"documentChanges": True, "resourceOperations": ["create", "rename", "delete"]}
        capabilities = {
            "workspace": {"workspaceEdit": edits},
            "textDocument": {"rename": {"prepareSupport": False}},
            "experimental": {"serverStatusNotification": True},
        }
        cargo = {"features": features, "allTargets": True}
        options = {"cargo": cargo, "checkOnSave": False}
        super().__init__([program], root, capabilities, options, {"CARGO_TARGET_DIR": str(target)})

    def told(self, method, params):
        if method == "experimental/serverStatus":
            self.quiet.set() if params["quiescent"] else self.quiet.clear()

    def rename(self, file, text, at, new):
        """A WorkspaceEdit, or why there is none."""
        self.quiet.wait(600)
        line, start = text.count(b"\n", 0, at), text.rfind(b"\n", 0, at) + 1
        answer = self.ask("textDocument/rename", {
            "textDocument": {"uri": (self.root / file).as_uri()},
            "position": {"line": line, "character": at - start},
            "newName": new,
        })
        if "error" in answer:
            return str(answer["error"]["message"])
        return answer["result"] or "no edit"

    def path(self, uri):
        path = unquote(urlparse(uri).path)
        return os.path.relpath(path, self.root)

    def applied(self, edit, before):
        """All texts after an edit."""
        after, moved = dict(before), {}
        changes = edit.get("documentChanges") or [
            {"textDocument": {"uri": uri}, "edits": edits}
            for uri, edits in (edit.get("changes") or {}).items()
        ]
        for change in changes:
            if change.get("kind") == "rename":
                old, new = self.path(change["oldUri"]), self.path(change["newUri"])
                moved[old] = new
            elif "edits" in change:
                path = self.path(change["textDocument"]["uri"])
                if path not in after:
                    continue
                text = after[path]
                starts = [0]
                for line in text.split(b"\n"):
                    starts.append(starts[-1] + len(line) + 1)
                place = lambda at: starts[at["line"]] + at["character"]
                edits = [
                    (place(one["range"]["start"]), place(one["range"]["end"]), one["newText"])
                    for one in change["edits"]
                ]
                for start, end, new in sorted(edits, reverse=True):
                    text = text[:start] + new.encode() + text[end:]
                after[path] = text
        for old, new in moved.items():
            for path in [path for path in after if path == old or path.startswith(old + "/")]:
                after[new + path[len(old):]] = after.pop(path)
        return after
