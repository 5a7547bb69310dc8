// Drives `asof mcp` with the reference SDK for TypeScript, over standard input and output and over
// HTTP, as client.py does with that for Python.
//
//     npm install @modelcontextprotocol/sdk       # in a folder of its own, say sdk
//     node scripts/conformance/client.mjs ASOF sdk
//
// The SDK validates messages, and structured answers against the output schemas. Ends with 1 if there
// is a violation.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [asof, folder] = process.argv.slice(2).map((path) => resolve(path));
const sdk = (file) =>
  import(pathToFileURL(join(folder, "node_modules/@modelcontextprotocol/sdk/dist/esm/client", file)));
const { Client } = await sdk("index.js");
const { StdioClientTransport } = await sdk("stdio.js");
const { StreamableHTTPClientTransport } = await sdk("streamableHttp.js");

const steps = JSON.parse(readFileSync(new URL("steps.json", import.meta.url)));
const OPTIONS = ["--all-tools", "--allow-edits"];
const violations = [];
const expect = (holds, ...what) => holds || violations.push(what.map((w) => JSON.stringify(w)).join(" "));

function workspace() {
  const root = mkdtempSync(join(tmpdir(), "asof-"));
  for (const [name, text] of Object.entries(steps.files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  expect(spawnSync(asof, ["index", "--quiet"], { cwd: root }).status === 0, "index");
  return root;
}

async function drive(client, root, structured) {
  const counts = { tools: 0, calls: 0, errors: 0, resources: 0 };
  const call = async (tool, args, says, fails = false, options = {}) => {
    counts[fails ? "errors" : "calls"] += 1;
    try {
      const result = await client.callTool({ name: tool, arguments: args }, undefined, options);
      const text = result.content.map((block) => block.text).join("");
      const hasBoth = fails || (result.structuredContent !== undefined) === structured;
      const isRight = !!result.isError === fails && text.includes(says) && hasBoth;
      expect(isRight, tool, args, says, text);
      return text;
    } catch (error) {
      violations.push(`${tool} ${JSON.stringify(args)}: ${String(error).split("\n")[0].slice(0, 300)}`);
      return "";
    }
  };
  const refused = async (promise, ...codes) => {
    const error = await promise.then(() => null, (error) => error);
    expect(codes.includes(error?.code), "refused", codes, String(error));
  };

  const { tools } = await client.listTools();
  counts.tools = tools.length;
  const writes = (name) => /^(plan|apply|undo|deny)_code_edit$/.test(name);
  for (const name of tools.map((tool) => tool.name).filter((name) => !writes(name))) {
    expect(steps.calls.some(([known]) => known === name), "a tool without a step", name);
  }
  expect((await client.listPrompts()).prompts.length === 0, "prompts");
  expect((await client.listResources()).resources.length > 0, "resources");
  expect((await client.listResourceTemplates()).resourceTemplates.length >= 3, "templates");
  await client.ping();
  for (const step of steps.calls) await call(...step);
  for (const [tool, args, says] of steps.errors) await call(tool, args, says, true);
  for (const [uri, says] of steps.resources) {
    const { contents } = await client.readResource({ uri });
    expect(contents[0].text.includes(says), uri, contents);
    counts.resources += 1;
  }
  await refused(client.callTool({ name: "grep", arguments: {} }), -32602);
  await refused(client.readResource({ uri: "asof://node/no_such_item" }), -32002, -32602);
  // A page after the other.
  const args = { path: "crate", depth: 3, max_tokens: 100 };
  const first = await call("outline", args, "cursor ");
  const cursor = /cursor (\S+)/.exec(first)?.[1];
  expect((await call("outline", { ...args, cursor }, "revision")) !== first, "cursor");
  // Cancelling ends the work; the server goes on with the next call.
  const begin = Date.now();
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 1000);
  const endless = { name: "query", arguments: { script: steps.endless, timeout_s: 50 } };
  const cancelled = await client.callTool(endless, undefined, { signal: abort.signal }).then(() => false, () => true);
  expect(cancelled, "an endless query has an answer");
  await call("outline", { path: "crate" }, "pub fn wait");
  expect(Date.now() - begin < 20_000, "cancelled work went on");
  // Plan, apply, undo.
  const [name, text] = steps.edited;
  const file = () => readFileSync(join(root, name), "utf8");
  const before = file();
  const plan = async () => {
    const answer = await call("plan_code_edit", steps.edit, "proposal ");
    return { proposal_id: /proposal (\w+) planned/.exec(answer)?.[1] };
  };
  const proposal = await plan();
  expect(file() === before, "planning writes");
  await call("apply_code_edit", proposal, name);
  expect(file().includes(text), "not applied", file());
  await call("where_used", { path: "next_delay" }, "wait");
  await call("undo_code_edit", proposal, name);
  expect(file() === before, "not undone", file());
  await call("apply_code_edit", proposal, "hint: ", true);
  await call("deny_code_edit", await plan(), "denied");
  // Progress of a call that indexes.
  const done = [];
  writeFileSync(join(root, "src/new.rs"), "pub fn new() {}\n");
  await call("outline", { path: "crate" }, "pub fn wait", false, { onprogress: ({ progress }) => done.push(progress) });
  expect(done.length > 0 && done.every((one, n) => n === 0 || one > done[n - 1]), "progress", done);
  return counts;
}

async function stdio(root, options, use) {
  return use(new StdioClientTransport({ command: asof, args: ["mcp", ...options], cwd: root, stderr: "ignore" }));
}

async function http(root, options, use) {
  const server = spawn(asof, ["mcp", "--http", "--port", "0", ...options], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((end) => server.once("exit", end));
  try {
    let url;
    for await (const line of createInterface({ input: server.stderr })) {
      url = /listening on (http:[^;]*)/.exec(line)?.[1];
      if (url) break;
    }
    const Authorization = `Bearer ${readFileSync(join(root, ".asof/http-token"), "utf8").trim()}`;
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers: { Authorization } } });
    return await use(transport, () => transport.terminateSession());
  } finally {
    server.kill();
    await ended;
  }
}

for (const transport of [stdio, http]) {
  for (const structured of [false, true]) {
    const root = workspace();
    const options = structured ? [...OPTIONS, "--structured"] : OPTIONS;
    const kind = structured ? "structured" : "text";
    await transport(root, options, async (connection, end = async () => {}) => {
      const client = new Client({ name: "conformance", version: "1" });
      await client.connect(connection);
      const counts = await drive(client, root, structured);
      const version = connection.protocolVersion ?? client.getNegotiatedProtocolVersion?.() ?? "";
      await end();
      await client.close();
      console.log(`sdk for TypeScript, ${transport.name}, ${version}, ${kind}: ${JSON.stringify(counts)}`);
    });
    rmSync(root, { recursive: true });
  }
}
console.log(`${violations.length} violations`);
violations.forEach((line) => console.log(line));
process.exit(violations.length ? 1 : 0);
