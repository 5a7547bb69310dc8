// A repository with a past, a server on it, and a browser.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { chromium } from "playwright-core";

const asof = process.env.ASOF;

export const run = (root, ...args) =>
  execFileSync(asof, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

export const HOSTILE = `<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>`;

const MANIFEST = `[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n`;

const many = (count) =>
  Array.from({ length: count }, (_, at) => `pub fn step_${at}(a: u32) -> u32 {\n    ${at ? `a` : `crate::price::total(a)`} + ${at}\n}\n`).join("\n");

// Long names and signatures: every list of a page is long.
const wide = (count) => {
  const name = (at) => `method_${at}_${"with_a_very_long_name_".repeat(4)}`;
  const method = (at) => `    /// Number ${at}.\n    pub fn ${name(at)}(&self, first: &Wide, second: Option<&Wide>) -> Option<u32> {\n        self.${name((at + 1) % count)}(first, second)\n    }\n`;
  return `pub struct Wide;\n\nimpl Wide {\n${Array.from({ length: count }, (_, at) => method(at)).join("\n")}}\n`;
};

// Each is a commit: files by path, null removes one.
const COMMITS = [
  ["First", { "Cargo.toml": MANIFEST, "src/lib.rs": `pub mod price;\n`, "src/price.rs": `/// Sums up.\npub fn total(a: u32) -> u32 {\n    let b = a * 2;\n    let c = b + 1;\n    b + c\n}\n` }],
  ["Use it", { "src/lib.rs": `pub mod price;\n\npub struct Cart {\n    pub items: Vec<u32>,\n}\n\nimpl Cart {\n    pub fn sum(&self) -> u32 {\n        self.items.iter().map(|item| price::total(*item)).sum()\n    }\n}\n` }],
  ["Another body", { "src/price.rs": `/// Sums up.\npub fn total(a: u32) -> u32 {\n    let b = a * 3;\n    let c = b + 1;\n    b + c\n}\n\nfn old_name(a: u32) -> u32 {\n    let mut sum = 0;\n    for i in 0..a {\n        sum += i * 7;\n    }\n    sum\n}\n` }],
  ["Rename", { "src/price.rs": `/// Sums up.\npub fn total(a: u32) -> u32 {\n    let b = a * 3;\n    let c = b + 1;\n    b + c\n}\n\nfn new_name(a: u32) -> u32 {\n    let mut sum = 0;\n    for i in 0..a {\n        sum += i * 7;\n    }\n    sum\n}\n` }],
  ["Many", { "src/lib.rs": `pub mod many;\npub mod price;\npub mod wide;\n\npub struct Cart {\n    pub items: Vec<u32>,\n}\n\nimpl Cart {\n    pub fn sum(&self) -> u32 {\n        self.items.iter().map(|item| price::total(*item)).sum()\n    }\n}\n`, "src/many.rs": many(900), "src/wide.rs": wide(450) }],
  [HOSTILE, { "src/lib.rs": `#[path = "<img src=x onerror=window.pwned=1>.rs"]\npub mod odd;\npub mod many;\npub mod price;\npub mod wide;\n\npub struct Cart {\n    pub items: Vec<u32>,\n}\n\nimpl Cart {\n    pub fn sum(&self) -> u32 {\n        self.items.iter().map(|item| price::total(*item)).sum()\n    }\n}\n`, "src/<img src=x onerror=window.pwned=1>.rs": `/// ${HOSTILE}\n/// \`\`\`\n/// </pre>${HOSTILE}\n/// \`\`\`\n#[doc = "'\\"><svg onload=window.pwned=1>"]\n#[cfg(feature = "<b>${HOSTILE.replaceAll('"', "")}")]\npub fn odd(text: &str) -> bool {\n    // TODO: ${HOSTILE}\n    text == "</code></pre>${HOSTILE.replaceAll('"', '\\"')}" || missing::<1>(text)\n}\n\npub const LINK: &str = "javascript:window.pwned=1";\n` }],
];

export function repository() {
  const root = mkdtempSync(join(tmpdir(), "asof-explorer-"));
  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=Ada <i>Lovelace</i>", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false", ...args], {
      cwd: root,
      stdio: "ignore",
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    });
  let date = "2026-01-01T00:00:00Z";
  git("init", "-q", "-b", "main");
  COMMITS.forEach(([message, files], at) => {
    date = `2026-01-0${at + 1}T00:00:00Z`;
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    git("add", "-A");
    git("commit", "-q", "-m", message);
    git("tag", `t${at + 1}`);
  });
  run(root, "index", "--history");
  return root;
}

// `asof serve` on a free port.
export async function serve(root, ...options) {
  const child = spawn(asof, ["serve", "--port", "0", ...options], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const address = await new Promise((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (data) => {
      said += data;
      const match = /listening on (http:\/\/[^;\s]+)/.exec(said);
      if (match) resolve(match[1]);
    });
    child.on("exit", () => reject(new Error(said)));
  });
  const token = readFileSync(join(root, ".asof/http-token"), "utf8").trim();
  return { address, token, pid: child.pid, stop: () => child.kill() };
}

export const launch = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });

// A signed-in page that notices whatever goes wrong in it.
export async function open(browser, site, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("dialog", (dialog) => page.faults.push(`dialog ${dialog.message()}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) page.faults.push(message.text());
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(site.address) && !url.startsWith("data:")) page.faults.push(`foreign ${url}`);
  });
  await page.goto(`${site.address}/login?next=/`);
  await page.getByLabel("Token").fill(site.token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${site.address}/`);
  return page;
}

export const remove = (root) => rmSync(root, { recursive: true, force: true });
