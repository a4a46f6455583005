/** README.md is true for every kind of resource. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { resourceKinds } from "../../../provider/resources/kinds";
import { repositoryRoot } from "../../support/repository";

it("the table of what the provider manages has one row for each kind of resource", () => {
  const readme = readFileSync(join(repositoryRoot, "README.md"), "utf8");
  const rows = [...readme.matchAll(/^\| \[`(\w+)`\]\(docs\/resources\/[\w-]+\.md\) \|/gm)];
  expect(rows.map(([, kind]) => kind).sort()).toEqual([...resourceKinds].sort());
});
