/**
 * Entry of PulumiPlugin.yaml: a language host starts the provider plugin with it. Programs import
 * the SDK or `./dynamic` instead.
 */

import { useCompileCache } from "./compile-cache";

useCompileCache();
const { serve } = require("./plugin/serve") as typeof import("./plugin/serve");
const { messageOf } = require("./text/errors") as typeof import("./text/errors");
const { visibleText } = require("./text/visible-text") as typeof import("./text/visible-text");

serve(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-opsmanager: ${visibleText(messageOf(error))}\n`);
  process.exit(1);
});
