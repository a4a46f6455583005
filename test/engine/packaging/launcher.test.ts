/** The launcher on a Node.js that is too old, by the version that it reports: undici 8 cannot be loaded before 22.15. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAtLeast } from "../../../scripts/lib/version.mjs";
import { repositoryRoot } from "../../support";
import { launcher } from "../support/plugin-process";

const manifestOf = (...path: string[]) =>
  JSON.parse(readFileSync(join(repositoryRoot, ...path, "package.json"), "utf8"));
const minimumOf = ({ engines }: { engines: { node: string } }) => engines.node.replace(">=", "");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "opsmanager-launcher-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Starts the launcher on a Node.js that takes itself for another version; stdin is at its end, so the plugin ends at once. */
function launch(version: string) {
  const pretend = join(folder, `${version}.cjs`);
  writeFileSync(
    pretend,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
  );
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--require", pretend, launcher, "127.0.0.1:1"],
    { encoding: "utf8", input: "" },
  );
  return { status, stdout, stderr };
}

describe("the launcher", () => {
  it.each(["18.20.0", "22.18.9"])("refuses Node.js %s in one line", (version) => {
    expect(launch(version)).toEqual({
      status: 1,
      stdout: "",
      stderr: `pulumi-resource-opsmanager needs Node.js 22.19 or newer on PATH; this is ${version}.\n`,
    });
  });

  it.each(["22.19.0", "26.1.0"])("starts the plugin on Node.js %s", (version) => {
    expect(launch(version)).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\n$/), stderr: "" });
  });

  it("requires the version that the manifest specifies, and that is no less than the packages need", () => {
    const minimum = minimumOf(manifestOf());
    expect(readFileSync(launcher, "utf8")).toContain(`needs Node.js ${minimum} or newer`);
    for (const name of Object.keys(manifestOf().dependencies)) {
      const { engines } = manifestOf("node_modules", name);
      if (engines?.node)
        expect({ name, enough: isAtLeast(minimum, minimumOf({ engines })) }).toEqual({ name, enough: true });
    }
  });
});
