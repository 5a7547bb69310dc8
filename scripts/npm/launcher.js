#!/usr/bin/env node
// Starts the program beside this file, with the same streams, arguments and exit code.
"use strict";
const { spawn } = require("node:child_process");
const { join } = require("node:path");

const child = spawn(join(__dirname, "asof"), process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both; other signals reach this process alone.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`error: cannot start asof: ${error.message}`);
  process.exit(5);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
});
