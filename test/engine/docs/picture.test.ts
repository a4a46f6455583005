/** The terminal picture of README.md shows what the commands print today. */
import { join } from "node:path";
import { run } from "../../../scripts/lib/run.mjs";
import { repositoryRoot } from "../../support";

it("the picture of README.md is the output of its commands", async () => {
  await run(process.execPath, [join(repositoryRoot, "scripts", "terminal-picture.mjs"), "--check"], {
    cwd: repositoryRoot,
  });
}, 300_000);
