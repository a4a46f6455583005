import {
  misspelledRole,
  organizationRoles,
  projectRoles,
  unknownRoles,
} from "../../../provider/resources/contract/roles";

const kinds = [projectRoles, organizationRoles];

it("every role that is known today is one of its place, and of no other", () => {
  for (const kind of kinds) {
    const others = kinds.filter((other) => other !== kind).flatMap(({ names }) => Object.keys(names));
    for (const role of Object.keys(kind.names)) expect(misspelledRole(role, "roles", kind)).toBeUndefined();
    for (const role of others) expect(misspelledRole(role, "roles", kind)).toContain("which is a role of a");
  }
});

it.each(["BRAND_NEW", "X", "OWNER_2_OF_ALL"])("%s may be the rest of a new role", (rest) => {
  for (const kind of kinds) {
    const role = kind.prefix + rest;
    expect(misspelledRole(role, "roles", kind)).toBeUndefined();
    expect(unknownRoles([role], kind)).toEqual([role]);
  }
});

it.each([
  "GROUP_OWNER,GROUP_READ_ONLY",
  "GROUP_OWNERGROUP_READ_ONLY",
  "GROUP_OWNER GROUP_READ_ONLY",
  "GROUP_OWNER\nGROUP_READ_ONLY",
  "GLOBAL_OWNER",
  "ORG_BRAND_NEW",
  "GROUP_brand_new",
  "GROUP_",
  "GROUP_9",
  "GROUP_BRAND-NEW",
  "GROUP_BRAND_NEW ",
  "GROUP_BRAND_NEW\u200b",
  "ＧＲＯＵＰ_OWNER",
  "GROUP_ОWNER_OF_ALL",
  "__proto__",
  "constructor",
  "A",
])("%j is no role of a project, and not one that may be new", (role) => {
  expect(misspelledRole(role, "roles")).toBe(
    `roles contains "${role}", which is not a role of a project. Those look like GROUP_READ_ONLY, one in each entry.`,
  );
});

it.each([
  ["GROUP_OWNER ", "GROUP_OWNER"],
  ["GROUP_OWNER\u200b", "GROUP_OWNER"],
  ["group_owner", "GROUP_OWNER"],
  ["group-read-only", "GROUP_READ_ONLY"],
  ["GROUP_OWNR", "GROUP_OWNER"],
  ["Project Owner", "GROUP_OWNER"],
])("%j stands for %s", (role, meant) => {
  expect(misspelledRole(role, "roles")).toBe(
    `roles contains "${role}", which is not a role of a project. Did you mean ${meant}?`,
  );
});
