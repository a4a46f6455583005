/** `until`: an access ends after its last day, the same stories for every kind that has one. */

import {
  bothProviders,
  changedPaths,
  emptyProgram,
  errorsOf,
  messagesOf,
  operations,
  writes,
} from "../../engine/support/project-program";
import { keepDefault, succeeded } from "../../support";
import { tearDownStacks } from "../../support/model-stack";
import { refusal } from "../refusal";
import { afterLastDay, type Circumstances, endCases, itIs, lastDay, listEndCases, startEnds } from "./ends";

afterEach(async () => {
  await tearDownStacks();
  jest.useRealTimers();
});

const withoutRefresh = { refreshBeforeUpdate: false };
const done = { until: lastDay, endedAt: expect.stringContaining("2030-04-01T12:") };

describe.each([...endCases, ...listEndCases])("$kind", (which) => {
  const { granted, bringBack, loss, removal } = which;
  const isRemoval = { method: "DELETE", path: expect.stringMatching(removal) };

  it.each(bothProviders)(
    "is granted, ends after the last day, is ended again if it was brought back, and granted with a later day (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "a plain up ends what was brought back");
      itIs("2030-03-01");
      const { sandbox, stack, change, outputs, up, held } = await startEnds(which, { provider });
      await up();
      expect(held()).toEqual([granted]);
      expect(await outputs()).toMatchObject({ until: lastDay });
      itIs(lastDay);
      expect(operations(await up())).toEqual({ access: "same" });

      itIs("2030-04-01");
      const preview = await succeeded(stack.preview());
      expect(operations(preview)).toEqual({ access: "update" });
      expect(changedPaths(preview, "access")).toEqual({});
      expect(messagesOf(preview)).toMatch(
        new RegExp(`The last day, ${lastDay}, is over: ${loss.source}`, "i"),
      );
      expect(operations(await up())).toEqual({ access: "update" });
      expect(held()).toEqual([]);
      expect(writes(sandbox)).toEqual([isRemoval]);
      expect(await outputs()).toMatchObject(done);
      expect(operations(await up())).toEqual({ access: "same" });
      expect(writes(sandbox)).toEqual([]);

      if (bringBack) {
        itIs("2030-04-09");
        bringBack(sandbox);
        const back = await succeeded(stack.preview({ refresh: true }));
        expect(operations(back)).toEqual({ access: "update" });
        expect(messagesOf(back)).toMatch(loss);
        await up();
        expect(held()).toEqual([]);
        expect(await outputs()).toMatchObject({ endedAt: expect.stringContaining("2030-04-09") });
      }

      await change({ until: "2030-12-31" });
      expect(operations(await up())).toEqual({ access: bringBack ? "update" : "replace" });
      expect(held()).toEqual([granted]);
      const again = await outputs();
      expect(again).toMatchObject({ until: "2030-12-31" });
      expect(Object.keys(again ?? {})).not.toEqual(expect.arrayContaining(["endedAt"]));
      expect(operations(await up())).toEqual({ access: "same" });

      itIs("2031-01-01");
      await up();
      await stack.setProgram(emptyProgram);
      await up();
      expect([held(), writes(sandbox)]).toEqual([[], []]);
    },
  );

  it.each(
    bothProviders.flatMap((provider): (Circumstances & { readonly title: string })[] => [
      { provider, config: withoutRefresh, title: "refreshBeforeUpdate: false" },
      { provider, options: { ignoreChanges: ["roles", "until", "onDestroy"] }, title: "ignoreChanges" },
      { provider, options: { ignoreChanges: ["*"] }, title: "ignoreChanges: *" },
      { provider, options: { protect: true, retainOnDelete: true }, title: "protect and retainOnDelete" },
      {
        ...{ provider, config: withoutRefresh, title: "replaceOnChanges: * and retainOnDelete" },
        options: { replaceOnChanges: ["*"], retainOnDelete: true },
      },
      {
        ...{ provider, config: withoutRefresh, title: "replaceOnChanges: * and protect" },
        options: { replaceOnChanges: ["*"], protect: true },
      },
      { provider, properties: { onDestroy: "release" }, title: "onDestroy: release" },
    ]),
  )(
    "ends in spite of $title, after a try that failed ($provider)",
    async ({ title: _, ...circumstances }) => {
      const config = { maxRemovalsPerRun: 0, ...circumstances.config };
      const { sandbox, stack, up, held, outputs } = await afterLastDay(which, { ...circumstances, config });
      sandbox.addFault({ method: "DELETE", times: 0, fault: refusal(409, "NOT_NOW") });
      expect(await errorsOf(stack.up())).toContain("NOT_NOW");
      sandbox.clearFaults();
      // A replacement would be refused, leave the old key, or count for the limit.
      expect(operations(await up())).toEqual({ access: "update" });
      expect([held(), writes(sandbox)]).toEqual([[], [isRemoval]]);
      expect(await outputs()).toMatchObject(done);
      expect(operations(await up())).toEqual({ access: "same" });
      if (circumstances.options?.protect || bringBack === undefined) return;
      // Destroying the record of an access that is back takes it away.
      bringBack(sandbox);
      await stack.setConfig({ maxRemovalsPerRun: 1 });
      await stack.setProgram(emptyProgram);
      await up();
      expect(held()).toEqual([circumstances.options?.retainOnDelete ? granted : []].flat());
    },
  );

  it.each(bothProviders)(
    "gives nothing that was over from the start, and takes what is there (%s)",
    async (provider) => {
      itIs("2030-04-01");
      const { sandbox, stack, up, held, outputs } = await startEnds(which, {
        provider,
        config: { maxRemovalsPerRun: 0 },
      });
      which.clear?.(sandbox);
      const copy = await stack.copy({});
      await succeeded(stack.preview());
      await up();
      expect([held(), writes(sandbox)]).toEqual([[], []]);
      expect(await outputs()).toMatchObject(done);
      expect(operations(await up())).toEqual({ access: "same" });
      if (bringBack === undefined) return;
      bringBack(sandbox);
      for (const again of [1, 2]) {
        expect([again, await errorsOf(copy.up())]).toEqual([
          again,
          expect.stringContaining("maxRemovalsPerRun"),
        ]);
      }
      expect(held()).toEqual([granted]);
      await copy.setConfig({ maxRemovalsPerRun: 1 });
      await succeeded(copy.up());
      expect(held()).toEqual([]);
    },
  );

  it.each(bothProviders)(
    "counts for no limit if its day was recorded before, also after a vain try, and is not released by destroying it (%s)",
    async (provider) => {
      const { sandbox, stack, change, up, held, outputs } = await afterLastDay(which, {
        provider,
        config: { maxRemovalsPerRun: 0 },
        properties: { onDestroy: "release" },
      });
      sandbox.addFault({ method: "DELETE", times: 0, fault: refusal(409, "NOT_NOW") });
      expect(await errorsOf(stack.up())).toContain("NOT_NOW");
      expect(held()).toEqual([granted]);
      expect(await outputs()).toMatchObject({
        overdueSince: expect.stringContaining("2030-04-01"),
        overdueReason: "The removal failed: 409 NOT_NOW.",
      });
      sandbox.clearFaults();
      sandbox.addFault({ method: "DELETE", times: 0, fault: { status: 401 } });
      itIs("2030-04-02");
      expect(await errorsOf(stack.up())).toContain("401");
      expect(await outputs()).toMatchObject({
        overdueSince: expect.stringContaining("2030-04-01"),
        overdueReason: "The removal failed: 401.",
      });
      // Without the resource, it is a removal by the program.
      await stack.setProgram(emptyProgram);
      expect(await errorsOf(stack.up())).toContain("maxRemovalsPerRun (0)");
      await change({});
      sandbox.clearFaults();
      await up();
      expect(held()).toEqual([]);
      const outs = await outputs();
      expect(outs).toMatchObject({ endedAt: expect.stringContaining("2030-04-02") });
      expect(Object.keys(outs ?? {}).filter((name) => name.startsWith("overdue"))).toEqual([]);
    },
  );

  it.each(bothProviders)(
    "that somebody took away by hand after the day is no reason to make it again (%s)",
    async (provider) => {
      const { sandbox, stack, up, held, outputs } = await afterLastDay(which, { provider });
      which.takeOutside(sandbox);
      expect(held()).toEqual([]);
      const preview = await succeeded(stack.preview());
      expect(operations(preview)).toEqual({ access: "update" });
      expect(messagesOf(preview)).not.toMatch(/creates|was deleted/);
      const before = await outputs();
      await up();
      expect([held(), writes(sandbox)]).toEqual([[], []]);
      const { keyId, publicKey } = (await outputs()) ?? {};
      expect(await outputs()).toMatchObject(done);
      expect([keyId, publicKey]).toEqual([before?.keyId, before?.publicKey]);
      expect(operations(await up())).toEqual({ access: "same" });
    },
  );

  it.each(bothProviders)("that a run beside this one takes away has ended in both (%s)", async (provider) => {
    const { sandbox, stack, up, held, outputs } = await afterLastDay(which, { provider });
    await stack.before("DELETE", removal, () => which.takeOutside(sandbox));
    expect(operations(await up())).toEqual({ access: "update" });
    expect([held(), await outputs()]).toEqual([[], expect.objectContaining(done)]);
    expect(operations(await up())).toEqual({ access: "same" });
  });

  it.each(bothProviders)(
    "whose last day passes during a run lasts for all of it, and ends with the next (%s)",
    async (provider) => {
      keepDefault("refreshBeforeUpdate", "the run sends a request before it compares");
      itIs("2030-03-01");
      const { stack, up, held } = await startEnds(which, { provider });
      await up();
      await stack.before("GET", /./, () => itIs("2030-04-01"));
      expect(operations(await up())).toEqual({ access: "same" });
      expect(held()).toEqual([granted]);
      expect(operations(await up())).toEqual({ access: "update" });
      expect(held()).toEqual([]);
    },
  );

  it("that was imported ends like one that was given", async () => {
    itIs("2030-03-01");
    const { sandbox, stack, change, up, held } = await startEnds(which, {
      properties: { onDestroy: "release" },
    });
    await up();
    await stack.setProgram(emptyProgram);
    await up();
    await succeeded(stack.import(`opsmanager:index:${which.kind}`, "access", which.importId(sandbox)));
    await change({});
    await up();
    itIs("2030-04-01");
    expect(operations(await up())).toEqual({ access: "update" });
    expect(held()).toEqual([]);
    expect(operations(await up())).toEqual({ access: "same" });
  });

  // A put-off end was carried out before its day, and a new access counted as ended without a word.
  it.each(bothProviders)(
    "that was put off is no end yet: destroying follows onDestroy (%s)",
    async (provider) => {
      const { sandbox, stack, up, held } = await afterLastDay(which, {
        ...{ provider, properties: { onDestroy: "release" } },
      });
      sandbox.advanceClock(-365 * 24 * 3600);
      await up();
      sandbox.clearRequests();
      await succeeded(stack.destroy());
      expect([held(), writes(sandbox)]).toEqual([[granted], []]);
    },
  );

  it("that was never given is not called ended while the end is put off", async () => {
    // A key that is not made sends no request, so the service shows no clock.
    if (which.kind === "ApiKey") return;
    itIs("2030-04-01");
    const another = await startEnds(which);
    another.sandbox.advanceClock(-365 * 24 * 3600);
    expect(messagesOf(await another.up(), "warning")).toContain("is not over");
    expect([another.held(), (await another.outputs())?.endedAt]).toEqual([[], undefined]);
  });

  // The engine keeps the inputs before the failed update, which say that the day is over.
  it.each(bothProviders)(
    "that is extended beside a failure is released like any other (%s)",
    async (provider) => {
      // A key is made anew, and a list has a failure of its own.
      if (bringBack === undefined || which.recorded !== undefined) return;
      const { stack, change, up, held } = await afterLastDay(which, {
        provider,
        properties: { onDestroy: "release" },
      });
      await up();
      let stored = "READ_ONLY";
      await stack.rewriteResponses((body) => body.replaceAll("READ_ONLY", stored));
      stored = "DATA_ACCESS_READ_ONLY";
      await change({ until: "2030-12-31" });
      expect(await errorsOf(stack.up())).toContain("DATA_ACCESS_READ_ONLY");
      stored = "READ_ONLY";
      const beforeRefresh = await stack.copy({});
      await succeeded(beforeRefresh.destroy());
      expect(held()).toEqual([granted]);
      await succeeded(stack.refresh());
      await succeeded(stack.destroy());
      expect(held()).toEqual([granted]);
    },
  );

  it("that was brought back counts for no limit, and one that a program gives a past day does each time", async () => {
    if (bringBack === undefined) return;
    keepDefault("refreshBeforeUpdate", "the run sees what was brought back");
    const config = { maxRemovalsPerRun: 0 };
    const { sandbox, up, held } = await afterLastDay(which, { config });
    await up();
    bringBack(sandbox);
    await up();
    expect(held()).toEqual([]);

    itIs("2030-04-01");
    const mistyped = await startEnds(which, { config, properties: { until: "2031-03-31" } });
    await mistyped.up();
    await mistyped.change({ until: "2021-03-31" });
    mistyped.sandbox.addFault({
      method: "DELETE",
      times: 0,
      fault: { status: 404, body: "<html>No</html>" },
    });
    for (const _ of "ab") {
      expect(await errorsOf(mistyped.stack.up())).toContain("maxRemovalsPerRun");
      mistyped.sandbox.clearFaults();
    }
    expect(mistyped.held()).toEqual([granted]);
  });

  it("is put off while the service's clock is before the end of the day, and while one page says that nothing is offered", async () => {
    const { sandbox, stack, up, held, outputs } = await afterLastDay(which);
    sandbox.advanceClock(-365 * 24 * 3600);
    expect(messagesOf(await up(), "warning")).toContain("By the service's clock it is 2029-04-01");
    expect([held(), writes(sandbox)]).toEqual([[granted], []]);
    const early = await outputs();
    expect(early).toMatchObject({
      overdueReason: "Put off: by the service's clock, the last day is not over.",
    });
    expect(early).not.toHaveProperty("overdueSince");
    sandbox.advanceClock(365 * 24 * 3600);
    const page = { status: 404, body: "<html>Not here</html>" };
    sandbox.addFault({ method: "DELETE", times: 0, fault: page });
    const vain = await up();
    expect(messagesOf(vain, "warning")).toMatch(/404/);
    expect(await outputs()).toMatchObject({ overdueReason: "The service does not offer the removal." });
    expect(held()).toEqual([granted]);
    sandbox.clearFaults();
    sandbox.addFault({ method: "DELETE", times: 1, fault: page });
    await succeeded(stack.up());
    expect(held()).toEqual([]);
    expect(await outputs()).toMatchObject(done);
  });
});
