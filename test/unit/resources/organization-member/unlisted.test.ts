import { organizationMember } from "../../../../provider/resources/members/organization-member";
import { orgId, Service, unreadable } from "../people/service";

const username = "ada@example.com";
const id = `${orgId}/${username}`;
const inputs = { orgId, username, roles: ["ORG_MEMBER"] };
const state = { ...inputs, status: "active", userId: "user-ada", origin: "created", onDestroy: "remove" };

test("an OrganizationMember is neither created, updated, imported nor removed if the members cannot be read", async () => {
  const service = new Service("OrganizationMember", {}, { "GET users": unreadable });
  const { context, requests } = service;
  const existing = { id, state, oldInputs: inputs, context };
  const changing = { ...existing, inputs, preview: false, ignoreChanges: [] };
  await expect(organizationMember.create({ inputs, preview: false, context })).rejects.toBe(unreadable);
  await expect(organizationMember.update(changing)).rejects.toBe(unreadable);
  await expect(organizationMember.read({ id, context })).rejects.toBe(unreadable);
  await expect(organizationMember.delete(existing)).rejects.toBe(unreadable);
  expect(requests).toEqual([]);
});
