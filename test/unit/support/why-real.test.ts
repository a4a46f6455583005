import { type WantedRun, whyReal } from "../../support/resident/why-real";

const commandLine = {} as never;
const run: WantedRun = {
  args: ["up", "--yes"],
  env: {},
  requestsProcesses: false,
  isInterruptible: false,
  attachesNodeHosts: true,
};

describe("the reason why a run has processes of its own", () => {
  it.each<{ reason: string | undefined; wanted: Partial<WantedRun> }>([
    { reason: undefined, wanted: {} },
    { reason: undefined, wanted: { env: { PULUMI_DEBUG_PROVIDERS: "opsmanager:1", NO_PROXY: "x" } } },
    {
      reason: undefined,
      wanted: { args: ["preview", "--json"], env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } },
    },
    { reason: "requested", wanted: { requestsProcesses: true } },
    { reason: "interruptible", wanted: { isInterruptible: true } },
    { reason: "command", wanted: { args: ["plugin", "ls"] } },
    { reason: "command", wanted: { args: [] } },
    ...["-v=9", "--logtostderr", "--parallel=1", "--cwd=elsewhere"].map((flag) => ({
      reason: "flag",
      wanted: { args: ["up", flag] },
    })),
    { reason: "environment", wanted: { env: { NODE_OPTIONS: "--require=x" } } },
    { reason: undefined, wanted: { env: { NODE_OPTIONS: "--require=x" }, attachesNodeHosts: false } },
    { reason: undefined, wanted: { env: { HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "x" } } },
    { reason: "environment", wanted: { env: { https_proxy: "http://127.0.0.1:1" } } },
  ])("is $reason for $wanted", ({ reason, wanted }) => {
    expect(whyReal({ ...run, ...wanted }, { commandLine, isBusy: false })).toBe(reason);
  });

  it("is that another run is under way, or that the engine was not built here", () => {
    expect(whyReal(run, { commandLine, isBusy: true })).toBe("concurrent");
    expect(whyReal(run, { commandLine: undefined, isBusy: false })).toBe("engine");
  });
});
