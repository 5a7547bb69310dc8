"""Drives `asof mcp` with the reference SDK for Python, over standard input and output and over HTTP.

    pip install mcp
    python3 scripts/conformance/client.py ASOF

Calls every tool, reads resources, cancels, and plans, applies and undoes an edit (steps.json), with
each protocol mode of the SDK, with and without structured answers. The SDK validates messages, and
structured answers against the output schemas. Ends with 1 if there is a violation."""
import asyncio, json, pathlib, re, shutil, subprocess, sys, tempfile, time
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

STEPS = json.loads((pathlib.Path(__file__).parent / "steps.json").read_text())
OPTIONS = ["--all-tools", "--allow-edits"]
VIOLATIONS = []


def workspace(folder):
    for name, text in STEPS["files"].items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    subprocess.run([ASOF, "index", "--quiet"], cwd=folder, check=True)


def text_of(result):
    return "".join(block.text for block in result.content)


async def drive(client, root, structured):
    counts = dict.fromkeys(["tools", "calls", "errors", "resources"], 0)

    async def call(tool, arguments, says, fails=False):
        counts["errors" if fails else "calls"] += 1
        try:
            result = await client.call_tool(tool, arguments)
        except RuntimeError as error:  # structured content that does not fit its schema
            VIOLATIONS.append(f"{tool} {json.dumps(arguments)}: {str(error).splitlines()[0]}")
            return ""
        text = text_of(result)
        has_both = fails or (result.structured_content is not None) == structured
        if result.is_error != fails or says not in text or not has_both:
            VIOLATIONS.append(f"{tool} {json.dumps(arguments)}: no {says!r} in {text!r}")
        return text

    tools = (await client.list_tools()).tools
    counts["tools"] = len(tools)
    known = {tool.name for tool in tools}
    edits = {"plan_code_edit", "apply_code_edit", "undo_code_edit", "deny_code_edit"}
    assert known - edits == {step[0] for step in STEPS["calls"]}, known
    assert (await client.list_prompts()).prompts == []
    assert len((await client.list_resources()).resources) > 0
    assert len((await client.list_resource_templates()).resource_templates) >= 3
    for step in STEPS["calls"]:
        await call(*step)
    for tool, arguments, says in STEPS["errors"]:
        await call(tool, arguments, says, fails=True)
    for uri, says in STEPS["resources"]:
        read = await client.read_resource(uri)
        assert says in read.contents[0].text, (uri, read)
        counts["resources"] += 1
    for refused in [client.call_tool("grep", {}), client.read_resource("asof://node/no_such_item")]:
        try:
            result = await refused
        except MCPError as error:
            assert error.error.code in (-32602, -32002), error
        else:
            raise AssertionError(result)
    # A page after the other.
    arguments = {"path": "crate", "depth": 3, "max_tokens": 100}
    first = await call("outline", arguments, "cursor ")
    cursor = re.search(r"cursor (\S+)", first)[1]
    assert await call("outline", {**arguments, "cursor": cursor}, "revision") != first
    # A client that waits no longer cancels; the server goes on with the next call.
    begin = time.monotonic()
    try:
        await asyncio.wait_for(client.call_tool("query", {"script": STEPS["endless"], "timeout_s": 50}), 1)
        raise AssertionError("an endless query has an answer")
    except asyncio.TimeoutError:
        pass
    await call("outline", {"path": "crate"}, "pub fn wait")
    assert time.monotonic() - begin < 20, "cancelled work went on"
    # Plan, apply, undo.
    file, new = root / STEPS["edited"][0], STEPS["edited"][1]
    before = file.read_text()
    plan = await call("plan_code_edit", STEPS["edit"], "proposal ")
    proposal = {"proposal_id": re.search(r"proposal (\w+) planned", plan)[1]}
    assert file.read_text() == before
    await call("apply_code_edit", proposal, "src/lib.rs")
    assert new in file.read_text()
    await call("where_used", {"path": "next_delay"}, "wait")
    await call("undo_code_edit", proposal, "src/lib.rs")
    assert file.read_text() == before
    await call("apply_code_edit", proposal, "hint: ", fails=True)
    plan = await call("plan_code_edit", STEPS["edit"], "proposal ")
    denied = {"proposal_id": re.search(r"proposal (\w+) planned", plan)[1]}
    await call("deny_code_edit", denied, "denied")
    # Progress of a call that indexes.
    steps = []

    async def progress(done, total, message):
        steps.append(done)

    (root / "src/new.rs").write_text("pub fn new() {}\n")
    await client.call_tool("outline", {"path": "crate"}, progress_callback=progress)
    assert steps == sorted(set(steps)) and steps, steps
    return counts


async def stdio(root, mode, structured):
    options = OPTIONS + (["--structured"] if structured else [])
    server = StdioServerParameters(command=ASOF, args=["mcp", *options], cwd=str(root))
    async with Client(server, mode=mode) as client:
        return client.protocol_version, await drive(client, root, structured)


async def http(root, mode, structured):
    options = OPTIONS + (["--structured"] if structured else [])
    command = [ASOF, "mcp", "--http", "--port", "0", *options]
    server = subprocess.Popen(command, cwd=root, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line for line in server.stderr if "listening on" in line)
        url = re.search(r"http://[\d.:]+", address)[0] + "/mcp"
        token = (root / ".asof/http-token").read_text().strip()
        async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as web:
            async with Client(streamable_http_client(url, http_client=web), mode=mode) as client:
                return client.protocol_version, await drive(client, root, structured)
    finally:
        server.terminate()
        server.wait()


async def main():
    for transport in [stdio, http]:
        for mode in ["legacy", "auto"]:
            for structured in [False, True]:
                with tempfile.TemporaryDirectory() as folder:
                    workspace(folder)
                    version, counts = await transport(pathlib.Path(folder), mode, structured)
                kind = "structured" if structured else "text"
                print(f"mcp for Python, {transport.__name__}, {version}, {kind}: {counts}")


ASOF = shutil.which(sys.argv[1])
asyncio.run(main())
print(f"{len(VIOLATIONS)} violations")
sys.exit("\n".join(VIOLATIONS) or 0)
