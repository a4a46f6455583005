/** The logical name of a project is the name of its file: renaming the file must neither lose the project nor make a second one. */
import { succeeded } from "../../support";
import { membersOf } from "../support/people-program";
import { doings, recorded, setUpProjectFolder, writeProjectFiles } from "../support/project-folder";
import { messagesOf, projectNamed, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

/** `delete` is what would lose the project, were it believed that the file no longer exists. */
const payments = (orgId: string, more = "") =>
  `orgId: ${orgId}\nname: payments\nonDestroy: delete\nmembers: { ada@example.com: [GROUP_OWNER] }\n${more}`;

it("stops with both solutions, keeps everything, and continues with the key", async () => {
  const setup = await setUpProjectFolder({
    provider: "plugin",
    sandbox: { bypassInvitations: true, seed: { users: [{ username: "ada@example.com" }] } },
    files: ({ orgId }) => ({ "payments.yaml": payments(orgId) }),
    options: ({ baseUrl, publicKey, privateKey }) =>
      `{ providers: [new opsmanager.Provider("emea", ${JSON.stringify({ baseUrl, publicKey, privateKey })})] }`,
  });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  const before = await recorded(setup);
  const { resources } = await stack.state();
  const declared = resources.filter(({ type, custom }) => custom && type.startsWith("opsmanager:index:"));
  expect(declared.map(({ provider }) => provider?.includes("::emea::"))).toEqual([true, true]);
  const { id } = projectNamed(sandbox, "payments");
  const urn = declared.find(({ type }) => type === "opsmanager:index:Project")?.urn;
  sandbox.clearRequests();

  await writeProjectFiles(setup, { "payments.yaml": undefined, "accounts.yaml": payments(sandbox.orgId) });
  const preview = await stack.preview();
  const up = await stack.up({ continueOnError: true });
  for (const run of [preview, up]) {
    expect(run.exitCode).not.toBe(0);
    expect(messagesOf(run, "error")).toContain(
      `Organization ${sandbox.orgId} already has a project named "payments": ${id}. Nothing was written. This stack holds it as ${urn}. If that is this resource under its old name or parent, declare the alias: in the program by aliases: ["${urn}"], in a project file by key: payments. If payments gives up the name, make this resource depend on it, or run pulumi up without this resource first. If both are meant to exist, give this project another name.`,
    );
  }
  expect(writes(sandbox)).toEqual([]);
  expect(membersOf(sandbox, id)).toEqual({ "ada@example.com": ["GROUP_OWNER"] });

  await writeProjectFiles(setup, { "accounts.yaml": payments(sandbox.orgId, "key: payments\n") });
  expect(doings(await succeeded(stack.up({ expectNoChanges: true })))).toEqual([]);
  expect(await recorded(setup)).toEqual(before);
  expect(writes(sandbox)).toEqual([]);
});
