/** Twenty-five projects that were created outside Pulumi, and five later changes outside Pulumi. */
import type { Sandbox, SeedProject } from "../../../sandbox";
import { projectNamed } from "../support/project-program";

const areas = ["billing", "catalog", "ledger", "orders", "payments"];

const owner = ["GROUP_OWNER"];
const reader = ["GROUP_READ_ONLY"];

/** With LDAP and without; with tags, pending invitations, no members; with names that are valid file names and others. */
export const projects: readonly SeedProject[] = areas.flatMap((area) => [
  {
    name: `${area}-prod`,
    tags: [area.toUpperCase(), "PROD"],
    ldapGroupMappings: [
      { roleName: "GROUP_OWNER", ldapGroups: ["cn=ops,dc=example,dc=com"] },
      { roleName: "GROUP_READ_ONLY", ldapGroups: [`cn=${area},dc=example,dc=com`] },
    ],
    members: { "olga@example.com": owner, [`${area}@example.com`]: reader },
  },
  {
    name: `${area}-staging`,
    tags: ["STAGING"],
    members: {
      "olga@example.com": owner,
      [`${area}@example.com`]: ["GROUP_DATA_ACCESS_READ_ONLY", ...reader],
    },
    invitations: [{ username: `new-in-${area}@example.com`, roles: reader }],
  },
  { name: `${area} / Test`, members: { "olga@example.com": owner } },
  { name: `${area}-dev` },
  {
    name: `Try-outs: ${area}`,
    tags: ["NO"],
    members: { [`${area}@example.com`]: owner },
    invitations: [{ username: "bob@example.com", roles: ["GROUP_MONITORING_ADMIN"] }],
  },
]);

/** Changes a name, a tag, a mapping, a member's roles and a member, and adds a project that no file declares. */
export function changeOutsidePulumi(sandbox: Sandbox): void {
  const id = (name: string) => projectNamed(sandbox, name).id;
  sandbox.changeProject(id("payments / Test"), { name: "payments / Old test" });
  sandbox.changeProject(id("billing-prod"), { tags: ["PROD"] });
  sandbox.changeProject(id("catalog-prod"), {
    ldapGroupMappings: [
      {
        roleName: "GROUP_OWNER",
        ldapGroups: ["cn=contractors,dc=example,dc=com", "cn=ops,dc=example,dc=com"],
      },
      { roleName: "GROUP_READ_ONLY", ldapGroups: ["cn=catalog,dc=example,dc=com"] },
    ],
  });
  sandbox.setMember(id("orders-staging"), { username: "orders@example.com" }, [
    "GROUP_DATA_ACCESS_READ_ONLY",
    "GROUP_OWNER",
    ...reader,
  ]);
  sandbox.removeMember(id("ledger-prod"), { username: "ledger@example.com" });
  sandbox.addProject({ name: "legacy-tools" });
}

/** The differences that a report must list for these changes, and no others. */
export const drifted = [
  "Project billing-prod tags removed",
  "Project catalog-prod ldapGroupMappings.GROUP_OWNER.ldapGroups added",
  "Project payments-test name changed",
  "ProjectMember ledger-prod/ledger@example.com deleted",
  'ProjectMembers orders-staging members["orders@example.com"] added',
];

/** The steps with which the next `up` corrects these changes. */
export const corrections = [
  "create ProjectMember ledger-prod/ledger@example.com",
  "update Project billing-prod",
  "update Project catalog-prod",
  "update Project payments-test",
  "update ProjectMembers orders-staging",
];
