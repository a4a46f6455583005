/**
 * Entry of PulumiPlugin.yaml: a language host starts the provider plugin with it. Programs import
 * the SDK or `./dynamic` instead.
 */

import { serve } from "./plugin/serve";
import type { Construct } from "./plugin/service";
import { messageOf } from "./text/errors";
import { visibleText } from "./text/visible-text";

const construct: Construct = (...call) => {
  // Loads the Node.js SDK, which no other call needs.
  const projects = require("../projects/construct") as typeof import("../projects/construct");
  return projects.construct(...call);
};

serve(process.argv.slice(2), construct).catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-opsmanager: ${visibleText(messageOf(error))}\n`);
  process.exit(1);
});
