/** Mappings of an identity provider's groups, on services that store, drop or reject them. */
import { nothing, upAgain } from "../../engine/support/people-program";
import { bothProviders, changedPaths, errorsOf, writes } from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { holdAdopted, startAdoption } from "./payments";

afterEach(tearDownStacks);

const owners = { roleName: "GROUP_OWNER", idpGroups: ["platform"] };
const readers = { roleName: "GROUP_READ_ONLY", idpGroups: ["auditors", "developers"] };
const guests = { ...readers, idpGroups: ["auditors", "guests"] };
const idpGroupMappings = [owners, readers];
const present = { idpMappings: "present" } as const;

it.each(bothProviders)("mappings are set, corrected and cleared (%s)", async (provider) => {
  keepDefault("refreshBeforeUpdate", "a plain up corrects what was changed outside Pulumi");
  const { sandbox, stack, id, declare } = await startAdoption(
    { idpGroupMappings: [readers, owners] },
    { provider, sandbox: present },
  );
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([{ method: "PATCH", path: `/groups/${id}`, body: { idpGroupMappings } }]);
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
  sandbox.changeProject(id, { idpGroupMappings: [owners, guests] });
  await succeeded(stack.up());
  expect(sandbox.project(id)).toMatchObject({ idpGroupMappings });
  await declare({ projectId: id, idpGroupMappings: [] });
  await succeeded(stack.up());
  expect(sandbox.project(id)).toMatchObject({ idpGroupMappings: [] });
});

it("a group that was changed outside Pulumi is shown as a change of this group alone, and a role that the service has twice is corrected once", async () => {
  const { sandbox, stack, id } = await holdAdopted({ idpGroupMappings }, { sandbox: present });
  sandbox.changeProject(id, { idpGroupMappings: [owners, guests] });
  const preview = await succeeded(stack.preview({ refresh: true }));
  expect(changedPaths(preview)).toEqual({ "idpGroupMappings[1].idpGroups[1]": "update" });
  const intruders = { ...owners, idpGroups: ["intruders"] };
  sandbox.changeProject(id, { idpGroupMappings: [intruders, ...idpGroupMappings] });
  await succeeded(stack.up({ refresh: true }));
  expect(sandbox.project(id)).toMatchObject({ idpGroupMappings });
  expect(await upAgain({ sandbox, stack })).toEqual(nothing);
});

it.each([
  { service: "does not know them", idpMappings: "absent", cause: "INVALID_ATTRIBUTE" },
  {
    service: "accepts and does not store them",
    idpMappings: "dropped",
    cause: "stored idpGroupMappings as [] instead of",
  },
] as const)(
  "a service that $service is one error in each up until the mappings leave the program",
  async ({ idpMappings, cause }) => {
    const { sandbox, stack, id, declare } = await startAdoption(
      { tags: ["PROD"], idpGroupMappings },
      { sandbox: { idpMappings } },
    );
    for (const attempts of [1, 2]) {
      const errors = await errorsOf(stack.up());
      expect(errors).toContain(cause);
      expect(errors).toContain("need Ops Manager 8.0.17 or later with a login through SAML or OIDC");
      expect(writes(sandbox).length).toBe(attempts);
    }
    await declare({ projectId: id, tags: ["PROD"] });
    await succeeded(stack.up());
    expect(sandbox.project(id)?.tags).toEqual(["PROD"]);
  },
);
