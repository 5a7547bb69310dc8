// The explorer on a real repository with an imported history: ASOF_EXPLORER_REPO, such as ripgrep.
// Measures pages, too: transfer, time of the server now and in the past, memory after many views.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { launch, open, run, serve } from "./site.mjs";

const root = process.env.ASOF_EXPLORER_REPO;
const views = Number(process.env.ASOF_EXPLORER_VIEWS || 1000);
const shots = process.env.SHOTS || join(import.meta.dirname, "../../target/explorer");
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

test("a real repository", { skip: root ? false : "ASOF_EXPLORER_REPO names none" }, async (t) => {
  mkdirSync(shots, { recursive: true });
  const site = await serve(root);
  t.after(() => site.stop());
  const browser = await launch();
  t.after(() => browser.close());
  const page = await open(browser, site);
  const log = JSON.parse(run(root, "log", "--limit", "0", "--format", "json")).items;
  const hot = JSON.parse(run(root, "hotspots", "--limit", "5", "--format", "json")).items;

  const go = (path) => page.goto(site.address + path);
  const get = async (path) => {
    const headers = { Authorization: `Bearer ${site.token}`, "Accept-Encoding": "identity" };
    const response = await fetch(site.address + path, { headers });
    const length = (await response.arrayBuffer()).byteLength;
    const took = Number(/dur=([\d.]+)/.exec(response.headers.get("server-timing"))?.[1]);
    return { status: response.status, length, took };
  };

  await t.test("search, definition, slider, comparison", async () => {
    await go("/");
    await page.screenshot({ path: join(shots, "overview.png") });
    await page.keyboard.press("/");
    await page.keyboard.type(hot[0].path.split("::").at(-1));
    await page.locator("#found a").first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/(i|f)\//);
    await go("/i/" + encodeURIComponent(hot[0].path));
    await page.screenshot({ path: join(shots, "item.png") });
    const marks = await page.locator("#strip .mark").count();
    assert.ok(marks > 1, `${marks} marks`);
    const name = await page.locator("h1").innerText();
    const text = await page.locator(".code").innerText();
    await page.keyboard.press("[");
    await page.waitForURL(/at=/);
    await page.keyboard.press("[");
    await page.waitForFunction((text) => document.querySelector(".code").innerText !== text, text);
    assert.equal(await page.locator("h1").innerText(), name);
    await page.locator(".history a", { hasText: "compare" }).first().click();
    await page.waitForURL(/\/diff\//);
    assert.ok((await page.locator(".sides .new, .sides .old").count()) > 0);
    await page.screenshot({ path: join(shots, "diff.png") });
    assert.deepEqual(page.faults, []);
  });

  const file = hot[0].file_path;
  const item = encodeURIComponent(hot[0].path);
  const pages = ["/", "/f/", `/f/${file}`, `/i/${item}`, "/search?q=search+path", "/quality", "/hotspots", "/log", "/issues", "/graph/modules", `/graph/impact/${item}`, `/graph/upstream/${item}`];

  await t.test("pages are small, and the past is as fast as the present", async () => {
    const rows = [];
    for (const path of pages) {
      const now = [];
      const past = [];
      let most = 0;
      for (let round = 0; round < 7; round += 1) {
        const moment = log[Math.floor(((log.length - 1) * (round + 0.5)) / 7)].revision;
        const [a, b] = [await get(path), await get(`${path}${path.includes("?") ? "&" : "?"}at=${moment}`)];
        assert.equal(a.status, 200, path);
        assert.ok([200, 404].includes(b.status), `${path} at ${moment}: ${b.status}`);
        most = Math.max(most, a.length, b.length);
        if (round) now.push(a.took);
        if (round && b.status === 200) past.push(b.took);
      }
      assert.ok(most <= 200_000, `${path}: ${most} bytes`);
      rows.push({ path, bytes: most, "now ms": median(now), "past ms": median(past), ratio: +(median(past) / median(now)).toFixed(2) });
    }
    console.table(rows);
  });

  await t.test("memory stays flat", async () => {
    const memory = () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${site.pid}/status`, "utf8"))[1]) / 1024);
    const figures = [memory()];
    for (let view = 0; view < views; view += 1) {
      const moment = log[(view * 7) % log.length].revision;
      const path = pages[view % pages.length];
      await get(`${path}${path.includes("?") ? "&" : "?"}at=${moment}`);
      if ((view + 1) % Math.max(1, Math.floor(views / 5)) === 0) figures.push(memory());
    }
    console.log(`MB after 0 to ${views} views: ${figures.join(", ")}`);
    assert.ok(figures.at(-1) < 2 * figures[Math.floor(figures.length / 2)] + 50, figures.join());
  });
});
