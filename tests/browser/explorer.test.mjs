// The explorer, clicked through as a reader would.

import assert from "node:assert/strict";
import { readFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, open, remove, repository, run, serve } from "./site.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const shots = process.env.SHOTS || join(import.meta.dirname, "../../target/explorer");
const LIMIT = 200_000;
const FIRST = 60_000;

let root, site, browser, page;

before(async () => {
  mkdirSync(shots, { recursive: true });
  root = repository();
  site = await serve(root, "--allow-edits");
  browser = await launch();
  page = await open(browser, site);
});

after(async () => {
  await browser?.close();
  site?.stop();
  if (root) remove(root);
});

const go = (path) => page.goto(site.address + path);
const heading = () => page.locator("h1").first().innerText();
const clean = () => assert.deepEqual(page.faults, []);
const at = () => new URL(page.url()).searchParams.get("at");
const shot = (name) => page.screenshot({ path: join(shots, `${name}.png`) });

const PAGES = {
  overview: "/",
  files: "/f/",
  folder: "/f/src",
  file: "/f/src/price.rs",
  long: "/f/src/many.rs",
  wide: "/f/src/wide.rs",
  "wide-type": "/i/demo::wide::Wide",
  "wide-graph": "/graph/callees/demo::wide::Wide::method_0_" + "with_a_very_long_name_".repeat(4) + "?depth=64",
  item: "/i/demo::price::total",
  type: "/i/demo::Cart",
  module: "/i/demo::price",
  missing: "/i/demo::price::new_name?at=t1",
  search: "/search?q=total",
  diff: "/diff/t1..t6",
  "diff-item": "/diff/t3..t4/src/price.rs",
  review: "/review/t1..t6",
  quality: "/quality",
  hotspots: "/hotspots",
  query: "/query?script=%3F%5Bname%2C%20kind%5D%20%3A%3D%20*node%7Bname%2C%20kind%7D",
  named: "/query?name=quality/worst",
  "bad-query": "/query?script=nonsense",
  issues: "/issues",
  revisions: "/log",
  impact: "/graph/impact/demo::price::total",
  grouped: "/graph/impact/demo::price::total?group=module",
  since: "/graph/impact/demo::price::total?since=t1",
  modules: "/graph/modules",
  edits: "/proposals",
  help: "/help",
};

// Too tall for a picture of the whole page.
const TALL = ["long", "wide", "wide-type", "wide-graph"];

test("a wrong token opens nothing", async () => {
  const context = await browser.newContext();
  const stranger = await context.newPage();
  const refused = await stranger.goto(`${site.address}/f/src/price.rs`);
  assert.equal(refused.status(), 401);
  assert.ok(!(await stranger.content()).includes("fn total"));
  await stranger.getByLabel("Token").fill("0".repeat(64));
  await stranger.getByRole("button").click();
  assert.match(await stranger.locator("[role=alert]").innerText(), /not the token/);
  await context.close();
});

test("every page is small, complete and without fault", async () => {
  for (const [name, path] of Object.entries(PAGES)) {
    const headers = { Cookie: (await page.context().cookies()).map((c) => `${c.name}=${c.value}`).join("; "), "Accept-Encoding": "gzip" };
    const response = await fetch(site.address + path, { headers, redirect: "follow" });
    const size = (await response.clone().arrayBuffer()).byteLength;
    assert.ok(size <= LIMIT, `${name} has ${size} bytes`);
    assert.ok(response.status === 200, `${name}: ${response.status} ${(await response.text()).slice(-600)}`);
    await go(path);
    assert.ok((await heading()).length > 0, name);
    await page.screenshot({ path: join(shots, `page-${name}.png`), fullPage: !TALL.includes(name) });
  }
  clean();
});

