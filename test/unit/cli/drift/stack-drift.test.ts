import { finished, reportOn } from "../../../../cli/drift";
import { driftOf, programSource, stateSource } from "../../../../cli/drift/stack-drift";
import { EventReader } from "../../../../cli/lib/engine-events";
import { pulumiMessage } from "../../../../cli/lib/pulumi";
import { diagnostic, planned, refreshed, runOf, stateOf, summary, urnOf } from "./stream";

const member = "opsmanager:index:ProjectMember";
const generatedAt = "2026-01-02T03:04:05.000Z";
const [one, two] = ["5f0000000000000000000001", "5f0000000000000000000002"];
const typeOf = (name: string) => (["ada", "bob", "cleo"].includes(name) ? { type: member } : {});
const state = stateOf({
  payments: { id: one },
  tools: { id: two },
  ada: { type: member, id: `${one}/ada@example.com` },
  bob: { type: member, id: `${one}/bob@example.com` },
  cleo: { type: member, id: `${two}/cleo@example.com` },
});
const same = (...names: string[]) =>
  names.map((name) => refreshed({ op: "same", name, ...typeOf(name) })).join("");
const allMembers = same("payments", "tools", "ada", "bob", "cleo");

interface Checked {
  readonly failure?: string;
  readonly of?: typeof state;
}
const ofState = (lines: readonly string[], { failure, of = state }: Checked = {}) =>
  driftOf(of, runOf(...lines), failure, stateSource);
const ofProgram = (lines: readonly string[], { failure, of = state }: Checked = {}) =>
  driftOf(of, runOf(...lines), failure, programSource);

/** Each thing that is undetermined, by its logical name, with the reason. */
function undeterminedIn({ undetermined }: ReturnType<typeof ofState>) {
  return Object.fromEntries(undetermined.map(({ what, reason }) => [what.split("::").at(-1), reason]));
}

it("a stream is read in whatever pieces it comes, and lines that are no events are passed over", () => {
  const text = `warning: something\n${allMembers}{"half": \n${summary({ same: 5 })}`;
  const seen: string[] = [];
  const reader = new EventReader(({ op }) => seen.push(op));
  for (let start = 0; start < text.length; start += 7) reader.take(text.slice(start, start + 7));
  expect(reader.end()).toMatchObject({ summary: { same: 5 } });
  expect(seen).toEqual(["same", "same", "same", "same", "same"]);
});

