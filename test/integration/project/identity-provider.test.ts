/** Design, Project: mappings of an identity provider's groups, on services that store, drop or reject them. */
import { paymentsOn } from "../../engine/support/payments";
import { nothing, upAgain } from "../../engine/support/people-program";
import {
  bothProviders,
  changedPaths,
  errorsOf,
  messagesOf,
  projectProgram,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { setUpStack, tearDownStacks } from "../../support/model-stack";

const { declareExisting } = paymentsOn(setUpStack);

afterEach(tearDownStacks);

const seed = { projects: [{ name: "payments" }] };
const owners = { roleName: "GROUP_OWNER", idpGroups: ["platform"] };
const readers = { roleName: "GROUP_READ_ONLY", idpGroups: ["auditors", "developers"] };
const idpGroupMappings = [owners, readers];
const needsLogin = "need Ops Manager 8.0.17 or later with a login through SAML or OIDC";

it.each(bothProviders)("mappings are set, corrected and cleared (%s)", async (provider) => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack, id } = await declareExisting(
    { idpGroupMappings: [readers, owners] },
    { provider, sandbox: { seed, idpMappings: "present" } },
  );
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { idpGroupMappings } }]);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);

  sandbox.changeProject(id, {
    idpGroupMappings: [owners, { ...readers, idpGroups: ["auditors", "guests"] }],
  });
  await succeeded(stack.up());
  expect(sandbox.project(id)).toMatchObject({ idpGroupMappings });

  await stack.setProgram(projectProgram({ projectId: id, idpGroupMappings: [] }));
  await succeeded(stack.up());
  expect(sandbox.project(id)).toMatchObject({ idpGroupMappings: [] });
});

it("a group that was changed outside Pulumi is shown as a change of this group alone", async () => {
  const { sandbox, stack, id } = await declareExisting(
    { idpGroupMappings },
    { sandbox: { seed, idpMappings: "present" } },
  );
  await succeeded(stack.up());
  sandbox.changeProject(id, {
    idpGroupMappings: [owners, { ...readers, idpGroups: ["auditors", "guests"] }],
  });
  const preview = await succeeded(stack.preview({ refresh: true }));
  expect(changedPaths(preview)).toEqual({ "idpGroupMappings[1].idpGroups[1]": "update" });
});

it("a role that the service has twice is corrected once, and the groups of its other entry are removed", async () => {
  const { sandbox, stack, id } = await declareExisting(
    { idpGroupMappings: [owners] },
    { sandbox: { seed, idpMappings: "present" } },
  );
  await succeeded(stack.up());
  sandbox.changeProject(id, { idpGroupMappings: [{ ...owners, idpGroups: ["intruders"] }, owners] });
  await succeeded(stack.up({ refresh: true }));
  expect(sandbox.project(id)).toMatchObject({ idpGroupMappings: [owners] });
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

it.each([
  ["does not know them", "absent", "INVALID_ATTRIBUTE"],
  ["accepts and does not store them", "dropped", "but the service stored []"],
] as const)(
  "a service that %s is one error in each up until the mappings leave the program",
  async (_, idpMappings, cause) => {
    const { sandbox, stack, id } = await declareExisting(
      { tags: ["PROD"], idpGroupMappings },
      { sandbox: { seed, idpMappings } },
    );
    for (const attempts of [1, 2]) {
      const errors = await errorsOf(stack.up());
      expect(errors).toContain(cause);
      expect(errors).toContain(needsLogin);
      expect(writes(sandbox).length).toBe(attempts);
    }

    await stack.setProgram(projectProgram({ projectId: id, tags: ["PROD"] }));
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  },
);

it("LDAP groups beside groups of an identity provider are an error before anything is read", async () => {
  const ldapGroupMappings = [{ roleName: "GROUP_OWNER", ldapGroups: ["cn=platform,dc=example,dc=com"] }];
  const { sandbox, stack } = await declareExisting(
    { ldapGroupMappings, idpGroupMappings },
    { sandbox: { seed, idpMappings: "present" } },
  );
  const reason = "ldapGroupMappings and idpGroupMappings both have entries";
  expect(messagesOf(await stack.preview(), "error")).toContain(reason);
  expect(writes(sandbox)).toEqual([]);
});
