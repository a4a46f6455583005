import { finished, reportOn } from "../../../../cli/drift";
import { driftOf, programSource, stateSource } from "../../../../cli/drift/stack-drift";
import { EventReader } from "../../../../cli/lib/engine-events";
import { pulumiMessage } from "../../../../cli/lib/pulumi";
import {
  diagnostic,
  planned,
  refreshed,
  runOf,
  type StateFacts,
  stateOf,
  summary,
  urnOf,
  type Values,
} from "./stream";

type Compared = Parameters<typeof stateSource>;
const ofState = (...of: Compared) => driftOf(...of, stateSource);
const ofProgram = (...of: Compared) => driftOf(...of, programSource);
const member = "opsmanager:index:ProjectMember";
const generatedAt = "2026-01-02T03:04:05.000Z";
const [one, two] = ["5f0000000000000000000001", "5f0000000000000000000002"];
const state = stateOf({
  payments: { id: one },
  tools: { id: two },
  ada: { type: member, id: `${one}/ada@example.com` },
  bob: { type: member, id: `${one}/bob@example.com` },
  cleo: { type: member, id: `${two}/cleo@example.com` },
});
const same = (...names: string[]) =>
  names
    .map((name) =>
      refreshed({ op: "same", name, ...(["ada", "bob", "cleo"].includes(name) && { type: member }) }),
    )
    .join("");
const allMembers = same("payments", "tools", "ada", "bob", "cleo");
const names = ({ undetermined }: { undetermined: readonly { what: string }[] }) =>
  undetermined.map(({ what }) => what.split("::").at(-1));

describe("the stream of a refresh", () => {
  it("is read in whatever pieces it comes, and lines that are no events are passed over", () => {
    const text = `warning: something\n${allMembers}{"half": \n${summary({ same: 5 })}`;
    const seen: string[] = [];
    const reader = new EventReader(({ op }) => seen.push(op));
    for (let start = 0; start < text.length; start += 7) reader.take(text.slice(start, start + 7));
    expect(reader.end()).toMatchObject({ summary: { same: 5 } });
    expect(seen).toEqual(["same", "same", "same", "same", "same"]);
  });
});

