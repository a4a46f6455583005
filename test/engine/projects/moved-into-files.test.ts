/** A project that a program declared by itself moves into a file: the component is its parent then, so its URN is another one. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { doings, recorded, setUpProjectFolder } from "../support/project-folder";
import { errorsOf, projectNamed, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const transforms = `{ transforms: [({ type, props, opts }) => {
  const { mergeOptions, rootStackResource } = require("@pulumi/pulumi");
  const isOurs = type.startsWith("opsmanager:index:");
  return isOurs ? { props, opts: mergeOptions(opts, { aliases: [{ parent: rootStackResource }] }) } : undefined;
}] }`;

it("stops without an alias, and continues with the component's transforms; nothing is sent to the service", async () => {
  const setup = await setUpProjectFolder({
    provider: "plugin",
    files: ({ orgId }) => ({ "payments.yaml": `orgId: ${orgId}\nname: payments\nonDestroy: delete\n` }),
  });
  const { sandbox, stack } = setup;
  const index = join(stack.paths.program, "index.js");
  const withFiles = await readFile(index, "utf8");
  const args = JSON.stringify({ orgId: sandbox.orgId, name: "payments", onDestroy: "delete" });
  await writeFile(index, `new (require("pulumi-opsmanager").Project)("payments", ${args});`);
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  const { urn } = (await stack.resource("payments")) ?? {};
  sandbox.clearRequests();

  await writeFile(index, withFiles);
  expect(await errorsOf(stack.up())).toContain(
    `This stack holds it as ${urn}. If that is this resource under its old name or parent, declare the alias: in the program by aliases: ["${urn}"], for a project file by transforms of its ProjectFolder.`,
  );

  await writeFile(index, withFiles.replace("}, {})", `}, ${transforms})`));
  expect(doings(await succeeded(stack.up()))).toEqual([]);
  expect(await recorded(setup)).toEqual(["Project payments", "ProjectFolder projects"]);
  expect((await stack.resource("payments"))?.urn).toContain(
    "ProjectFolder$opsmanager:index:Project::payments",
  );
  expect(writes(sandbox)).toEqual([]);
  expect(projectNamed(sandbox, "payments").id).toBe(id);
});
