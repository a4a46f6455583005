import { maskPeople, pseudonymOf } from "../../../../provider/cli/drift/mask-people";
import { driftReport } from "../../../../provider/cli/drift/report";
import { finding, fullReport, ignoredUnmanaged, member, report, unmanaged } from "./reports";

const ada = pseudonymOf("ada@example.com");

it("calls a person the same in every place, whatever the case of the name", () => {
  const projectId = "5f0000000000000000000001";
  const masked = maskPeople(
    report({
      findings: [
        finding(member),
        finding({
          type: "opsmanager:index:ProjectMember",
          name: "payments/ADA@example.com",
          id: `${projectId}/ada@example.com`,
          property: "roles[0]",
          declared: "GROUP_OWNER",
        }),
        finding({
          type: "opsmanager:index:ProjectMember",
          id: "",
          property: "username",
          declared: "Ada",
          live: "ada@EXAMPLE.com",
        }),
      ],
      unreadable: [{ what: "stack prod", reason: "403: ada@example.com may not do that." }],
    }),
  );
  expect(masked.findings.map(({ property, name, id, live }) => [property, name, id, live])).toEqual([
    [`members["${ada}"]`, "payments-people", projectId, undefined],
    ["roles[0]", `payments/${ada}`, `${projectId}/${ada}`, "payments-by-hand"],
    ["username", "payments", "", ada],
  ]);
  expect(masked.findings[1]?.urn).toBe(
    `urn:pulumi:prod::estate::opsmanager:index:ProjectMember::payments/${ada}`,
  );
  expect(masked.unreadable[0]?.reason).toBe(`403: ${ada} may not do that.`);
});

it("leaves no name of anybody in the whole report, and the report what it was", () => {
  const people = { members: { "Dan.O'Neil+ops@example.com": ["GROUP_OWNER"], zoë: ["GROUP_READ_ONLY"] } };
  const before = fullReport();
  const masked = maskPeople({
    ...before,
    findings: [
      ...before.findings,
      finding({ ...member, property: "members.svc_backup", name: "svc_backup in payments" }),
      finding({ ...member, property: "", kind: "deleted", declared: people }),
      finding({ property: "memberDetails[0].inviterUsername", declared: "grace", live: "domain\\eve" }),
      finding({
        ...member,
        property: 'members["domain\\\\frank"]',
        ignored: { reason: "as domain\\frank said" },
      }),
    ],
    unmanaged,
  });
  const text = JSON.stringify(masked);
  expect(text).not.toMatch(/@example|\b(ada|bob|carol|dan|neil|svc_backup|eve|frank|grace)\b|zoë/i);
  expect(() => driftReport.parse(masked)).not.toThrow();
  expect(masked.unmanaged?.people.map(({ username }) => username)).toEqual(
    ["bob@example.com", "carol@example.com"].map(pseudonymOf),
  );
});

it("masks the reasons of rules, too", () => {
  const masked = maskPeople(report({ unmanaged: ignoredUnmanaged })).unmanaged;
  expect(masked?.projects[0]?.ignored).toEqual({ reason: "a sandbox" });
  expect(masked?.people[0]?.ignored?.reason).toBe(`as ${pseudonymOf("bob@example.com")} said`);
});

it("takes a name for a person as a whole only", () => {
  const { findings } = maskPeople(
    report({
      findings: [
        finding({ ...member, property: "members.ed" }),
        finding({ ...member, property: 'members["ada@example.com"]' }),
        finding({ name: "changed-by-ed", live: "bob.ada@example.com and edda, ada@example.com." }),
      ],
    }),
  );
  expect(findings[2]?.name).toBe(`changed-by-${pseudonymOf("ed")}`);
  expect(findings[2]?.live).toBe(`${pseudonymOf("bob.ada@example.com")} and edda, ${ada}.`);
});

it("keeps ids of accounts, roles and tags", () => {
  const { findings } = maskPeople(
    report({
      findings: [
        finding({
          type: "opsmanager:index:ProjectMember",
          id: "5f0000000000000000000001/5f00000000000000000000aa",
          property: "roles",
          declared: ["GROUP_OWNER"],
          live: ["GROUP_READ_ONLY"],
        }),
      ],
    }),
  );
  expect(findings[0]).toMatchObject({
    id: "5f0000000000000000000001/5f00000000000000000000aa",
    declared: ["GROUP_OWNER"],
    live: ["GROUP_READ_ONLY"],
  });
});
