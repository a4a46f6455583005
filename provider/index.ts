/** What a language host starts by PulumiPlugin.yaml: the plugin door. Programs import the SDK or `./dynamic` instead. */
import { messageOf } from "./errors";
import { serve } from "./plugin/serve";
import { visibleText } from "./visible-text";

serve(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-opsmanager: ${visibleText(messageOf(error))}\n`);
  process.exit(1);
});
