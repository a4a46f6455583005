/** The logical name of a project is the name of its file: renaming the file must neither lose the project nor make a second one. */
import { succeeded } from "../../support";
import { disposeEstates } from "../support/estate";
import { membersOf } from "../support/people-program";
import { createFolderEstate, doings, recorded, writeProjectFiles } from "../support/project-folder";
import { projectNamed, said, writes } from "../support/project-program";

afterEach(disposeEstates);

/** `delete` is what would lose the project, were it believed that the file is gone. */
const payments = (orgId: string, more = "") =>
  `orgId: ${orgId}\nname: payments\nonDestroy: delete\nmembers: { ada@example.com: [GROUP_OWNER] }\n${more}`;

it("stops with both ways out, keeps everything, and goes on with the key", async () => {
  const estate = await createFolderEstate({
    door: "plugin",
    sandbox: { bypassInvitations: true, seed: { users: [{ username: "ada@example.com" }] } },
    files: ({ orgId }) => ({ "payments.yaml": payments(orgId) }),
    options: ({ baseUrl, publicKey, privateKey }) =>
      `{ providers: [new door.Provider("emea", ${JSON.stringify({ baseUrl, publicKey, privateKey })})] }`,
  });
  const { sandbox, stack } = estate;
  await succeeded(stack.up());
  const before = await recorded(estate);
  const { resources } = await stack.state();
  const declared = resources.filter(({ type }) => type.startsWith("opsmanager:index:"));
  expect(declared.map(({ provider }) => provider?.includes("::emea::"))).toEqual([true, true]);
  const { id } = projectNamed(sandbox, "payments");
  const urn = declared.find(({ type }) => type === "opsmanager:index:Project")?.urn;
  sandbox.clearRequests();

  await writeProjectFiles(estate, { "payments.yaml": undefined, "accounts.yaml": payments(sandbox.orgId) });
  const preview = await stack.preview();
  const up = await stack.up({ continueOnError: true });
  for (const run of [preview, up]) {
    expect(run.exitCode).not.toBe(0);
    expect(said(run, "error")).toContain(
      `Organization ${sandbox.orgId} already has a project named "payments": ${id}. Nothing was written. This stack holds it as ${urn}. If that is this resource under its old name or parent, say so: in the program by aliases: ["${urn}"], in a project file by key: payments. If both are meant to exist, give this project another name.`,
    );
  }
  expect(writes(sandbox)).toEqual([]);
  expect(membersOf(sandbox, id)).toEqual({ "ada@example.com": ["GROUP_OWNER"] });

  await writeProjectFiles(estate, { "accounts.yaml": payments(sandbox.orgId, "key: payments\n") });
  expect(doings(await succeeded(stack.up({ expectNoChanges: true })))).toEqual([]);
  expect(await recorded(estate)).toEqual(before);
  expect(writes(sandbox)).toEqual([]);
});
