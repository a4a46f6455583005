#!/usr/bin/env node
/**
 * The `opsmanager` command. Its syntax must be valid on an old Node.js, so it can print that the
 * version is too old.
 */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`opsmanager needs Node.js 22.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
} else {
  void start();
}

async function start(): Promise<void> {
  const { useCompileCache } = await import("../provider/compile-cache.js");
  useCompileCache();
  const { run, processTerminal } = await import("./index.js");
  process.exitCode = await run(process.argv.slice(2), processTerminal());
}
