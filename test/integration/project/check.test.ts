/** Design, Check: every fault of a program at once, before anything is sent; and what the service cannot take. */

import { paymentsOn } from "../../engine/support/payments";
import {
  bothProviders,
  errorsOf,
  messagesOf,
  projectNamed,
  projectProgram,
  writes,
} from "../../engine/support/project-program";
import { type Values, withoutSecrets } from "../../proof/engine-model";
import { succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

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
});
