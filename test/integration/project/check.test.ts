/** Design, Check: every fault of a program at once, before anything is sent; and what the service cannot take. */

import {
  bothProviders,
  messagesOf,
  projectNamed,
  projectProgram,
  projectsProgram,
  timesPrinted,
  writes,
} from "../../engine/support/project-program";
import { type Values, withoutSecrets } from "../../proof/engine-model";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

afterEach(tearDownStacks);

const orgId = "0123456789abcdef01234567";

/** Every rule that one program can break at the same time. */
const faulty = {
  projectId: "not-an-id",
  orgId: "0123",
  projectOwnerId: "0123456789abcdef0123456z",
  name: "pay\u0007ments",
  tags: ["A", "B", "C", "D", "E", "EU", "EU", "COST-1", "T".repeat(33), "NO SPACE", ""],
  ignoreTags: ["COST-*"],
  ldapGroupMappings: [
    { roleName: "GROUP_OWNER", ldapGroups: ["cn=a", "cn=b", "cn=a", ""] },
    { roleName: "GROUP_OWNER", ldapGroups: ["cn=c"] },
    { roleName: "", ldapGroups: [] },
  ],
  onDestroy: "remove",
};
const faultsOfFaulty = [
  "projectId must be the id of a project: 24 hexadecimal digits",
  "orgId must be the id of an organization: 24 hexadecimal digits",
  "projectOwnerId must be the id of a user: 24 hexadecimal digits",
  "name must not hold control characters",
  "tags has 11 entries; a project has at most 10",
  "tags[8] must have 1 to 32 characters: letters, digits, `.`, `_` and `-`",
  "tags[9] must have 1 to 32 characters",
  "tags[10] must have 1 to 32 characters",
  'tags holds "EU" more than once',
  'tags holds "COST-1", which ignoreTags matches',
  "ldapGroupMappings has more than one entry for GROUP_OWNER",
  'ldapGroups holds "cn=a" more than once',
  "ldapGroupMappings[0].ldapGroups[3] must not be empty",
  "ldapGroupMappings[2].roleName must not be empty",
  "ldapGroupMappings[2].ldapGroups must not be empty",
  'onDestroy must be "delete" or "release"',
];

describe.each(bothProviders)("the check of a program with faults (%s)", (provider) => {
  it("reports every fault in one run, each once, and sends no request", async () => {
    const { sandbox, stack } = await setUpStack({ provider, program: () => projectProgram(faulty) });

    const preview = await stack.preview();
    expect(preview.exitCode).not.toBe(0);
    const text = messagesOf(preview, "error");
    expect(faultsOfFaulty.filter((fault) => text.split(fault).length !== 2)).toEqual([]);
    expect((await stack.up()).exitCode).not.toBe(0);
    expect(sandbox.requests).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();
  });
});

describe("the check of a program with faults", () => {
  it.each([
    ["no field at all", {}, "orgId and name are missing: give projectId to adopt an existing project"],
    ["orgId without name", { orgId }, "name is missing: give projectId to adopt"],
    ["name without orgId", { name: "payments" }, "orgId is missing: give projectId to adopt"],
    ["an empty name", { orgId, name: "" }, "name must not be empty"],
    [
      "one tag too many",
      { orgId, name: "payments", tags: [..."ABCDEFGHIJK"] },
      "tags has 11 entries; a project has at most 10",
    ],
  ])("names what is missing or too much: %s", async (_, properties, fault) => {
    const { sandbox, stack } = await setUpStack({ program: () => projectProgram(properties) });
    const preview = await stack.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(messagesOf(preview, "error")).toContain(fault);
    expect(sandbox.requests).toEqual([]);
  });
});

const misshapen = {
  orgId,
  name: "payments",
  colour: "blue",
  tags: "PROD",
  withDefaultAlertsSettings: "perhaps",
  ldapGroupMappings: [
    { roleName: "GROUP_OWNER", ldapGroups: ["cn=a"], colour: "blue" },
    { roleName: "GROUP_OWNER", ldapGroups: ["cn=b"] },
  ],
};

describe("a program whose values have the wrong shape", () => {
  it("is reported with the other faults in one run (dynamic)", async () => {
    const { sandbox, stack } = await setUpStack({
      provider: "dynamic",
      program: () => projectProgram(misshapen),
    });
    const preview = await stack.preview();
    expect(preview.exitCode).not.toBe(0);
    const text = messagesOf(preview, "error");
    const faults = [
      "colour is not a property.",
      "colour is not a property in ldapGroupMappings[0]",
      "tags must be a list",
      "withDefaultAlertsSettings must be true or false",
      "ldapGroupMappings has more than one entry for GROUP_OWNER",
    ];
    expect(faults.filter((fault) => !text.includes(fault))).toEqual([]);
    expect(sandbox.requests).toEqual([]);
  });

  // Pulumi YAML checks programs against the package schema itself, so these end in the language's own words.
  it.each([
    ["colour", "blue"],
    ["tags", "PROD"],
    ["withDefaultAlertsSettings", "perhaps"],
  ])("ends before anything is sent: %s (plugin)", async (property, value) => {
    const { sandbox, stack } = await setUpStack({
      program: () => projectProgram({ orgId, name: "payments", [property]: value }),
    });
    const preview = await stack.preview();
    expect(preview.exitCode).not.toBe(0);
    expect(preview.output).toContain(property);
    expect(sandbox.requests).toEqual([]);
  });
});

