import fc from "fast-check";
import { maskPeople } from "../../../../cli/drift/mask-people";
import { toJson } from "../../../../cli/drift/report/json";
import type { Unmanaged } from "../../../../cli/drift/report/model";
import { driftReport } from "../../../../cli/drift/report/schema";
import { pseudonymOf } from "../../../../cli/lib/mask";
import { foldName } from "../../../../provider/access/person";
import { visibleText } from "../../../../provider/text/visible-text";
import { finding, fullReport, member, report, unmanaged } from "./reports";

const ada = pseudonymOf("ada@example.com");

it("replaces a name by the same text everywhere, whatever the case of the name", () => {
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
    `urn:pulumi:prod::platform::opsmanager:index:ProjectMember::payments/${ada}`,
  );
  expect(masked.unreadable[0]?.reason).toBe(`403: ${ada} may not do that.`);
});

it("leaves no name of a person in the whole report, and nothing else changes", () => {
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
      finding({ lastEvent: { outcome: "found", username: "henry", address: "192.0.2.7" } }),
    ],
    eventsUnread: [{ what: "stack prod", reason: "403: bob@example.com may not do that." }],
    unmanaged: report({ unmanaged }).unmanaged as Unmanaged,
  });
  const text = JSON.stringify(masked);
  expect(text).not.toMatch(
    /@example|\b(ada|bob|carol|dan|neil|svc_backup|eve|frank|grace|henry)\b|zoë|192\.0/i,
  );
  expect(() => driftReport.parse(toJson(masked))).not.toThrow();
  expect(masked.unmanaged?.rows.slice(1).map(({ holder }) => holder.name)).toEqual(
    ["bob@example.com", "carol@example.com"].map(pseudonymOf),
  );
});

it.each(["members", "usernames"])("leaves the mark of a secret list in %s", (property) => {
  const masked = maskPeople(
    report({ findings: [finding({ ...member, property, declared: "[secret]", live: "[secret]" })] }),
    [{ urn: "", type: "opsmanager:index:Team", inputs: { [property]: "[secret]" }, outputs: {} }],
  );
  expect(masked.findings[0]).toMatchObject({ declared: "[secret]", live: "[secret]" });
});

describe("of people who could not be read, no name is left", () => {
  const projectId = "5f0000000000000000000001";
  const urnOf = (type: string, name: string) =>
    `urn:pulumi:prod::platform::opsmanager:index:${type}::${name}`;
  const thing = (what: string, reason: string) => ({ what, reason, stack: "prod" });

  it("where the state knows it: by its id, as an output, or as one of everyone", () => {
    const resources = [
      {
        urn: urnOf("ProjectMember", "payments-backup"),
        type: "opsmanager:index:ProjectMember",
        id: `${projectId}/5f00000000000000000000aa`,
        outputs: { username: "svc_backup" },
      },
      {
        urn: "urn:pulumi:prod::platform::pulumi-nodejs:dynamic/opsmanager:ProjectMember::second",
        type: "pulumi-nodejs:dynamic/opsmanager:ProjectMember",
        id: `${projectId}/zoë`,
        outputs: { username: { secret: "encrypted" } },
      },
      {
        urn: urnOf("ProjectMembers", "allMembers"),
        type: "opsmanager:index:ProjectMembers",
        id: projectId,
        inputs: { members: { Grace: ["GROUP_OWNER"] } },
        outputs: { memberDetails: [{ username: "domain\\eve", inviterUsername: "frank" }] },
      },
    ];
    const masked = maskPeople(
      report({
        unreadable: resources.map(({ urn }) =>
          thing(
            urn,
            "401: svc_backup, Zoë, grace, domain\\eve and Frank cannot be read; payments-backup can.",
          ),
        ),
      }),
      resources,
    );
    const text = JSON.stringify(masked);
    expect(text).not.toMatch(/svc_backup|zoë|grace|\beve\b|frank/i);
    expect(text).toContain(`401: ${pseudonymOf("svc_backup")}, ${pseudonymOf("zoë")}`);
    expect(masked.unreadable.map(({ what }) => what)).toEqual(resources.map(({ urn }) => urn));
  });

  it("where Pulumi quotes rejected inputs of a new program", () => {
    const reason =
      'opsmanager:index:ProjectMembers resource "allMembers": property members value {map[jdoe:{[]}]} has a problem: members.jdoe must not be empty';
    const { unreadable } = maskPeople(
      report({ unreadable: [thing(urnOf("ProjectMembers", "allMembers"), reason)] }),
    );
    expect(unreadable[0]?.reason).toBe(
      'opsmanager:index:ProjectMembers resource "allMembers": property members value [masked] has a problem: [masked]. To read it, run the command without --mask-people.',
    );
  });

  it("in the spelling of the service, also if lower case and normal form change it", () => {
    const names = ["zoe\u0308", "\u0130lker"];
    const resource = {
      urn: urnOf("ProjectMembers", "allMembers"),
      type: "opsmanager:index:ProjectMembers",
      id: projectId,
      outputs: { memberDetails: names.map((username) => ({ username })) },
    };
    const { unreadable } = maskPeople(
      report({ unreadable: [thing(resource.urn, `401: ${names.join(" and ")} cannot be read.`)] }),
      [resource],
    );
    expect(unreadable[0]?.reason).toBe(`401: ${names.map(pseudonymOf).join(" and ")} cannot be read.`);
  });

  it("where only the program knows it, and names it as a project file does", () => {
    const { unreadable } = maskPeople(
      report({
        unreadable: [
          thing(urnOf("ProjectMember", "payments/svc/new"), "Adding svc/new to payments failed: 403."),
          thing(urnOf("Project", "payments/eu"), "Reading payments/eu failed."),
        ],
      }),
    );
    const person = pseudonymOf("svc/new");
    expect(unreadable).toEqual([
      thing(urnOf("ProjectMember", `payments/${person}`), `Adding ${person} to payments failed: 403.`),
      thing(urnOf("Project", "payments/eu"), "Reading payments/eu failed."),
    ]);
  });
});

