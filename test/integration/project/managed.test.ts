/** Design, Rules for all: what is declared is owned, what is left out is not managed. */
import { keepDefault, succeeded } from "../../support";
import {
  bothProviders,
  changedPaths,
  messagesOf,
  projectNamed,
  projectProgram,
  projectsProgram,
  writes,
} from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const seed = { projects: [{ name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings }] };

it("a property that is left out is never sent and never drifts, while declared properties are corrected", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed, ldap: true },
    program: (sandbox) =>
      projectProgram({ projectId: projectNamed(sandbox, "payments").id, tags: ["EU", "NEW"] }),
  });
  const { id } = projectNamed(sandbox, "payments");
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([
    { method: "PATCH", path: `/groups/${id}`, body: { tags: ["EU", "NEW"] } },
  ]);

  sandbox.changeProject(id, { name: "invoices", ldapGroupMappings: [] });
  expect((await succeeded(stack.preview({ expectNoChanges: true }))).changes).toEqual({ same: 1 });

  sandbox.changeProject(id, { tags: ["BY-HAND"] });
  sandbox.clearRequests();
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([
    { method: "PATCH", path: `/groups/${id}`, body: { tags: ["EU", "NEW"] } },
  ]);
  expect(sandbox.project(id)).toMatchObject({ name: "invoices", ldapGroupMappings: [] });
});

it.each(bothProviders)(
  "a property that is removed from the program is not sent, is logged as no longer managed, and can be declared again (%s)",
  async (provider) => {
    keepDefault(
      "refreshBeforeUpdate",
      "a plain up reads what was changed while the property was not managed",
    );
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed, ldap: true },
      program: () => ({}),
    });
    const { id: projectId } = projectNamed(sandbox, "payments");
    const all = { projectId, name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings };
    await stack.setProgram(projectProgram(all));
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ projectId }));
    // Known difference: the dynamic provider shows no change per property and has no guards in previews.
    if (provider === "plugin") {
      const preview = await succeeded(stack.preview({ diff: true }));
      expect(changedPaths(preview)).toEqual({ name: "delete", tags: "delete", ldapGroupMappings: "delete" });
      expect(preview.output).toMatch(/- name\s*: "payments"/);
      expect(messagesOf(preview)).toContain("tags is no longer managed; nothing was sent. Use [] to clear.");
    }
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ update: 1 });
    for (const property of ["name", "tags", "ldapGroupMappings"])
      expect(messagesOf(up)).toContain(`${property} is no longer managed`);
    expect(writes(sandbox)).toEqual([]);

    sandbox.changeProject(projectId, { name: "invoices", tags: ["BY-HAND"], ldapGroupMappings: [] });
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);

    await stack.setProgram(projectProgram(all));
    await succeeded(stack.up());
    expect(sandbox.project(projectId)).toMatchObject({
      name: "payments",
      tags: ["EU", "PROD"],
      ldapGroupMappings: mappings,
    });
  },
);

it("a property that is declared as [] is cleared, and has no difference afterwards", async () => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed, ldap: true, emptyLdapMappings: "clear" },
    program: () => ({}),
  });
  const { id: projectId } = projectNamed(sandbox, "payments");
  const all = { projectId, tags: ["EU", "PROD"], ldapGroupMappings: mappings };
  await stack.setProgram(projectProgram(all));
  await succeeded(stack.up());

  await stack.setProgram(projectProgram({ projectId, tags: [], ldapGroupMappings: [] }));
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([
    { method: "PATCH", path: `/groups/${projectId}`, body: { tags: [], ldapGroupMappings: [] } },
  ]);
  expect(sandbox.project(projectId)).toMatchObject({ tags: [], ldapGroupMappings: [] });
  expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });

  sandbox.changeProject(projectId, { tags: ["BY-HAND"] });
  await succeeded(stack.up());
  expect(sandbox.project(projectId)?.tags).toEqual([]);

  await stack.setProgram(projectProgram(all));
  await succeeded(stack.up());
  expect(sandbox.project(projectId)).toMatchObject({ tags: ["EU", "PROD"], ldapGroupMappings: mappings });
});