describe.each(bothProviders)("a doubtful value (%s)", (provider) => {
  it("is a warning that is logged once, and the value is sent unchanged", async () => {
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) =>
        projectsProgram({
          payments: { properties: { orgId, name: "payments", tags: ["prod"] } },
          orders: { properties: { orgId, name: "orders", tags: ["prod"] } },
        }),
    });

    const up = await succeeded(stack.up());
    expect(timesPrinted(up, 'Tag "prod" has lower-case letters')).toBe(1);
    expect(messagesOf(up, "warning")).toContain('Tag "prod" has lower-case letters');
    expect(projectNamed(sandbox, "payments").tags).toEqual(["prod"]);
    expect(projectNamed(sandbox, "orders").tags).toEqual(["prod"]);
  });
});

describe("a doubtful value", () => {
  it("may be a role that this version does not know: a warning is logged, and Ops Manager decides", async () => {
    const { stack } = await setUpStack({
      sandbox: { ldap: true },
      program: ({ orgId }) =>
        projectProgram({
          orgId,
          name: "payments",
          ldapGroupMappings: [{ roleName: "GROUP_SOMETHING_NEW", ldapGroups: ["cn=a"] }],
        }),
    });

    const preview = await succeeded(stack.preview());
    expect(timesPrinted(preview, 'Role "GROUP_SOMETHING_NEW"')).toBe(1);
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up)).toContain("INVALID_ENUM_VALUE");
  });
});

it.each(bothProviders)(
  "a secret name and secret tags are not printed or recorded in clear text if Ops Manager rejects them (%s)",
  async (provider) => {
    const hidden = (value: unknown) => ({ "fn::secret": value });
    const { sandbox, stack } = await setUpStack({
      provider,
      program: ({ orgId }) =>
        projectProgram({ orgId, name: hidden("moonshot"), tags: hidden(["QUIET-ONE"]) }),
    });
    const detail = "There is something wrong with moonshot and QUIET-ONE.";
    const body = { error: 400, reason: "Bad Request", errorCode: "INVALID_ATTRIBUTE", detail };
    sandbox.addFault({ method: "PATCH", fault: { status: 400, body } });
    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toContain("INVALID_ATTRIBUTE");
    expect(up.output).not.toMatch(/moonshot|QUIET-ONE/);
    const { inputs = {}, outputs = {}, initErrors = [] } = (await stack.resource("payments")) ?? {};
    expect(initErrors).toHaveLength(1);
    const recorded = JSON.stringify([
      initErrors,
      withoutSecrets(inputs as Values),
      withoutSecrets(outputs as Values),
    ]);
    expect(recorded).not.toMatch(/moonshot|QUIET-ONE/);
  },
);

describe("LDAP mappings on a service without LDAP", () => {
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=dba,dc=example,dc=com"] }];

  it("end with an error that names the correction, and leave an adopted project unchanged", async () => {
    const { sandbox, stack } = await setUpStack({
      sandbox: { seed: { projects: [{ name: "payments", tags: ["BY-HAND"] }] } },
      program: (sandbox) =>
        projectProgram({
          projectId: projectNamed(sandbox, "payments").id,
          name: "invoices",
          tags: ["PROD"],
          ldapGroupMappings,
        }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up, "error")).toMatch(
      /DISALLOWED_ATTRIBUTE_TURN_ON_LDAP.*Remove ldapGroupMappings, or enable LDAP/s,
    );
    expect(projectNamed(sandbox, "payments").tags).toEqual(["BY-HAND"]);
    expect(await stack.resource("payments")).toBeUndefined();
  });

  it("leave a created project in the state with its id, and the next up without them finishes it", async () => {
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", tags: ["PROD"], ldapGroupMappings }),
    });

    const up = await stack.up();
    expect(up.exitCode).not.toBe(0);
    expect(messagesOf(up)).toContain("Remove ldapGroupMappings, or enable LDAP");
    const { id } = projectNamed(sandbox, "payments");
    expect(await stack.resource("payments")).toMatchObject({ id, outputs: { origin: "created" } });

    await stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "payments", tags: ["PROD"] }));
    await succeeded(stack.up());
    expect(projectNamed(sandbox, "payments")).toMatchObject({ id, tags: ["PROD"] });
    expect(writes(sandbox).filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("may be declared empty: there is nothing to send", async () => {
    const { sandbox, stack } = await setUpStack({
      program: ({ orgId }) => projectProgram({ orgId, name: "payments", ldapGroupMappings: [] }),
    });
    await succeeded(stack.up());
    expect(writes(sandbox).map(({ method }) => method)).toEqual(["POST"]);
    expect((await succeeded(stack.preview())).changes).toEqual({ same: 1 });
  });
});
