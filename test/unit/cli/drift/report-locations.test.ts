import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportOn } from "../../../../cli/drift";
import { pathInRepository, wholeReportLocations } from "../../../../cli/lib/report-files";
import { report, unmanaged } from "./reports";

let root: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "report-locations-")));
});

afterEach(() => rm(root, { recursive: true, force: true }));

it("names the program's file from the root of its repository, and by its name alone outside of one", async () => {
  const folder = join(root, "infra", "platform");
  await mkdir(folder, { recursive: true });
  const file = join(folder, "Pulumi.yml");
  await writeFile(file, "");
  expect(await pathInRepository(file)).toBe("Pulumi.yml");
  await writeFile(join(root, ".git"), "gitdir: elsewhere");
  expect(await pathInRepository(file)).toBe("infra/platform/Pulumi.yml");
});

it("points at the JSON file, and at the run of GitHub Actions that wrote it", () => {
  const env = {
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "example/platform",
    GITHUB_RUN_ID: "42",
  };
  expect(wholeReportLocations(join(root, "reports", "drift.json"), { cwd: root, env })).toEqual([
    join("reports", "drift.json"),
    "https://github.com/example/platform/actions/runs/42",
  ]);
  expect(wholeReportLocations(undefined, { cwd: root, env: {} })).toEqual([]);
});

describe("unmanaged objects", () => {
  const rowsOf = (lists: typeof unmanaged) => report({ unmanaged: lists }).unmanaged;
  const checked = { state: undefined, findings: [], undetermined: [] };
  const resultOf = (beside: object, failOnUnmanaged: boolean) =>
    reportOn([checked], [], {
      generatedAt: "2026-01-02T03:04:05.000Z",
      beside: { findings: [], undetermined: [], ...beside },
      failOnUnmanaged,
    }).result;

  it("is drift only where that was requested, and never without what could be managed", () => {
    const onlyIndirect = {
      ...unmanaged,
      projects: [],
      people: unmanaged.people.filter(({ status }) => status === "indirect"),
    };
    expect(resultOf({ unmanaged: rowsOf(unmanaged) }, false)).toBe("clean");
    expect(resultOf({ unmanaged: rowsOf(unmanaged) }, true)).toBe("drift");
    expect(resultOf({ unmanaged: rowsOf(onlyIndirect) }, true)).toBe("clean");
  });

  it("is less than something that could not be read", () => {
    const undetermined = [{ what: "projects of organization x", reason: "away." }];
    expect(resultOf({ unmanaged: rowsOf(unmanaged), undetermined }, true)).toBe("unknown");
  });
});
