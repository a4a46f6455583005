/**
 * Entry of PulumiPlugin.yaml: a language host starts the provider plugin with it. Programs import
 * the SDK or `./dynamic` instead.
 */

import { useCompileCache } from "./compile-cache";
import type { Construct } from "./plugin/service";

useCompileCache();
const { serve } = require("./plugin/serve") as typeof import("./plugin/serve");
const { messageOf } = require("./text/errors") as typeof import("./text/errors");
const { visibleText } = require("./text/visible-text") as typeof import("./text/visible-text");

const construct: Construct = (...call) => {
  // Loads the Node.js SDK, which no other call needs.
  const projects = require("../projects/construct") as typeof import("../projects/construct");
  return projects.construct(...call);
};

serve(process.argv.slice(2), construct).catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-opsmanager: ${visibleText(messageOf(error))}\n`);
  process.exit(1);
});