describe("what could not be determined", () => {
  it("is everyone in a project whose people cannot be listed, though one warning stands for them", () => {
    const warning = `[unreadable] [people ${one}] The people of project ${one} cannot be read with these credentials, so the state keeps the last known values: 403.`;
    const run = runOf(
      allMembers,
      diagnostic("info#err", `warning: [runtime] ${warning}`),
      summary({ same: 6 }),
    );
    const checked = ofState(state, run, undefined);
    expect(names(checked)).toEqual(["ada", "bob"]);
    expect(checked.undetermined[0]?.reason).toMatch(/^The people of project .* 403\.$/);
  });

  it("is a person whose invitation is no longer pending, if the service cannot report what became of it", () => {
    const invitation = "5f0000000000000000000009";
    const people = stateOf({
      ada: { type: member, id: `${one}/ada@example.com` },
      bob: { type: member, id: `${one}/${invitation}` },
      cleo: { type: member, id: `${two}/cleo@example.com` },
    });
    const warning = (id: string) =>
      diagnostic("warning", `warning: [unverified] [invitation ${one}/${id}] It is not pending.`);
    const responses = same("ada", "bob", "cleo") + summary({ same: 3 });
    const of = (id: string) => names(ofState(people, runOf(warning(id), responses), undefined));
    expect(of(invitation)).toEqual(["bob"]);
    // A state may keep the id secret: then everyone of the project counts.
    expect(of("[secret]")).toEqual(["ada", "bob"]);
  });

  it("are declared tags that the key may not see", () => {
    const payments = {
      op: "same",
      old: { tags: ["A"] },
      new: { tags: ["A"] },
      outputs: { tagsVisible: false },
    };
    const run = runOf(refreshed(payments), same("tools", "ada", "bob", "cleo"), summary({ same: 6 }));
    expect(ofState(state, run, undefined).undetermined).toMatchObject([
      { what: urnOf("payments"), reason: expect.stringContaining("may not see tags") },
    ]);
  });

  it("is what the engine did not come to, each with its own error or with the run's", () => {
    const failed = diagnostic("error", "error: Preview failed: the service is away", urnOf("tools"));
    const run = runOf(same("payments"), failed, diagnostic("error", "error: preview failed"));
    expect(ofState(state, run, "the service is away").undetermined).toEqual([
      { what: urnOf("tools"), reason: "the service is away", stack: "test" },
      ...["ada", "bob", "cleo"].map((name) => ({
        what: urnOf(name, member),
        reason: "Pulumi stopped before checking it: the service is away",
        stack: "test",
      })),
    ]);
  });

  it.each([
    ["counts more than its steps show", allMembers + summary({ same: 4, update: 2 }), "counts 2 to update"],
    ["ends without its summary", allMembers, "without a summary"],
    [
      "does not read a resource",
      same("payments", "tools", "ada", "bob") + summary({ same: 5 }),
      "did not check it",
    ],
  ])("is whatever is left where pulumi %s", (_, text, reason) => {
    const { undetermined } = ofState(state, runOf(text), undefined);
    expect(undetermined).toHaveLength(1);
    expect(undetermined[0]?.reason).toContain(reason);
  });

  it("are, of a program, the resources that were refused, and other providers' are none of ours", () => {
    const error = (name: string, type?: string) =>
      diagnostic("error", `error: ${name} is not right.`, urnOf(name, type));
    const foreign = planned({ op: "create", name: "bucket", type: "aws:s3/bucket:Bucket" });
    const run = runOf(
      foreign,
      error("tools"),
      error("bucket", "aws:s3/bucket:Bucket"),
      summary({ create: 1 }),
    );
    expect(ofProgram(stateOf({}), run, "tools is not right.")).toEqual({
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
  });

  it("are, of a program that stopped at a resource, the rest of it too, which a rule for this resource does not cover", () => {
    const run = runOf(diagnostic("error", "error: tools is not right.", urnOf("tools")), summary({}));
    const drift = ofProgram(stateOf({}), run, "tools is not right.");
    const rule = { resource: "tools", kind: "unreadable", reason: "ticket 17" } as const;
    expect(reportOn([{ state, ...drift }], [rule], { generatedAt })).toMatchObject({
      result: "unknown",
    });
  });

  it("is masked before a long reason is shortened, so no part of a name is left", () => {
    const name = "ada.lovelace@example.com";
    const alignments = Array.from({ length: 1_100 }, (_, index) => index);
    for (const before of alignments.filter((index) => index % 11 === 0)) {
      const error = `${"x".repeat(before)} ${`${name} `.repeat(80)}`;
      const unfinished = stateOf({ payments: { id: one, initErrors: [error] } });
      const step = refreshed({ op: "same", old: { name: "a" }, new: { name: "a" } });
      const checked = ofState(unfinished, runOf(step, summary({ same: 1 })), undefined);
      const stacks = [{ state: unfinished, ...checked }];
      const found = reportOn(stacks, [], { generatedAt });
      const [thing] = finished(found, stacks, { maskPeople: true }).unreadable;
      expect(thing?.reason).toMatch(/^The last create .* \[\.\.\.\] .* Run `pulumi up`\.$/);
      expect(thing?.reason.length).toBeLessThan(1_050);
      expect(thing?.reason).not.toMatch(/ada|lovelace|example/);
    }
  });

  describe("although every value is as declared", () => {
    const values = { old: { name: "a" }, new: { name: "a" } };
    const unfinished = "Updating tags failed: 403.";
    const cases: readonly [string, StateFacts, Values, string][] = [
      ["a create or update that did not finish", { initErrors: [unfinished] }, {}, unfinished],
      [
        "a state with values of a read",
        {},
        { __inputsRead: ["name"] },
        "replaced the declared values of name",
      ],
    ];
    it.each(cases)("is, of the state alone, %s", (_, facts, hidden, reason) => {
      const step = { op: "same", old: { ...values.old, ...hidden }, new: { ...values.new, ...hidden } };
      const run = runOf(refreshed(step), summary({ same: 1 }));
      const { findings, undetermined } = ofState(
        stateOf({ payments: { id: one, ...facts } }),
        run,
        undefined,
      );
      expect(findings).toEqual([]);
      expect(undetermined).toMatchObject([
        { what: urnOf("payments"), reason: expect.stringContaining(reason) },
      ]);
    });

    it("is, of the program, what did not finish, and what it was not compared with", () => {
      const state = stateOf({ payments: { id: one, initErrors: [unfinished] }, tools: { id: two } });
      const run = runOf(
        refreshed({ ...values, op: "refresh" }),
        refreshed({ ...values, op: "refresh", name: "tools" }),
        planned({ ...values, op: "same" }),
        summary({ same: 1 }),
      );
      expect(ofProgram(state, run, undefined)).toMatchObject({
        findings: [],
        undetermined: [
          { what: urnOf("payments"), reason: expect.stringContaining(unfinished) },
          { what: urnOf("tools"), reason: "Pulumi did not compare it with the program." },
        ],
      });
    });

    it("are pending operations, and what a replacement has still to delete", () => {
      const payments = { urn: urnOf("payments"), type: "opsmanager:index:Project" };
      const state = {
        ...stateOf({}),
        pending: [{ type: "updating", resource: payments }],
        replaced: [payments],
      };
      const { undetermined } = ofState(state, runOf(summary({})), undefined);
      expect(undetermined.map(({ reason }) => reason)).toEqual([
        expect.stringContaining("A replacement has not deleted"),
        expect.stringContaining("interrupted while it updated this"),
      ]);
      expect(ofProgram(state, runOf(summary({})), undefined).undetermined).toHaveLength(2);
    });
  });

  it("is reported in pulumi's own words, in one line", () => {
    const result = { exitCode: 1, stdout: "{}", stderr: "error: this went wrong:\n  * because\n" };
    expect(pulumiMessage(result)).toBe("this went wrong: * because.");
    expect(pulumiMessage({ ...result, stdout: "", stderr: "" })).toContain("exit code 1");
  });
});

describe("the program", () => {
  const state = stateOf({ payments: { id: one } });
  const changed = { diff: { name: "update" }, old: { name: "applied" }, new: { name: "live" } };
  const checked = (...lines: string[]) => ofProgram(state, runOf(...lines), undefined);

  it("is compared with the live object, whatever the state holds", () => {
    const refresh = refreshed({ ...changed, op: "refresh" });
    const update = planned({
      op: "update",
      diff: { name: "update" },
      old: { name: "live" },
      new: { name: "applied" },
    });
    expect(checked(refresh, update, summary({ update: 1 }))).toMatchObject({
      findings: [{ comparison: "program", cause: "outside", declared: "applied", live: "live" }],
      undetermined: [],
    });
    // The object and then the program were changed to the same value.
    const same = planned({ op: "same", old: { name: "live" }, new: { name: "live" } });
    expect(checked(refresh, same, summary({ same: 1 }))).toEqual({ findings: [], undetermined: [] });
  });

  it("shows what no longer exists as deleted, and nothing where it no longer declares that either", () => {
    const deleted = refreshed({ op: "refresh", old: { name: "a" }, new: null });
    const create = planned({ op: "create", new: { name: "a" } });
    expect(checked(deleted, create, summary({ create: 1 })).findings).toMatchObject([
      { kind: "deleted", cause: "outside", property: "", id: one },
    ]);
    expect(checked(deleted, summary({}))).toEqual({ findings: [], undetermined: [] });
  });

  it("is replaced by the state where it fails before it declares the resource", () => {
    const run = runOf(
      refreshed({ ...changed, op: "refresh" }),
      diagnostic("error", "error: the program failed"),
    );
    expect(ofProgram(state, run, "the program failed.")).toMatchObject({
      findings: [{ comparison: "state", cause: "outside", declared: "applied", live: "live" }],
      undetermined: [{ what: "program of stack test", reason: "the program failed." }],
    });
  });
});

describe("the result", () => {
  const changed = { op: "update", diff: { name: "update" }, old: { name: "a" }, new: { name: "b" } };
  const finding = ofState(
    stateOf({ payments: { id: one } }),
    runOf(refreshed(changed), summary({ update: 1 })),
    undefined,
  );
  const at = "2026-01-02T03:04:05.000Z";
  const resultOf = (checked: Parameters<typeof reportOn>[0][number], rules = "") =>
    reportOn([checked], rules === "" ? [] : [{ resource: "*", reason: "known", ...JSON.parse(rules) }], {
      generatedAt: at,
    }).result;

  it("is unknown before it is drift, and drift before it is clean", () => {
    const open = { what: "stack test", reason: "away", stack: "test" };
    expect(resultOf({ state, findings: [], undetermined: [] })).toBe("clean");
    expect(resultOf({ state, ...finding })).toBe("drift");
    expect(resultOf({ state, ...finding, undetermined: [open] })).toBe("unknown");
  });

  it("lists resources by name, in whatever order Pulumi finished them", () => {
    const steps = ["tools", "payments"].map((name) => planned({ ...changed, name }));
    const error = diagnostic("error", "error: pulumi failed");
    const reports = [steps, [...steps].reverse()].map((each) => {
      const checked = ofProgram(state, runOf(...each, error, summary({ update: 2 })), undefined);
      return reportOn([{ state, ...checked }], [], { generatedAt });
    });
    expect(reports[0]).toEqual(reports[1]);
    expect(reports[0]?.findings.map(({ name }) => name)).toEqual(["payments", "tools"]);
    expect(reports[0] && names({ undetermined: reports[0].unreadable })).toEqual([
      "ada",
      "bob",
      "cleo",
      "payments",
      "tools",
    ]);
  });

  it("leaves out what a rule ignores, and what could not be determined only where the rule includes it", () => {
    const unread = {
      state,
      findings: [],
      undetermined: [{ what: urnOf("payments"), reason: "no right", stack: "test" }],
    };
    expect(resultOf({ state, ...finding }, "{}")).toBe("clean");
    expect(resultOf(unread, "{}")).toBe("unknown");
    expect(resultOf(unread, '{"kind":"unreadable"}')).toBe("clean");
  });
});
