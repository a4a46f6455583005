/** Where the examples take the package from: anybody may register a name that is free on the npm registry. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "../../../provider/version";
import { repositoryRoot } from "../../support/repository";

const folder = join(repositoryRoot, "examples");
const manifests = readdirSync(folder)
  .map((name) => join(folder, name, "package.json"))
  .filter((file) => existsSync(file));

it("is a file that the reader makes, and never a registry", () => {
  const sources = manifests.map(
    (file) => JSON.parse(readFileSync(file, "utf8")).dependencies["pulumi-opsmanager"],
  );
  expect(sources.length).toBeGreaterThan(3);
  expect(new Set(sources)).toEqual(new Set([`file:pulumi-opsmanager-${packageVersion()}.tgz`]));
});
