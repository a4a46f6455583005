/**
 * Entry of PulumiPlugin.yaml: a language host starts the provider plugin with it. Programs import
 * the SDK or `./dynamic` instead.
 */

import { serve } from "./plugin/serve";
import { messageOf } from "./text/errors";
import { visibleText } from "./text/visible-text";

serve(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-opsmanager: ${visibleText(messageOf(error))}\n`);
  process.exit(1);
});
