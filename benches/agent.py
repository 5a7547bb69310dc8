#!/usr/bin/env python3
"""An agent's work: bytes of the answers of `asof mcp`, and of grep with reading files.
usage: agent.py [--shell] ASOF RIPGREP AXUM TOWER [--answers FOLDER]

The folders are source trees: ripgrep at 3fce3b5b, axum 0.8.9, tower 0.5.3. They are copied and
indexed first. Each task of agent_tasks.py is done in both ways. A way counts only if its answers
contain every fact of the task. With --shell, commands are run instead of tools called; an answer is
what a command writes to standard output and standard error. Standard library only."""
import json, pathlib, re, shutil, statistics, subprocess, sys, tempfile
from agent_tasks import TASKS

WINDOW = (20, 80)  # lines read before and after a line that grep found
WHOLE = 2_000      # lines that a tool for reading files gives at once


def tokens(text):
    """Pieces as tokenizers of language models cut text first; long words have several."""
    pieces = re.findall(r"'\w{1,2}| ?[^\W\d_]+| ?\d{1,3}| ?[^\s\w]+|_|\s+", text)
    return sum(max(1, -(-len(piece.encode()) // 7)) for piece in pieces)


class Server:
    """A session with `asof mcp`."""

    def __init__(self, asof, root):
        command = [asof, "mcp", "--allow-edits"]
        self.child = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.id = 0
        params = {"protocolVersion": "2025-06-18", "capabilities": {},
                  "clientInfo": {"name": "agent.py", "version": "1"}}
        self.request("initialize", params)
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, message):
        self.child.stdin.write(json.dumps(message).encode() + b"\n")
        self.child.stdin.flush()

    def request(self, method, params):
        self.id += 1
        self.write({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params})
        while True:
            answer = json.loads(self.child.stdout.readline())
            if answer.get("id") == self.id:
                return answer

    def call(self, tool, arguments):
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        if "error" in answer:
            return "protocol error: " + answer["error"]["message"]
        return answer["result"]["content"][0]["text"]

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Shell:
    """The commands that do what the tools do."""

    def __init__(self, asof, root):
        self.asof, self.root = asof, root

    def call(self, tool, arguments):
        command, given = command_of(tool, arguments)
        answer = self.run(command, given)
        # Whoever wants to know everything that something contains asks again.
        if tool == "outline" and "`--limit 0` shows all" in answer:
            answer += self.run([*command, "--limit", "0"], given)
        return answer

    def run(self, command, given):
        done = subprocess.run([self.asof, *command], cwd=self.root, input=given, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.stdout

    def close(self):
        pass


def command_of(tool, arguments):
    """Arguments and input of the command for a call of a tool."""
    options, given = dict(arguments), None
    take = options.pop
    match tool:
        case "search":
            command = ["search", take("query")]
        case "show":
            command = ["show", *take("paths")]
        case "outline":
            command = ["outline", take("path")]
        case "where_used":
            name = take("relation", "uses")
            command = ["refs" if name == "uses" else name, take("path")]
        case "diff":
            command = ["diff", take("from")]
        case "query":
            command = ["query", take("script")]
        case "plan_code_edit":
            command, given, options = ["edit", "plan", "--file", "-"], json.dumps(arguments), {}
        case "apply_code_edit":
            command = ["edit", "apply", take("proposal_id")]
        case "undo_code_edit":
            command = ["edit", "undo", take("proposal_id")]
        case _:
            sys.exit(f"no command for the tool {tool}")
    for name, value in options.items():
        command += ["--" + name.replace("_", "-")] + ([] if value is True else [str(value)])
    return command, given


def with_asof(server, root, task, start):
    """Answers of the task's calls; `$plan` is the proposal of the last plan, `$start` the revision
    that the session began with."""
    answers, plan = [], ""
    for tool, arguments in task["asof"]:
        if tool == "somebody":  # an edit beside the agent: no answer
            edit(root, **arguments)
            continue
        text = json.dumps(arguments).replace("$plan", plan).replace("$start", start)
        answer = server.call(tool, json.loads(text))
        answers.append(answer)
        found = re.search(r"proposal (\w+) planned", answer)
        plan = found[1] if found else plan
    return answers


def with_grep(root, task, whole):
    """Answers of grep, of git, and of reading files around lines or as a whole."""
    answers = []
    for step in task["grep"]:
        match step:
            case ("grep", pattern, *where):
                command = ["grep", "-rnE", "--include=*.rs", pattern, *(where or ["."])]
                answers.append(run(command, root))
            case ("git", *arguments):
                answers.append(run(["git", *arguments], root))
            case ("edit", file, old, new):  # the least that an editing tool says
                edit(root, file, old, new)
                answers.append(f"{file} edited\n")
            case ("read", file, *patterns):
                lines = (root / file).read_text().splitlines(keepends=True)
                answers.append(read(lines, patterns, whole))
    return answers


def read(lines, patterns, whole):
    if not patterns:
        return "".join(lines[:WHOLE])
    hits = [n for n, line in enumerate(lines) if any(re.search(p, line) for p in patterns)]
    if whole:
        pages = sorted({hit // WHOLE for hit in hits})
        return "".join("".join(lines[page * WHOLE:(page + 1) * WHOLE]) for page in pages)
    wanted = sorted({n for hit in hits for n in range(hit - WINDOW[0], hit + WINDOW[1])})
    return "".join(lines[n] for n in wanted if 0 <= n < len(lines))


def run(command, root):
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return done.stdout + done.stderr


def missing(root, task, answers):
    """Facts that the answers do not have, and that files do not have afterwards."""
    text = "\n".join(answers)
    gaps = [fact for fact in task["facts"] if not re.search(fact, text)]
    after = [fact for file, fact in task.get("after", []) if not re.search(fact, (root / file).read_text())]
    return gaps + after


def edit(root, file, old, new):
    path = root / file
    text = path.read_text()
    assert text.count(old) == 1, f"{file} has {text.count(old)} x {old!r}"
    path.write_text(text.replace(old, new))


def restore(root):
    run(["git", "checkout", "-q", "."], root)
    run(["git", "clean", "-fdq", "-e", ".asof"], root)


def main():
    given = [argument for argument in sys.argv[1:] if argument != "--shell"]
    session = Server if given == sys.argv[1:] else Shell
    asof = shutil.which(given[0])
    roots = dict(zip(["ripgrep", "axum", "tower"], map(pathlib.Path, given[1:4])))
    keep = pathlib.Path(given[5]) if len(given) > 5 else None
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, source in roots.items():
            root = pathlib.Path(folder) / name
            shutil.copytree(source, root, ignore=shutil.ignore_patterns(".asof", ".git", "target"))
            for arguments in [["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c",
                              "user.email=a@b", "commit", "-qm", "start"]]:
                run(["git", *arguments], root)
            subprocess.run([asof, "index", "--quiet"], cwd=root, check=True)
            server = session(asof, root)
            for task in [task for task in TASKS if task["in"] == name]:
                run([asof, "index", "--quiet"], root)
                status = run([asof, "--format", "json", "status"], root)
                start = json.loads(status)["basis"]["revision"]
                ways, gaps = [], []
                for way in [lambda: with_asof(server, root, task, start),
                            lambda: with_grep(root, task, False), lambda: with_grep(root, task, True)]:
                    for given in task.get("given", []):
                        edit(root, *given)
                    ways.append(way())
                    gaps.append(missing(root, task, ways[-1]))
                    restore(root)
                rows.append((task, ["".join(way) for way in ways], gaps))
                if keep:
                    for way, answers in zip(["asof", "grep", "whole"], ways):
                        target = keep / f"{task['id']}.{way}.txt"
                        target.parent.mkdir(parents=True, exist_ok=True)
                        target.write_text("\n==\n".join(answers))
            server.close()
    report(rows)


def report(rows):
    print("| Task | | asof | grep, windows | grep, whole files | asof ÷ windows |")
    print("|---|---|---:|---:|---:|---:|")
    ratios, losers, wrong = [], [], []
    totals = [[0, 0], [0, 0], [0, 0]]
    for task, texts, gaps in rows:
        size = [len(text.encode()) for text in texts]
        for total, text in zip(totals, texts):
            total[0] += len(text.encode())
            total[1] += tokens(text)
        ratio = size[0] / size[1]
        ratios.append(ratio)
        losers += [task["id"]] if ratio > 1 else []
        names = ["asof", "windows", "whole"]
        wrong += [f"{task['id']} {name}: {gap}" for name, gap in zip(names, gaps) if gap]
        marks = [f"{n:,}" + (" (incomplete)" if gap else "") for n, gap in zip(size, gaps)]
        print(f"| {task['id']} | {task['question']} | {' | '.join(marks)} | {ratio:.2f} |")
    line = " | ".join(f"{total:,}" for total, _ in totals)
    print(f"| all | bytes | {line} | {totals[0][0] / totals[1][0]:.2f} |")
    line = " | ".join(f"{total:,}" for _, total in totals)
    print(f"| all | tokens, about | {line} | {totals[0][1] / totals[1][1]:.2f} |")
    whole = statistics.median(len(t[0].encode()) / len(t[2].encode()) for _, t, _ in rows)
    print(f"\n{len(rows)} tasks; median ratio {statistics.median(ratios):.2f} to windows, {whole:.2f} "
          f"to whole files; larger than windows: {', '.join(losers) or 'none'}")
    for line in wrong:
        print("incomplete:", line)


if __name__ == "__main__":
    main()
