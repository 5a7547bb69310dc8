// Pages of the explorer on a repository: time of the server now and in the past, transfer, first
// paint in Chromium, and memory after many views.
//
//   ASOF=target/release/asof CHROMIUM=/usr/bin/chromium node benches/explorer.mjs PATH
//     [--rounds 7] [--paints 3] [--views 1000] [--only NAME,NAME] [--json FILE]
//
// PATH has been indexed (`asof index --history`). An edit is planned there and denied again, which
// its database keeps; no source file is changed. Needs `npm ci` in tests/browser.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { get as request } from "node:http";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { launch, open, run, serve } from "../tests/browser/site.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    paints: { type: "string", default: "3" },
    views: { type: "string", default: "1000" },
    only: { type: "string" },
    json: { type: "string" },
  },
});
const root = resolve(positionals[0]);
const rounds = Number(options.rounds);
const MOST = 200_000;
const FIRST = 60_000;
const PAINT = 1_000;
const RATIO = 2;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
const items = (...args) => JSON.parse(run(root, ...args, "--full", "--format", "json")).items;
const encode = (path) => path.split("/").map(encodeURIComponent).join("/");

// What the pages are about: the items and files that cost most, and one of the usual size.
function subjects() {
  const users = `u[target, sum(n)] := *refs_by_target{target, sources @ $at}, n = length(sources)
    ?[path, n] := u[id, n], *node{id, path @ $at}, !is_null(path)
    :order -n, path
    :limit 1`;
  const files = items("query", "--name", "inspect/files", "--limit", "0").map(([path, lines]) => ({ path, lines }));
  files.sort((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
  const hot = items("hotspots", "--limit", "1")[0];
  const used = items("query", users)[0][0];
  return { hot: hot?.path ?? used, used, largest: files[0].path, median: files[Math.floor(files.length / 2)].path };
}

const log = items("log", "--limit", "0");
const name = (one) => (one.commit ?? one.revision).slice(0, one.commit ? 12 : undefined);
const about = subjects();
const plan = () => {
  const edits = [{ mode: "canonical", path: about.hot, part: "body", code: "{\n    todo!()\n}" }];
  const file = join(root, ".asof/bench-edit.json");
  writeFileSync(file, JSON.stringify({ edits }));
  try {
    const answer = JSON.parse(run(root, "edit", "plan", "--file", file, "--format", "json"));
    return answer.proposal ?? answer.id ?? answer.proposal_id;
  } catch {
    return null;
  }
};
const proposal = plan();
const [hot, used] = [encode(about.hot), encode(about.used)];
const all = {
  overview: "/",
  tree: "/f/",
  "file, median": `/f/${encode(about.median)}`,
  "file, largest": `/f/${encode(about.largest)}`,
  "item, changed most": `/i/${hot}`,
  "item, used most": `/i/${used}`,
  search: "/search?q=parse+config+error",
  "search while typing": `/search?q=${encodeURIComponent(about.hot.split("::").at(-1))}&part=list`,
  quality: "/quality",
  "hot spots": "/hotspots",
  "query, own": `/query?script=${encodeURIComponent("?[name, kind, path] := *node{name, kind, path @ $at}, kind = 'struct'\n:order path, name")}`,
  "query, named": "/query?name=quality/worst&run=1",
  issues: "/issues",
  "issues, other crates": "/issues?names=external",
  revisions: "/log",
  "graph, upstream": `/graph/upstream/${hot}`,
  "graph, impact": `/graph/impact/${hot}`,
  "graph, impact of the most used": `/graph/impact/${used}`,
  "graph, callers of the most used, by module": `/graph/callers/${used}?group=module&depth=6`,
  "matrix of modules": "/graph/modules",
  edits: "/proposals",
};
// Moments are part of the address of these; a graph compared with a moment reads both.
const last = log[0];
const older = (share) => log[Math.min(log.length - 1, Math.round((log.length - 1) * share))];
const pairs = {
  "difference, newest revision": `/diff/${name(log[Math.min(1, log.length - 1)])}..${name(last)}`,
  "difference, a tenth of the history": `/diff/${name(older(0.1))}..${name(last)}`,
  "difference, the whole history": `/diff/${name(log.at(-1))}..${name(last)}`,
  "comparison of an item": `/diff/${name(older(0.5))}..${name(last)}/${hot}`,
  "graph, impact, since the middle": `/graph/impact/${hot}?since=${name(older(0.5))}`,
  "matrix of modules, since the middle": `/graph/modules?since=${name(older(0.5))}`,
};
if (proposal) pairs["an edit"] = `/proposals/${proposal}`;

const site = await serve(root);
const wanted = options.only?.split(",");
const chosen = (pages) => Object.entries(pages).filter(([name]) => !wanted || wanted.some((one) => name.startsWith(one)));

// Processor time of the server so far, in ms.
function processor() {
  const folder = `/proc/${site.pid}/task`;
  let sum = 0;
  for (const task of readdirSync(folder)) {
    try {
      sum += Number(readFileSync(`${folder}/${task}/schedstat`, "utf8").split(" ")[0]);
    } catch {
      // The thread has ended.
    }
  }
  return sum / 1e6;
}

function fetchOnce(path) {
  const headers = { Authorization: `Bearer ${site.token}`, "Accept-Encoding": "gzip" };
  return new Promise((done, fail) => {
    request(site.address + path, { headers }, (response) => {
      const parts = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const body = Buffer.concat(parts);
        const whole = response.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
        const took = Number(/dur=([\d.]+)/.exec(response.headers["server-timing"])?.[1]);
        done({ status: response.statusCode, sent: body.length, size: whole.length, took, text: whole, to: response.headers.location });
      });
      response.on("error", fail);
    }).on("error", fail);
  });
}

