import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathInRepository, wholeReportLocations } from "../../../../cli/lib/report-files";

it("names the program's file from the root of its repository, and by its name alone outside of one", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "report-locations-")));
  const file = join(root, "infra", "platform", "Pulumi.yml");
  await mkdir(join(root, "infra", "platform"), { recursive: true });
  await writeFile(file, "");
  expect(await pathInRepository(file)).toBe("Pulumi.yml");
  await writeFile(join(root, ".git"), "gitdir: elsewhere");
  expect(await pathInRepository(file)).toBe("infra/platform/Pulumi.yml");
  await rm(root, { recursive: true });
});

it("points at the JSON file, and at the run of GitHub Actions that wrote it", () => {
  const env = {
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "example/platform",
    GITHUB_RUN_ID: "42",
  };
  expect(wholeReportLocations(join("/root", "reports", "drift.json"), { cwd: "/root", env })).toEqual([
    join("reports", "drift.json"),
    "https://github.com/example/platform/actions/runs/42",
  ]);
  expect(wholeReportLocations(undefined, { cwd: "/root", env: {} })).toEqual([]);
});