describe("the difference of a set (plugin; the dynamic provider shows the whole property)", () => {
  const readOnly = (...ldapGroups: string[]) => ({ roleName: "GROUP_READ_ONLY", ldapGroups });
  const owner = (...ldapGroups: string[]) => ({ roleName: "GROUP_OWNER", ldapGroups });

  interface Change {
    readonly title: string;
    readonly from: Readonly<Record<string, unknown>>;
    readonly to: Readonly<Record<string, unknown>>;
    readonly paths: Readonly<Record<string, string>>;
    readonly shown: readonly RegExp[];
  }
  const changes: readonly Change[] = [
    {
      title: "an added tag at its new place",
      from: { tags: ["A", "C"] },
      to: { tags: ["A", "B", "C"] },
      paths: { "tags[1]": "add" },
      shown: [/\+ \[1\]: "B"/],
    },
    {
      title: "a removed tag at its old place",
      from: { tags: ["A", "B", "C"] },
      to: { tags: ["A", "C"] },
      paths: { "tags[1]": "delete" },
      shown: [/- \[1\]: "B"/],
    },
    {
      title: "a removed and an added tag each at its place",
      from: { tags: ["A", "B", "C"] },
      to: { tags: ["B", "C", "D"] },
      paths: { "tags[0]": "delete", "tags[2]": "add" },
      shown: [/- \[0\]: "A"/, /\+ \[2\]: "D"/],
    },
    {
      title: "a replaced tag as one change of it",
      from: { tags: ["A", "C"] },
      to: { tags: ["B", "C"] },
      paths: { "tags[0]": "update" },
      shown: [/~ \[0\]: "A" => "B"/],
    },
    {
      title: "an added group within its mapping",
      from: { ldapGroupMappings: [owner("cn=a"), readOnly("cn=c")] },
      to: { ldapGroupMappings: [owner("cn=a", "cn=b"), readOnly("cn=c")] },
      paths: { "ldapGroupMappings[0].ldapGroups[1]": "add" },
      shown: [/\+ \[1\]: "cn=b"/],
    },
    {
      title: "a removed group within its mapping",
      from: { ldapGroupMappings: [owner("cn=a", "cn=b"), readOnly("cn=c")] },
      to: { ldapGroupMappings: [owner("cn=a"), readOnly("cn=c")] },
      paths: { "ldapGroupMappings[0].ldapGroups[1]": "delete" },
      shown: [/- \[1\]: "cn=b"/],
    },
    {
      title: "an added role as a whole mapping",
      from: { ldapGroupMappings: [owner("cn=a")] },
      to: { ldapGroupMappings: [owner("cn=a"), readOnly("cn=c")] },
      paths: { "ldapGroupMappings[1]": "add" },
      shown: [/\+ \[1\]: \{/, /\+ roleName\s*: "GROUP_READ_ONLY"/],
    },
    {
      title: "a removed role as a whole mapping",
      from: { ldapGroupMappings: [owner("cn=a"), readOnly("cn=c")] },
      to: { ldapGroupMappings: [owner("cn=a")] },
      paths: { "ldapGroupMappings[1]": "delete" },
      shown: [/- \[1\]: \{/, /- roleName\s*: "GROUP_READ_ONLY"/],
    },
    {
      title: "a removed role that stood before the others as a whole mapping, and nothing of the others",
      from: { ldapGroupMappings: [owner("cn=a"), readOnly("cn=c")] },
      to: { ldapGroupMappings: [readOnly("cn=c")] },
      paths: { "ldapGroupMappings[0]": "delete" },
      shown: [/- \[0\]: \{/, /- roleName\s*: "GROUP_OWNER"/],
    },
  ];

  /** What `preview --diff` prints about one resource. */
  const printedOf = (name: string, output: string) =>
    output
      .split(/\n(?=\s*[~+-] opsmanager:index:Project)/)
      .filter((block) => block.includes(`::${name}]`))
      .join("\n");

  it("is shown entry by entry, in text and in the engine's events", async () => {
    const programOf = (orgId: string, side: "from" | "to") =>
      projectsProgram(
        Object.fromEntries(
          changes.map((change, index) => [
            `case-${index}`,
            { properties: { orgId, name: `case-${index}`, ...change[side] } },
          ]),
        ),
      );
    const { sandbox, stack } = await setUpStack({
      sandbox: { ldap: true },
      program: ({ orgId }) => programOf(orgId, "from"),
    });
    await succeeded(stack.up());

    await stack.setProgram(programOf(sandbox.orgId, "to"));
    const preview = await succeeded(stack.preview({ diff: true }));
    expect(preview.changes).toEqual({ update: changes.length });
    const found = changes.map(({ title, shown }, index) => {
      const printed = printedOf(`case-${index}`, preview.output);
      const missing = shown.filter((line) => !line.test(printed));
      return { title, paths: changedPaths(preview, `case-${index}`), missing };
    });
    expect(found).toEqual(changes.map(({ title, paths }) => ({ title, paths, missing: [] })));
  });

  it("is shown tag by tag in a plain preview for what was changed outside Pulumi", async () => {
    keepDefault("refreshBeforeUpdate", "a plain preview shows drift");
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["A", "B", "C"] }),
    });
    await succeeded(stack.up());

    sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["A", "C", "X"] });
    const preview = await succeeded(stack.preview({ diff: true }));
    expect(changedPaths(preview)).toEqual({ "tags[1]": "add", "tags[2]": "delete" });
    expect(preview.output).toMatch(/\+ \[1\]: "B"/);
    expect(preview.output).toMatch(/- \[2\]: "X"/);
  });
});

it.each(bothProviders)(
  "a service that stores another value than it was sent ends create and update as initialization failed: both values are named, and the state has the stored one (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { lowerCaseTags: "upper" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["prod"] }),
    });
    const { orgId } = sandbox;
    const created = await stack.up();
    expect(created.exitCode).not.toBe(0);
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["PROD"]);
    expect(messagesOf(created)).toMatch(/tags was sent as \["prod"\], but the service stored \["PROD"\]/);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { tags: ["PROD"], origin: "created" },
      initErrors: [expect.stringContaining('["PROD"]')],
    });

    await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["PROD"] }));
    await succeeded(stack.up());
    expect((await stack.resource("payments"))?.initErrors ?? []).toEqual([]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });

    await stack.setProgram(projectProgram({ orgId, name: "payments", tags: ["PROD", "eu"] }));
    const updated = await stack.up();
    expect(updated.exitCode).not.toBe(0);
    expect(messagesOf(updated)).toMatch(
      /tags was sent as \["PROD","eu"\], but the service stored \["EU","PROD"\]/,
    );
    expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["EU", "PROD"] } });
  },
);

it("a role without groups in the response is no difference from an absent mapping", async () => {
  const { sandbox, stack } = await setUpStack({
    sandbox: { seed, ldap: true },
    program: (sandbox) =>
      projectProgram({ projectId: projectNamed(sandbox, "payments").id, ldapGroupMappings: mappings }),
  });
  const { id } = projectNamed(sandbox, "payments");
  await succeeded(stack.up());

  sandbox.changeProject(id, {
    ldapGroupMappings: [...mappings, { roleName: "GROUP_READ_ONLY", ldapGroups: [] }],
  });
  expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
  expect(writes(sandbox)).toEqual([]);
});
