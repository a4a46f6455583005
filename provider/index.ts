/** What a language host starts by PulumiPlugin.yaml: the plugin door. Programs import the SDK or `./dynamic` instead. */
import { serve } from "./grpc/serve";

serve(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`pulumi-resource-opsmanager: ${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
});
