/**
 * The logical name of a project is the name of its file, and the component is its parent: neither another file nor a move from the
 * program into a file may lose the project or make a second one.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { succeeded } from "../../support";
import { doings, recorded, setUpAccessFolder, writeProjectFiles } from "../support/access-folder";
import { membersOf } from "../support/people-program";
import { errorsOf, projectNamed, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const transforms = `({ type, props, opts }) => {
  const { mergeOptions, rootStackResource } = require("@pulumi/pulumi");
  const isOurs = type.startsWith("opsmanager:index:");
  return isOurs ? { props, opts: mergeOptions(opts, { aliases: [{ parent: rootStackResource }] }) } : undefined;
}`;

const emea = ({ baseUrl, publicKey, privateKey }: Sandbox) =>
  `new opsmanager.Provider("emea", ${JSON.stringify({ baseUrl, publicKey, privateKey })})`;

/** `delete` is what would lose the project, were it believed that the file no longer exists. */
const payments = (orgId: string, more = "") => `orgId: ${orgId}\nname: payments\nonDestroy: delete\n${more}`;

it("stops with the alias or the key that continues it, keeps everything, and continues with it", async () => {
  const setup = await setUpAccessFolder({
    provider: "plugin",
    sandbox: { bypassInvitations: true, seed: { users: [{ username: "ada@example.com" }] } },
    files: ({ orgId }) => ({ "payments.yaml": payments(orgId) }),
    options: (service) => `{ providers: [${emea(service)}] }`,
  });
  const { sandbox, stack } = setup;
  const { orgId } = sandbox;
  const index = join(stack.paths.program, "index.js");
  const withFiles = await readFile(index, "utf8");
  const args = JSON.stringify({ orgId, name: "payments", onDestroy: "delete" });
  const alone = `new opsmanager.Project("payments", ${args}, { provider: ${emea(sandbox)} });`;
  await writeFile(index, `const opsmanager = require("pulumi-opsmanager");\n${alone}`);
  await succeeded(stack.up());
  const { id } = projectNamed(sandbox, "payments");
  const held = async () => {
    const urn = (await stack.resource("payments"))?.urn;
    return `Organization ${orgId} already has a project named "payments": ${id}. Nothing was written. This stack holds it as ${urn}. If that is this resource under its old name or parent, declare the alias: in the program by aliases: ["${urn}"], `;
  };
  sandbox.clearRequests();

  await writeFile(index, withFiles);
  expect(await errorsOf(stack.up())).toContain(
    `${await held()}for a project file by transforms of its AccessFolder.`,
  );
  await writeFile(index, withFiles.replace("{ providers: [", `{ transforms: [${transforms}], providers: [`));
  expect(doings(await succeeded(stack.up()))).toEqual([]);
  expect(writes(sandbox)).toEqual([]);
  const people = "members: { ada@example.com: [GROUP_OWNER] }\n";
  await writeProjectFiles(setup, { "payments.yaml": payments(orgId, people) });
  await succeeded(stack.up());
  const before = await recorded(setup);
  expect(before).toEqual(["AccessFolder access", "Project payments", "ProjectMembers payments"]);
  const { resources } = await stack.state();
  const declared = resources.filter(({ type, custom }) => custom && type.startsWith("opsmanager:index:"));
  expect(declared.map(({ provider }) => provider?.includes("::emea::"))).toEqual([true, true]);
  expect((await stack.resource("payments"))?.urn).toContain("AccessFolder$opsmanager:index:Project::");
  sandbox.clearRequests();

  await writeProjectFiles(setup, { "payments.yaml": undefined, "accounts.yaml": payments(orgId, people) });
  const message = `${await held()}in a project file by key: payments. If payments gives up the name, make this resource depend on it, or run pulumi up without this resource first. If both are meant to exist, give this project another name.`;
  expect(await errorsOf(stack.preview())).toContain(message);
  expect(await errorsOf(stack.up({ continueOnError: true }))).toContain(message);
  expect(membersOf(sandbox, id)).toEqual({ "ada@example.com": ["GROUP_OWNER"] });
  const withKey = payments(orgId, `${people}key: payments\n`);
  await writeProjectFiles(setup, { "accounts.yaml": withKey });
  expect(doings(await succeeded(stack.up({ expectNoChanges: true })))).toEqual([]);
  expect(await recorded(setup)).toEqual(before);
  expect(writes(sandbox)).toEqual([]);
});