test("the first transfer is small", async () => {
  const context = await browser.newContext({ storageState: await page.context().storageState() });
  const fresh = await context.newPage();
  const session = await context.newCDPSession(fresh);
  await session.send("Network.enable");
  let bytes = 0;
  session.on("Network.loadingFinished", (event) => (bytes += event.encodedDataLength));
  await fresh.goto(site.address + "/", { waitUntil: "networkidle" });
  assert.ok(bytes > 1_000 && bytes <= FIRST, `${bytes} bytes`);
  const shift = await fresh.evaluate(() => new Promise((resolve) => {
    let sum = 0;
    new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += entry.value))).observe({ type: "layout-shift", buffered: true });
    setTimeout(() => resolve(sum), 300);
  }));
  assert.ok(shift < 0.02, `layout shift ${shift}`);
  await context.close();
});

test("Play goes from mark to mark", async () => {
  await go("/i/demo::price::total?at=t1");
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => document.querySelector(".code").textContent.includes("a * 3"));
  clean();
});

test("an open page says when the code has changed", async () => {
  const own = repository();
  const server = await serve(own);
  const reader = await open(browser, server);
  try {
    await reader.goto(server.address + "/i/demo::price::total");
    const text = readFileSync(join(own, "src/price.rs"), "utf8");
    writeFileSync(join(own, "src/price.rs"), text.replace("a * 3", "a * 5"));
    await reader.getByText("The code has changed").waitFor();
    assert.match(await reader.locator(".code").innerText(), /a \* 3/);
    await reader.getByRole("link", { name: "Show the newest revision" }).click();
    await reader.waitForFunction(() => document.querySelector(".code").textContent.includes("a * 5"));
    assert.equal(await reader.locator("#newer").count(), 0);
    assert.deepEqual(reader.faults, []);
  } finally {
    await reader.context().close();
    server.stop();
    remove(own);
  }
});

test("search as one types, then follow a definition", async () => {
  await go("/");
  await page.keyboard.press("/");
  await page.keyboard.type("Cart sum");
  await page.locator("#found a").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await shot("typing");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/i\//);
  await go("/i/demo::Cart::sum");
  await page.locator(".code a", { hasText: "total" }).first().click();
  assert.match(page.url(), /\/i\/demo::price::total$/);
  assert.match(await heading(), /total/);
  assert.match(await page.locator("#uses").locator("..").innerText(), /src\/lib\.rs:\d+ in .*sum/);
  assert.match(await page.locator("section[aria-label=Callers]").innerText(), /step_0/);
  clean();
});

test("the slider moves the page to another moment, and back returns", async () => {
  await go("/i/demo::price::total");
  const code = () => page.locator(".code").innerText();
  assert.match(await code(), /a \* 3/);
  const slider = page.locator("#slider");
  assert.equal(await slider.getAttribute("max"), "5");
  await slider.fill("1");
  await page.waitForFunction(() => document.querySelector(".code").textContent.includes("a * 2"));
  assert.ok(at());
  assert.match(await page.locator(".moment").innerText(), /Use it/);
  assert.equal(await page.locator("#strip .mark").count(), 2);
  // Links keep the moment.
  assert.match(await page.locator(".path a").first().getAttribute("href"), /at=/);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".code").textContent.includes("a * 3"));
  await page.goForward();
  await page.waitForFunction(() => document.querySelector(".code").textContent.includes("a * 2"));
  clean();
});

test("older and newer versions follow a rename", async () => {
  await go("/i/demo::price::new_name");
  await page.keyboard.press("[");
  await page.waitForFunction(() => document.querySelector("h1").textContent.includes("old_name"));
  assert.match(page.url(), /old_name\?at=/);
  await page.keyboard.press("]");
  await page.waitForFunction(() => document.querySelector("h1").textContent.includes("new_name"));
  // The name that it has later leads to the one that it had then.
  await go("/i/demo::price::new_name?at=t3");
  assert.match(page.url(), /old_name\?at=t3/);
  await go("/i/demo::price::total");
  await page.keyboard.press("y");
  await page.waitForFunction(() => /at=[0-9a-f]{8}-/.test(location.href));
  clean();
});