describe("what could not be determined", () => {
  it("is a person whose invitation is no longer pending, if the service cannot report what became of it", () => {
    const invitation = "5f0000000000000000000009";
    const of = stateOf({
      ada: { type: member, id: `${one}/ada@example.com` },
      bob: { type: member, id: `${one}/${invitation}` },
      cleo: { type: member, id: `${two}/cleo@example.com` },
    });
    const unverified = (id: string) => {
      const warning = `warning: [unverified] [invitation ${one}/${id}] It is not pending.`;
      const lines = [diagnostic("warning", warning), same("ada", "bob", "cleo"), summary({ same: 3 })];
      return Object.keys(undeterminedIn(ofState(lines, { of })));
    };
    expect(unverified(invitation)).toEqual(["bob"]);
    // A state may keep the id secret: then everyone of the project counts.
    expect(unverified("[secret]")).toEqual(["ada", "bob"]);
  });

  it.each([
    {
      why: "pulumi counts more than its steps show",
      lines: [allMembers, summary({ same: 4, update: 2 })],
      reason: "counts 2 to update",
    },
    { why: "pulumi ends without its summary", lines: [allMembers], reason: "without a summary" },
    {
      why: "pulumi does not read a resource",
      lines: [same("payments", "tools", "ada", "bob"), summary({ same: 5 })],
      reason: "did not check it",
    },
  ])("is one thing where $why", ({ lines, reason }) => {
    expect(Object.values(undeterminedIn(ofState(lines)))).toEqual([expect.stringContaining(reason)]);
  });

  it("are, of a program, the resources that were refused, and other providers' are none of ours", () => {
    const error = (name: string, type?: string) =>
      diagnostic("error", `error: ${name} is not right.`, urnOf(name, type));
    const bucket = "aws:s3/bucket:Bucket";
    const foreign = planned({ op: "create", name: "bucket", type: bucket });
    const lines = [foreign, error("tools"), error("bucket", bucket), summary({ create: 1 })];
    const drift = ofProgram(lines, { of: stateOf({}), failure: "tools is not right." });
    expect(drift).toEqual({
      findings: [],
      undetermined: [
        { what: urnOf("tools"), reason: "tools is not right.", stack: "test" },
        {
          what: "program of stack test",
          reason: "Pulumi stopped at an error of tools, so it did not compare the whole program.",
          stack: "test",
        },
      ],
    });
    // The rest of the program is unknown too, which a rule for this resource does not cover.
    const rule = { resource: "tools", kind: "unreadable", reason: "ticket 17" } as const;
    expect(reportOn([{ state, ...drift }], [rule], { generatedAt })).toMatchObject({ result: "unknown" });
  });

  const unchanged = { old: { name: "a" }, new: { name: "a" } };
  const read = { name: "a", __inputsRead: ["name"] };
  const unfinished = "Updating tags failed: 403.";
  it.each([
    {
      what: "what did not finish",
      facts: { initErrors: [unfinished] },
      values: unchanged,
      reason: unfinished,
    },
    {
      what: "a state with values of a read",
      facts: {},
      values: { old: read, new: read },
      reason: "replaced the declared values of name",
    },
  ])("is, although every value is as declared, $what", ({ facts, values, reason }) => {
    const lines = [refreshed({ op: "same", ...values }), summary({ same: 1 })];
    const checked = ofState(lines, { of: stateOf({ payments: { id: one, ...facts } }) });
    expect(checked.findings).toEqual([]);
    expect(undeterminedIn(checked)).toEqual({ payments: expect.stringContaining(reason) });
  });

  it("is, of the program, what did not finish, and what it was not compared with", () => {
    const of = stateOf({ payments: { id: one, initErrors: [unfinished] }, tools: { id: two } });
    const lines = [
      refreshed({ ...unchanged, op: "refresh" }),
      refreshed({ ...unchanged, op: "refresh", name: "tools" }),
      planned({ ...unchanged, op: "same" }),
      summary({ same: 1 }),
    ];
    const checked = ofProgram(lines, { of });
    expect(checked.findings).toEqual([]);
    expect(undeterminedIn(checked)).toEqual({
      payments: expect.stringContaining(unfinished),
      tools: "Pulumi did not compare it with the program.",
    });
  });

  it("is masked before a long reason is shortened, so no part of a name is left", () => {
    const name = "ada.lovelace@example.com";
    for (let before = 0; before < 1_100; before += 11) {
      const error = `${"x".repeat(before)} ${`${name} `.repeat(80)}`;
      const of = stateOf({ payments: { id: one, initErrors: [error] } });
      const checked = ofState([refreshed({ ...unchanged, op: "same" }), summary({ same: 1 })], { of });
      const stacks = [{ state: of, ...checked }];
      const [thing] = finished(reportOn(stacks, [], { generatedAt }), stacks, {
        maskPeople: true,
      }).unreadable;
      expect(thing?.reason).toMatch(/^The last create .* \[\.\.\.\] .* Run `pulumi up`\.$/);
      expect(thing?.reason.length).toBeLessThan(1_050);
      expect(thing?.reason).not.toMatch(/ada|lovelace|example/);
    }
  });

  it("is reported in pulumi's own words, in one line", () => {
    const result = { exitCode: 1, stdout: "{}", stderr: "error: this went wrong:\n  * because\n" };
    expect(pulumiMessage(result)).toBe("this went wrong: * because.");
    expect(pulumiMessage({ ...result, stdout: "", stderr: "" })).toContain("exit code 1");
  });
});

describe("the report", () => {
  it("lists resources by name, in whatever order Pulumi finished them", () => {
    const changed = { op: "update", diff: { name: "update" }, old: { name: "a" }, new: { name: "b" } };
    const steps = ["tools", "payments"].map((name) => planned({ ...changed, name }));
    const error = diagnostic("error", "error: pulumi failed");
    const [one, other] = [steps, [...steps].reverse()].map((each) => {
      const checked = ofProgram([...each, error, summary({ update: 2 })]);
      return reportOn([{ state, ...checked }], [], { generatedAt });
    });
    expect(one).toEqual(other);
    expect(one?.findings.map(({ name }) => name)).toEqual(["payments", "tools"]);
    expect(one?.unreadable.map(({ what }) => what.split("::").at(-1))).toEqual([
      "ada",
      "bob",
      "cleo",
      "payments",
      "tools",
    ]);
  });
});
