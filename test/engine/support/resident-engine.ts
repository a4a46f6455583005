import { chmod, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { engine, repositoryRoot } from "../../support";
import { attachment, setUpStack } from "./stack-setup";

const pulumiOnPath = join(repositoryRoot, "test", "support", "resident", "bin", "pulumi");

/**
 * Fills an engine folder for PULUMI_OPSMANAGER_ENGINE. Its `pulumi` runs in the resident processes, with a home and a backend that end
 * with `tearDownStacks`. For scripts of this repository that start `pulumi` themselves.
 */
export async function makeResidentEngine(folder: string): Promise<string> {
  const { bin, residentCommandLine } = engine();
  if (residentCommandLine === undefined) return bin;
  const { stack } = await setUpStack({ provider: "dynamic", program: () => ({}) });
  stack.setEnv({ ...(await attachment()), PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
  const { PULUMI_STACK: _, ...env } = await stack.environmentOfCommands();
  await mkdir(folder);
  const others = (await readdir(bin)).filter((name) => name !== "pulumi");
  for (const name of others) await symlink(join(bin, name), join(folder, name));
  const lines = [
    "#!/usr/bin/env node",
    // The command of this project requests the format of a preview by this variable.
    "const { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: streams } = process.env;",
    `process.env = ${JSON.stringify(env)};`,
    "if (streams !== undefined) process.env.PULUMI_ENABLE_STREAMING_JSON_PREVIEW = streams;",
    `require(${JSON.stringify(pulumiOnPath)});`,
    "",
  ];
  await writeFile(join(folder, "pulumi"), lines.join("\n"));
  await chmod(join(folder, "pulumi"), 0o755);
  return folder;
}
