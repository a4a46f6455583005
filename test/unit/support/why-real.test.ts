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
  it.each<[string | undefined, Partial<WantedRun>]>([
    [undefined, {}],
    [undefined, { args: ["stack", "export", "--show-secrets"] }],
    [undefined, { env: { OPSMANAGER_BASE_URL: "x", PULUMI_DEBUG_PROVIDERS: "opsmanager:1" } }],
    ["requested", { requestsProcesses: true }],
    ["interruptible", { isInterruptible: true }],
    ["command", { args: ["plugin", "ls"] }],
    ["command", { args: [] }],
    ["flag", { args: ["up", "-v=9"] }],
    ["flag", { args: ["up", "--logtostderr"] }],
    ["flag", { args: ["up", "--parallel=1"] }],
    [undefined, { args: ["up", "--parallel=10"] }],
    [undefined, { args: ["preview", "--json"], env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } }],
    ["flag", { args: ["up", "--cwd=elsewhere"] }],
    ["environment", { env: { NODE_OPTIONS: "--require=x" } }],
    [undefined, { env: { NODE_OPTIONS: "--require=x" }, attachesNodeHosts: false }],
    [undefined, { env: { HTTPS_PROXY: "http://127.0.0.1:1", NO_PROXY: "x" } }],
    ["environment", { env: { https_proxy: "http://127.0.0.1:1" } }],
  ])("is %s for %j", (reason, wanted) => {
    expect(whyReal({ ...run, ...wanted }, { commandLine, isBusy: false })).toBe(reason);
  });

  it("is that another run is under way, or that the engine was not built here", () => {
    expect(whyReal(run, { commandLine, isBusy: true })).toBe("concurrent");
    expect(whyReal(run, { commandLine: undefined, isBusy: false })).toBe("engine");
  });
});
