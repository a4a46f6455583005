"use strict";
/**
 * A process that evaluates Node.js programs or dynamic providers for many `pulumi` commands, one command at a time.
 *
 *   node node-host-process.cjs programs     a language host, for PULUMI_DEBUG_LANGUAGES=nodejs:PORT
 *   node node-host-process.cjs providers    hosts of dynamic providers, for `test/engine/pulumi-resource-pulumi-nodejs`
 *
 * It prints one line of JSON at the start: `{"port":N}`. For each line `{"begin":{"environment":{...},"cwd":"..."}}` on
 * its standard input it prints `{"ready":true}`. It exits when its standard input closes.
 */
const { createInterface } = require("node:readline");
const { install, rememberResourcesOfHost } = require("./emulated-process.cjs");

// What is loaded here, outside any emulated process, is shared by all of them.
require("@pulumi/pulumi");
require("pulumi-opsmanager/dynamic");
require("pulumi-opsmanager/dynamic/adapter");
const { request } = require("undici");

const print = process.stdout.write.bind(process.stdout);
const [role] = process.argv.slice(2);

install();
main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

async function main() {
  readCommands();
  await createTimerOfUndici();
  if (role === "programs") announce(await require("./programs.cjs").servePrograms());
  else if (role === "providers") announce(await require("./providers.cjs").serveProviders());
  else throw new Error(`The role must be "programs" or "providers", but is ${JSON.stringify(role)}.`);
}

/** @param {number} port */
function announce(port) {
  // An immediate that is not referenced is none of the resources.
  setImmediate(() => {
    rememberResourcesOfHost();
    print(`${JSON.stringify({ port })}\n`);
  }).unref();
}

function readCommands() {
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const { begin } = JSON.parse(line);
    if (role === "programs") require("./programs.cjs").beginCommand(begin);
    print(`${JSON.stringify({ ready: true })}\n`);
  });
  lines.on("close", () => process.exit(0));
}

/** undici has one timer for all its requests. If a program created it, its callbacks would belong to that program. */
async function createTimerOfUndici() {
  await request("http://127.0.0.1:9").catch(() => {});
}