describe("in one pass over a text", () => {
  it("replaces what one pattern of all names does", () => {
    const parts = [
      "a",
      "A",
      "da",
      "ed",
      "É",
      "é",
      "e\u0301",
      "ſ",
      "s",
      "K",
      "\u212a",
      "ı",
      "i",
      "İ",
      "ß",
      "ẞ",
      "ς",
      "𐐀",
      "𐐨",
    ];
    const borders = ["@", ".", "-", "_", "+", " ", "/", "\\", "(", "*", "😀", "1", "\u0345", '"'];
    const textOf = (maxLength: number) =>
      fc.array(fc.constantFrom(...parts, ...borders), { minLength: 1, maxLength }).map((all) => all.join(""));
    fc.assert(
      fc.property(
        fc.array(textOf(4), { maxLength: 4 }),
        fc.array(textOf(4), { maxLength: 4 }),
        (names, others) => {
          const text = [...others, ...names, ...names.map((name) => name.toUpperCase())].join(" ");
          const masked = maskPeople(
            report({ unmanaged: peopleNamed(names), unreadable: [{ what: "stack prod", reason: text }] }),
          );
          expect(masked.unreadable[0]?.reason).toBe(maskedByOnePattern(text, names));
        },
      ),
      { numRuns: 60 },
    );
  });
});

function peopleNamed(names: readonly string[]) {
  const [person] = unmanaged.people;
  if (person === undefined) throw new Error("There is no person to copy.");
  return { ...unmanaged, people: names.map((username) => ({ ...person, username })) };
}

/** The plain way, which tries every name at every position: 1.6 ms for each person. */
function maskedByOnePattern(text: string, people: readonly string[]): string {
  const spellings = people.flatMap((name) => [name, visibleText(name)]);
  const names = [...new Set(spellings.flatMap((name) => [name, foldName(name)]))];
  const patterns = names
    .sort((one, other) => other.length - one.length)
    .map((name) => {
      const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      return name.includes("@")
        ? `(?<![\\p{L}\\p{N}_.+%-])${literal}(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}])`
        : `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_@])`;
    });
  const known =
    patterns.length === 0 ? text : text.replace(new RegExp(patterns.join("|"), "giu"), pseudonymOf);
  const address = /[^\s"'`,;:<>()[\]{}|\\/$=]+@[^\s"'`,;:<>()[\]{}|\\/$=@]*[\p{L}\p{N}]/gu;
  return known.replace(address, pseudonymOf);
}
