import fc from "fast-check";
import { maskPeople } from "../../../../cli/drift/mask-people";
import { driftReport } from "../../../../cli/drift/report/schema";
import { pseudonymOf } from "../../../../cli/lib/mask";
import { foldName } from "../../../../provider/access/person";
import { visibleText } from "../../../../provider/text/visible-text";
import { finding, fullReport, member, report, unmanaged, unowned } from "./reports";

const projectId = "5f0000000000000000000001";
const type = (kind: string) => `opsmanager:index:${kind}`;
const urnOf = (kind: string, name: string) => `urn:pulumi:prod::platform::${type(kind)}::${name}`;
const ada = pseudonymOf("ada@example.com");

it("replaces a name by the same text everywhere, whatever the case of the name", () => {
  const one = { type: type("ProjectMember"), declared: "Ada", live: "ada@EXAMPLE.com" };
  const masked = maskPeople(
    report({
      findings: [
        finding(member),
        finding({
          ...one,
          name: "payments/ADA@example.com",
          id: `${projectId}/ada@example.com`,
          property: "roles[0]",
        }),
        finding({ ...one, id: "", property: "username" }),
      ],
      unreadable: [{ what: "stack prod", reason: "403: ada@example.com may not do that." }],
    }),
  );
  expect(masked.findings.map(({ property, name, id, live }) => [property, name, id, live])).toEqual([
    [`members["${ada}"]`, "payments-people", projectId, undefined],
    ["roles[0]", `payments/${ada}`, `${projectId}/${ada}`, ada],
    ["username", "payments", "", ada],
  ]);
  expect(masked.findings[1]?.urn).toBe(urnOf("ProjectMember", `payments/${ada}`));
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
  });
  expect(JSON.stringify(masked)).not.toMatch(
    /@example|\b(ada|bob|carol|dan|neil|svc_backup|eve|frank|grace|henry)\b|zoë|192\.0/i,
  );
  expect(() => driftReport.parse(masked)).not.toThrow();
  expect(masked.unmanaged?.rows.slice(1).map(({ holder }) => holder.name)).toEqual(
    ["bob@example.com", "carol@example.com"].map(pseudonymOf),
  );
});

it("replaces a name without an address in each Unicode form and beside any sign, and no role", () => {
  const name = (username: string) => unowned("people", username);
  const rows = ["Jos\u00e9", "rene\u0301", "jdoe", "owner", "max"].map(name);
  const reason =
    "Jose\u0301-sandbox, cn=JOSE\u0301, Jos\u00e9, Ren\u00e9, jdoe_sandbox, eu_jdoe, GROUP_OWNER, ORG_READ_ONLY, OWNER_OF, max\u0308, jdoe2";
  const masked = maskPeople(
    report({ unmanaged: { ...unmanaged, rows }, unreadable: [{ what: "stack prod", reason }] }),
  );
  const [jose, rene, jdoe, owner] = ["jos\u00e9", "ren\u00e9", "jdoe", "owner"].map(pseudonymOf);
  expect(masked.unreadable[0]?.reason).toBe(
    `${jose}-sandbox, cn=${jose}, ${jose}, ${rene}, ${jdoe}_sandbox, eu_${jdoe}, GROUP_OWNER, ORG_READ_ONLY, ${owner}_OF, max\u0308, jdoe2`,
  );
});

it.each(["members", "usernames"])("leaves the mark of a secret list in %s", (property) => {
  const masked = maskPeople(
    report({ findings: [finding({ ...member, property, declared: "[secret]", live: "[secret]" })] }),
    [{ urn: "", type: type("Team"), inputs: { [property]: "[secret]" }, outputs: {} }],
  );
  expect(masked.findings[0]).toMatchObject({ declared: "[secret]", live: "[secret]" });
});

