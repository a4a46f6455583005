/** Design, Check: every fault of a program at once, before anything is sent; and what the service cannot take. */

import { paymentsOn } from "../../engine/support/payments";
import {
  bothProviders,
  errorsOf,
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

const { declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

/** Faults of several properties at the same time. Each rule: `test/unit/resources/project`. */
const faulty = {
  projectId: "not-an-id",
  orgId: "0123",
  name: "pay\u0007ments",
  tags: ["EU", "EU", "COST-1", "NO SPACE"],
  ignoreTags: ["COST-*"],
  ldapGroupMappings: [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=a", "cn=b", "cn=a", ""] }],
};
const faultsOfFaulty = [
  "projectId must be the id of a project: 24 hexadecimal digits",
  "orgId must be the id of an organization: 24 hexadecimal digits",
  "name must not hold hidden characters: U+0007 at position 4",
  "tags[3] must have 1 to 32 characters: letters, digits, `.`, `_` and `-`",
  'tags contains "EU" more than once',
  'tags contains "COST-1", which ignoreTags matches',
  'ldapGroups contains "cn=a" more than once',
  "ldapGroupMappings[0].ldapGroups[3] must not be empty",
];

describe.each(bothProviders)("the check of a program with faults (%s)", (provider) => {
  it("reports every fault in one run, each once, and sends no request", async () => {
    const { sandbox, stack } = await setUpStack({ provider, program: () => projectProgram(faulty) });

    const errors = await errorsOf(stack.preview());
    const text = errors;
    expect(faultsOfFaulty.filter((fault) => text.split(fault).length !== 2)).toEqual([]);
    expect((await stack.up()).exitCode).not.toBe(0);
    expect(sandbox.requests).toEqual([]);
    expect(await stack.resource("payments")).toBeUndefined();
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
    const { sandbox, stack } = await declareExisting(
      { name: "invoices", tags: ["PROD"], ldapGroupMappings },
      { sandbox: { seed: { projects: [{ name: "payments", tags: ["BY-HAND"] }] } } },
    );

    expect(await errorsOf(stack.up())).toMatch(
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
    expect(messagesOf(up, "error")).toContain(
      `Project ${id} was created, but is not yet as declared: Updating tags, ldapGroupMappings of project ${id} failed`,
    );
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
