/** What the `opsmanager` command finds around it where there is no stack of the harness. */
import { delimiter, join } from "node:path";
import { engine } from "./engine";

/** With the tests' engine on PATH, and nothing of the machine's own Pulumi. @param home folder that takes what Pulumi keeps */
export function engineEnvironment(home: string): Record<string, string> {
  return {
    PATH: [engine().bin, process.env.PATH].join(delimiter),
    HOME: home,
    PULUMI_HOME: join(home, ".pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}