test("a graph follows an item to its earlier name, and says when there was none", async () => {
  await go("/graph/callers/demo::price::new_name?depth=2&at=t3");
  assert.match(page.url(), /\/graph\/callers\/demo::price::old_name\?depth=2&at=t3/);
  await go("/graph/callers/demo::price::new_name?at=t1");
  assert.match(await page.locator("[role=alert]").innerText(), /does not exist at this moment/);
  await page.locator("#newer").click();
  await page.waitForFunction(() => document.querySelector(".path a")?.textContent.includes("old_name"));
  clean();
});

test("a part of a page is shown without loading it again", async () => {
  await go("/i/demo::price::total");
  const asked = [];
  // Chromium asks for the icon at each address.
  const note = (request) => request.url().includes("/assets/icon.svg") || asked.push(request.url());
  page.on("request", note);
  await page.locator(".facts a[href='#history']").click();
  await page.waitForURL(/#history$/);
  await page.goBack();
  await page.waitForURL((url) => !url.hash);
  page.off("request", note);
  assert.deepEqual(asked, []);
  clean();
});

test("two moments side by side show what was renamed", async () => {
  await go("/i/demo::price::new_name");
  await page.locator("summary", { hasText: "Compare" }).click();
  await page.getByLabel("from").fill("t3");
  await page.getByLabel("to", { exact: true }).fill("t4");
  await page.getByRole("button", { name: "Compare" }).click();
  assert.match(page.url(), /\/diff\/t3\.\.t4\/demo::price::new_name/);
  const change = page.locator(".change").first();
  assert.match(await change.innerText(), /renamed/);
  assert.match(await change.innerText(), /old_name → .*new_name/);
  assert.ok((await change.locator(".old").count()) > 0 && (await change.locator(".new").count()) > 0);
  clean();
});

test("a query gives a table, a plan and a file", async () => {
  await go("/query");
  await page.locator("#script").fill("?[name] := *node{kind: 'struct', name}, name != 'Wide'");
  await page.getByRole("button", { name: "Run" }).click();
  assert.equal((await page.locator(".result tbody tr").allInnerTexts()).join(), "Cart");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  assert.equal(readFileSync(await (await download).path(), "utf8"), "name\nCart\n");
  await page.locator("#script").fill("?[name] := *nod{name}");
  await page.getByRole("button", { name: "Run" }).click();
  assert.match(await page.locator("[role=alert]").innerText(), /nod/);
  // At another moment, another answer.
  await go("/query?at=t1&script=" + encodeURIComponent("?[name] := *node{kind: 'struct', name}"));
  assert.equal(await page.locator(".result tbody tr").count(), 0);
  clean();
});

test("an edit is reviewed, applied and undone", async () => {
  const file = join(root, "src/price.rs");
  const old = readFileSync(file, "utf8");
  const request = { edits: [{ mode: "canonical", path: "demo::price::total", part: "body", code: "{\n    a + 1 // <script>window.pwned=1</script>\n}" }] };
  writeFileSync(join(root, "edit.json"), JSON.stringify(request));
  run(root, "edit", "plan", "--file", "edit.json");
  await go("/proposals");
  await page.locator("tbody a").first().click();
  assert.match(await page.locator("main").innerText(), /total · \d+ items use it/);
  assert.match(await page.locator(".patch ins").allInnerTexts().then((t) => t.join()), /a \+ 1/);
  await shot("review");
  await page.getByRole("button", { name: "Apply" }).click();
  await page.locator(".p-applied").waitFor();
  assert.match(readFileSync(file, "utf8"), /a \+ 1/);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.locator(".p-undone").waitFor();
  assert.equal(readFileSync(file, "utf8"), old);
  // Another site cannot do it.
  const action = page.url() + "/apply";
  const cookie = (await page.context().cookies()).map((c) => `${c.name}=${c.value}`).join("; ");
  for (const headers of [{ Cookie: cookie }, { Cookie: cookie, Origin: "http://127.0.0.1:1" }]) {
    assert.equal((await fetch(action, { method: "POST", headers })).status, 403);
  }
  clean();
});

test("a hostile repository runs nothing", async () => {
  for (const path of ["/", "/f/src", "/log", "/issues", "/quality", "/search?q=odd", "/i/demo::odd::odd", "/diff/t5..t6", "/query?name=inspect/files", "/search?q=%3Cimg%20src%3Dx%20onerror%3Dwindow.pwned%3D1%3E", "/f/src/%3Cimg%20src=x%20onerror=window.pwned=1%3E.rs", "/i/%3Cscript%3Ewindow.pwned=1%3C%2Fscript%3E", "/graph/upstream/demo::odd::odd"]) {
    const response = await go(path);
    assert.ok([200, 400, 404].includes(response.status()), `${path}: ${response.status()}`);
    assert.equal(await page.evaluate(() => window.pwned), undefined, path);
    assert.equal(await page.locator("main img, main script, main [onerror], main [onload]").count(), 0, path);
    if (response.status() !== 200) page.faults = page.faults.filter((fault) => !/status of 40[04]/.test(fault));
  }
  await go("/i/demo::odd::odd");
  assert.match(await page.locator(".docs").innerText(), /<script>/);
  clean();
});

test("axe finds no violation, light and dark, wide and narrow", async () => {
  // The policy allows no other script than ours: axe goes in by the debugger.
  const faults = [];
  const looks = [["light", 1280], ["dark", 1280], ["light", 360]];
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const [name, path] of Object.entries(PAGES)) {
      await go(path);
      for (const details of await page.locator("main details, #time details").all()) await details.evaluate((one) => (one.open = true));
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      for (const one of violations) faults.push(`${name} ${colorScheme} ${width}: ${one.id}: ${one.nodes[0].html.slice(0, 160)} ${one.nodes[0].failureSummary}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      if (wide > width) faults.push(`${name} is ${wide} wide at ${width}`);
      if (width === 360) await shot(`narrow-${name}`);
      if (colorScheme === "dark") await shot(`dark-${name}`);
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.deepEqual(faults, []);
  clean();
});

test("a narrow page shows newer texts, whole graphs and whole messages", async () => {
  await page.setViewportSize({ width: 360, height: 800 });
  const right = async (selector) => {
    const boxes = await page.locator(selector).all();
    assert.ok(boxes.length > 0, selector);
    return Math.max(...(await Promise.all(boxes.map(async (one) => one.boundingBox()))).map((box) => box.x + box.width));
  };
  await go("/diff/t3..t4/src/price.rs");
  assert.ok((await right(".sides .new")) <= 360);
  // What both sides have stands once.
  const lines = await page.locator(".sides td:visible", { hasText: "let mut sum = 0;" }).count();
  assert.equal(lines, 1);
  await go("/graph/impact/demo::price::total");
  assert.ok((await right("svg.graph")) <= 360);
  await go("/log");
  assert.ok((await right(".revisions td")) <= 360);
  const message = await page.locator(".revisions .what").last().boundingBox();
  assert.ok(message.height < 40, `a message of one word has ${message.height} pixels`);
  await page.setViewportSize({ width: 1280, height: 800 });
  clean();
});

test("pages work without the script", async () => {
  const state = await page.context().storageState();
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: state });
  const plain = await context.newPage();
  await plain.goto(site.address + "/i/demo::price::total");
  await plain.locator("#older").click();
  assert.match(plain.url(), /at=/);
  await plain.locator("#q").fill("total");
  await plain.keyboard.press("Enter");
  await plain.waitForURL(/\/search\?q=total&at=/);
  assert.match(await plain.locator(".results").innerText(), /demo::price::total/);
  await context.close();
});

test("keys lead to pages, lines are in the address", async () => {
  await go("/");
  await page.keyboard.press("t");
  await page.waitForURL(/\/f\//);
  await page.keyboard.press("?");
  await page.waitForURL(/\/help/);
  await page.keyboard.press("Control+k");
  assert.equal(await page.evaluate(() => document.activeElement.id), "q");
  await page.locator("#q").blur();
  await go("/f/src/many.rs?line=2000#L2000-L2003");
  assert.equal(await page.locator(".code .on").count(), 4);
  assert.equal(await page.locator("#L2000").isVisible(), true);
  // A line on another part of the file.
  await go("/f/src/many.rs#L3000");
  await page.locator("#L3000.on").waitFor();
  clean();
});