describe("of people who could not be read, no name is left", () => {
  const things = (...all: [what: string, reason: string][]) =>
    all.map(([what, reason]) => ({ what, reason, stack: "prod" }));
  type Known = NonNullable<Parameters<typeof maskPeople>[1]>;
  const maskedThings = (unreadable: ReturnType<typeof things>, resources: Known = []) =>
    maskPeople(report({ unreadable }), resources).unreadable;
  const list = urnOf("ProjectMembers", "allMembers");

  it("where the state knows it: by its id, as an output, or as one of everyone", () => {
    const resources = [
      {
        urn: urnOf("ProjectMember", "payments-backup"),
        type: type("ProjectMember"),
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
        urn: list,
        type: type("ProjectMembers"),
        id: projectId,
        inputs: { members: { Grace: ["GROUP_OWNER"] } },
        outputs: { memberDetails: [{ username: "domain\\eve", inviterUsername: "frank" }] },
      },
    ];
    const reason = "401: svc_backup, Zoë, grace, domain\\eve and Frank cannot be read; payments-backup can.";
    const masked = maskedThings(
      things(...resources.map(({ urn }): [string, string] => [urn, reason])),
      resources,
    );
    const text = JSON.stringify(masked);
    expect(text).not.toMatch(/svc_backup|zoë|grace|\beve\b|frank/i);
    expect(text).toContain(`401: ${pseudonymOf("svc_backup")}, ${pseudonymOf("zoë")}`);
    expect(masked.map(({ what }) => what)).toEqual(resources.map(({ urn }) => urn));
  });

  it("where Pulumi quotes rejected inputs of a new program", () => {
    const reason =
      'opsmanager:index:ProjectMembers resource "allMembers": property members value {map[jdoe:{[]}]} has a problem: members.jdoe must not be empty';
    expect(maskedThings(things([list, reason]))[0]?.reason).toBe(
      'opsmanager:index:ProjectMembers resource "allMembers": property members value [masked] has a problem: [masked]. To read it, run the command without --mask-people.',
    );
  });

  it("where only the program knows it, and names it as a project file does", () => {
    const person = pseudonymOf("svc/new");
    const masked = maskedThings(
      things(
        [urnOf("ProjectMember", "payments/svc/new"), "Adding svc/new to payments failed: 403."],
        [urnOf("Project", "payments/eu"), "Reading payments/eu failed."],
      ),
    );
    expect(masked).toEqual(
      things(
        [urnOf("ProjectMember", `payments/${person}`), `Adding ${person} to payments failed: 403.`],
        [urnOf("Project", "payments/eu"), "Reading payments/eu failed."],
      ),
    );
  });
});

it("one pass over a text replaces what one pattern of all names does", () => {
  const parts = [..."aAÉésſKıißẞς𐐀𐐨", "da", "ed", "e\u0301", "\u212a", "İ"];
  const borders = [...'@.-_+ /\\(*😀1"', "\u0345"];
  const textOf = (maxLength: number) =>
    fc.array(fc.constantFrom(...parts, ...borders), { minLength: 1, maxLength }).map((all) => all.join(""));
  const texts = fc.array(textOf(4), { maxLength: 4 });
  fc.assert(
    fc.property(texts, texts, (names, others) => {
      const text = [...others, ...names, ...names.map((name) => name.toUpperCase())].join(" ");
      const rows = names.map((name) => unowned("people", name));
      const masked = maskPeople(
        report({ unmanaged: { ...unmanaged, rows }, unreadable: [{ what: "stack prod", reason: text }] }),
      );
      expect(masked.unreadable[0]?.reason).toBe(maskedByOnePattern(text, names));
    }),
    { numRuns: 60 },
  );
});

/** The plain way, which tries every name at every position: 1.6 ms for each person. */
function maskedByOnePattern(text: string, people: readonly string[]): string {
  const spellings = people.flatMap((name) => [name, visibleText(name)]);
  const names = [...new Set(spellings.flatMap((name) => [name, foldName(name), name.normalize("NFD")]))];
  const patterns = names
    .sort((one, other) => other.length - one.length)
    .map((name) => {
      const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
      return name.includes("@")
        ? `(?<![\\p{L}\\p{N}\\p{M}_.+%-])${literal}(?![\\p{L}\\p{N}\\p{M}_-]|\\.[\\p{L}\\p{N}])`
        : `(?<![\\p{L}\\p{N}\\p{M}])${literal}(?![\\p{L}\\p{N}\\p{M}@])`;
    });
  const known =
    patterns.length === 0 ? text : text.replace(new RegExp(patterns.join("|"), "giu"), pseudonymOf);
  const address = /[^\s"'`,;:<>()[\]{}|\\/$=]+@[^\s"'`,;:<>()[\]{}|\\/$=@]*[\p{L}\p{N}]/gu;
  return known.replace(address, pseudonymOf);
}
