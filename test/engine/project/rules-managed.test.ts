/** Design, Rules for all: what is declared is owned, what is left out is not managed. */
import { succeeded } from "../../support";
import { createEstate, disposeEstates } from "../support/estate";
import { changedPaths, doors, projectNamed, projectProgram, said, writes } from "../support/project-program";

afterEach(disposeEstates);

const mappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];
const seed = { projects: [{ name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings }] };

describe.each(doors)("a property that is left out (%s)", (door) => {
  it("is never sent and never drifts, while the declared ones are kept as declared", async () => {
    const { sandbox, stack } = await createEstate({
      door,
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
});

describe.each(doors)("a line that is taken away (%s)", (door) => {
  it("sends nothing, says that the property is no longer managed, and can come back", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed, ldap: true },
      program: () => ({}),
    });
    const { id: projectId } = projectNamed(sandbox, "payments");
    const all = { projectId, name: "payments", tags: ["EU", "PROD"], ldapGroupMappings: mappings };
    await stack.setProgram(projectProgram(all));
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ projectId }));
    // Known difference: the dynamic door shows no change per property and guards nothing in previews.
    if (door === "plugin") {
      const preview = await succeeded(stack.preview({ diff: true }));
      expect(changedPaths(preview)).toEqual({ name: "delete", tags: "delete", ldapGroupMappings: "delete" });
      expect(preview.output).toMatch(/- name\s*: "payments"/);
      expect(said(preview)).toContain("tags is no longer managed; nothing was sent. Use [] to clear.");
    }
    const up = await succeeded(stack.up());
    expect(up.changes).toEqual({ update: 1 });
    for (const property of ["name", "tags", "ldapGroupMappings"])
      expect(said(up)).toContain(`${property} is no longer managed`);
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
  });

  it("is cleared by [] instead, and [] stays without a difference", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { seed, ldap: true },
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
});

describe.each(doors)("tags, roles and LDAP groups (%s)", (door) => {
  it("are sets: their order is never a change, neither in the program nor in the service", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectProgram({
          orgId,
          name: "payments",
          tags: ["PROD", "EU", "A"],
          ldapGroupMappings: [
            { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=b", "cn=a"] },
            { roleName: "GROUP_OWNER", ldapGroups: ["cn=d", "cn=c"] },
          ],
        }),
    });
    await succeeded(stack.up());
    const { id } = projectNamed(sandbox, "payments");

    sandbox.changeProject(id, {
      tags: ["EU", "A", "PROD"],
      ldapGroupMappings: [
        { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=b", "cn=a"] },
        { roleName: "GROUP_OWNER", ldapGroups: ["cn=d", "cn=c"] },
      ],
    });
    await stack.setProgram(
      projectProgram({
        orgId: sandbox.orgId,
        name: "payments",
        tags: ["A", "PROD", "EU"],
        ldapGroupMappings: [
          { roleName: "GROUP_OWNER", ldapGroups: ["cn=c", "cn=d"] },
          { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=a", "cn=b"] },
        ],
      }),
    );
    sandbox.clearRequests();
    expect((await succeeded(stack.up())).changes).toEqual({ same: 1 });
    expect((await succeeded(stack.refresh())).changes).toEqual({ same: 1 });
    expect(writes(sandbox)).toEqual([]);
  });
});

describe("the difference of a set (plugin; the dynamic door shows the whole property)", () => {
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

  it.each(changes)("shows $title, in text and in the engine's events", async ({ from, to, paths, shown }) => {
    const { sandbox, stack } = await createEstate({
      sandbox: { ldap: true },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", ...from }),
    });
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", ...to }));
    const preview = await succeeded(stack.preview({ diff: true }));
    expect(preview.changes).toEqual({ update: 1 });
    expect(changedPaths(preview)).toEqual(paths);
    for (const line of shown) expect(preview.output).toMatch(line);
  });

  it("shows what was changed by hand, tag by tag, in a plain preview", async () => {
    const { sandbox, stack } = await createEstate({
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

describe.each(doors)("a service that stores something else than it was sent (%s)", (door) => {
  it("ends the operation as initialization failed, naming both values, and keeps the id", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { lowerCaseTags: "upper" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["prod"] }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    const { id, tags } = projectNamed(sandbox, "payments");
    expect(tags).toEqual(["PROD"]);
    expect(said(up)).toMatch(/tags was sent as \["prod"\], but the service stored \["PROD"\]/);
    expect(await stack.resource("payments")).toMatchObject({
      id,
      outputs: { tags: ["PROD"], origin: "created" },
      initErrors: [expect.stringContaining('["PROD"]')],
    });

    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["PROD"] }));
    await succeeded(stack.up());
    expect((await stack.resource("payments"))?.initErrors ?? []).toEqual([]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });

  it("is told of again when an update meets it, and the state holds what is stored", async () => {
    const { sandbox, stack } = await createEstate({
      door,
      sandbox: { lowerCaseTags: "upper" },
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"] }),
    });
    await succeeded(stack.up());

    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["PROD", "eu"] }));
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(said(up)).toMatch(/tags was sent as \["PROD","eu"\], but the service stored \["EU","PROD"\]/);
    expect(await stack.resource("payments")).toMatchObject({ outputs: { tags: ["EU", "PROD"] } });
  });

  it("may answer a role without groups where the mapping is absent: that is no difference", async () => {
    const { sandbox, stack } = await createEstate({
      door,
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
});