// A page, also where its item had another path.
async function view(path) {
  const before = processor();
  let answer = await fetchOnce(path);
  for (let steps = 0; answer.status === 303 && steps < 3; steps += 1) answer = { ...(await fetchOnce(answer.to)), moved: true };
  return { ...answer, used: processor() - before };
}

const at = (path, moment) => `${path}${path.includes("?") ? "&" : "?"}at=${moment}`;
const moments = [0.25, 0.5, 0.75, 1].map((share) => [share === 1 ? "oldest" : `${share * 100} %`, name(older(share))]);

console.log(`${root}: ${log.length} revisions, load ${loadavg().map((one) => one.toFixed(1)).join(" ")}`);
console.log(`most used ${about.used}, changed most ${about.hot}, largest ${about.largest}`);
const faults = [];
const rows = [];
for (const [title, path] of [...chosen(all), ...chosen(pairs)]) {
  const fixed = title in pairs;
  if (process.stderr.isTTY || process.env.VERBOSE) console.error(`${title}: ${path}`);
  const stops = [["now", null], ...(fixed ? [] : moments)];
  const figures = new Map(stops.map(([label]) => [label, { took: [], used: [], sent: 0, size: 0, status: 0 }]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [label, moment] of stops) {
      const answer = await view(moment ? at(path, moment) : path);
      const figure = figures.get(label);
      if (answer.status >= 500 || (answer.status !== 200 && label === "now")) {
        if (!round) faults.push(`${title} (${path}) ${label}: ${answer.status} ${/role="alert">([^<]*)/.exec(answer.text)?.[1] ?? ""}`);
      }
      Object.assign(figure, { sent: Math.max(figure.sent, answer.sent), size: Math.max(figure.size, answer.size), status: answer.status });
      // The first is slower: caches of the store.
      if (round) {
        figure.took.push(answer.took);
        figure.used.push(answer.used);
      } else figure.first = answer.took;
    }
  }
  const now = figures.get("now");
  const row = { page: title, "now ms": median(now.took), "first ms": now.first, "cpu ms": +median(now.used).toFixed(1), "kB sent": +(now.sent / 1000).toFixed(1), "kB whole": +(now.size / 1000).toFixed(0) };
  let worst = 0;
  let most = now.size;
  for (const [label] of stops.slice(1)) {
    const figure = figures.get(label);
    most = Math.max(most, figure.size);
    const there = figure.status === 200;
    row[`${label} ms`] = there ? median(figure.took) : figure.status;
    if (there) worst = Math.max(worst, median(figure.used) / median(now.used));
  }
  if (!fixed) row.ratio = +worst.toFixed(2);
  if (most > MOST) faults.push(`${title}: ${most} bytes`);
  if (worst > RATIO) faults.push(`${title}: in the past ${worst.toFixed(2)} times as long`);
  rows.push(row);
}

const browser = await launch();
const page = await open(browser, site);
const state = await page.context().storageState();
// Nothing is in the caches of a new context.
async function paint(path) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, storageState: state });
  const fresh = await context.newPage();
  const session = await context.newCDPSession(fresh);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  await fresh.goto(site.address + path, { waitUntil: "load" });
  const first = await fresh.evaluate(
    () =>
      new Promise((done) => {
        const look = () => {
          const found = performance.getEntriesByType("paint").find((one) => one.name === "first-contentful-paint");
          if (found) done(found.startTime);
          else setTimeout(look, 20);
        };
        look();
      }),
  );
  await fresh.waitForLoadState("networkidle");
  await context.close();
  return { first, bytes };
}
for (const row of rows) {
  const path = all[row.page] ?? pairs[row.page];
  // Not a page, but a part of one.
  if (path.includes("part=list")) continue;
  const seen = [];
  for (let round = 0; round < Number(options.paints); round += 1) seen.push(await paint(path));
  row["first paint ms"] = Math.round(median(seen.map((one) => one.first)));
  row["kB initial"] = +(Math.max(...seen.map((one) => one.bytes)) / 1000).toFixed(1);
  if (row["kB initial"] * 1000 > FIRST) faults.push(`${row.page}: ${row["kB initial"]} kB of initial transfer`);
  if (row["first paint ms"] > PAINT) faults.push(`${row.page}: first paint after ${row["first paint ms"]} ms`);
}
await browser.close();
console.table(Object.fromEntries(rows.map(({ page, ...row }) => [page, row])));

const views = Number(options.views);
if (views) {
  const memory = () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid}/status`, "utf8"))[1]) / 1024);
  const paths = chosen(all).map(([, path]) => path);
  const figures = [memory()];
  for (let view = 0; view < views; view += 1) {
    // Moments all over the history, in an order that is always the same.
    const place = createHash("sha256").update(String(view)).digest().readUInt32BE() / 2 ** 32;
    await fetchOnce(at(paths[view % paths.length], name(older(place))));
    if ((view + 1) % Math.ceil(views / 5) === 0 || view + 1 === views) figures.push(memory());
  }
  console.log(`memory of the server in MB, 0 to ${views} views: ${figures.join(", ")}`);
}
site.stop();
if (proposal) run(root, "edit", "deny", proposal);
if (options.json) writeFileSync(options.json, JSON.stringify({ root, revisions: log.length, rows }, null, 1));
console.log(faults.length ? `over a limit:\n  ${faults.join("\n  ")}` : "every page is within the limits");
process.exitCode = faults.length ? 1 : 0;
