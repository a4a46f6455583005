import { readFileSync } from "node:fs";
import { join } from "node:path";
import { controlRoutes } from "../../../sandbox/control-routes";
import { flagOf, flags } from "../../../sandbox/options";
import { readSeed } from "../../../sandbox/seed";
import { switchNames } from "../../../sandbox/switches";
import { call, type KeyPair } from "./client";
import { sandboxes } from "./with-sandbox";

const start = sandboxes();
const readme = readFileSync(join(__dirname, "../../../sandbox/README.md"), "utf8");
const page = readFileSync(join(__dirname, "../../../docs/sandbox.md"), "utf8");

test("the README's table of flags is the one of the command line", () => {
  // The formatter pads the columns of a table; the words are what counts.
  const words = readme.replace(/ +/g, " ");
  const rows = flags.map(({ name, value, about }) => {
    const usage = value === undefined ? `--${name}` : `--${name} ${value.replaceAll("|", "\\|")}`;
    return `| \`${usage}\` | ${about} |`;
  });
  expect(rows.filter((row) => !words.includes(row))).toEqual([]);
});

test("the README's table of sources has a row for each switch", () => {
  const sources = readme.slice(readme.indexOf("## Where each behavior comes from"));
  const rows = sources.split("\n").filter((line) => line.startsWith("| "));
  const column = rows.map((row) => row.split(" | ")[1] ?? "").join("\n");
  expect(switchNames.filter((name) => !column.includes(`\`--${flagOf(name)}\``))).toEqual([]);
});

test("the README's table names every operation of the control address", () => {
  const section = readme.slice(readme.indexOf("## Control address"), readme.indexOf("## Seed"));
  const named = [...section.matchAll(/`(GET|POST|PATCH|DELETE) (\/[^`]*)`/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const normal = (text: string): string => text.replace(/\{[^}]*\}/g, "{}");
  expect([...new Set(named.map(normal))].sort()).toEqual(
    controlRoutes.map(({ method, pattern }) => normal(`${method} ${pattern}`)).sort(),
  );
});

test("the README's seed starts a sandbox that accepts its key", async () => {
  const json = /```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const sandbox = await start({ seed: readSeed(JSON.parse(json), "README") });
  expect((await call(sandbox, "GET", "/groups/5f00000000000000000000a1")).json.name).toBe("payments");
  expect(sandbox.publicKey).toBe("demo");
});

test("docs/sandbox.md shows a key that the control address makes", async () => {
  const [, body = "", path = ""] = /curl --json '([^']+)' \\\n +http:\/\/[\d.:]+(\/\w+)\n/.exec(page) ?? [];
  const sandbox = await start({ seed: { orgs: [{ id: JSON.parse(body).roles[0].orgId }] } });
  const response = await fetch(`${sandbox.controlUrl}${path}`, { method: "POST", body });
  const key = (await response.json()) as KeyPair;
  const users = `/orgs/${sandbox.orgId}/users`;
  expect((await call(sandbox, "GET", users, undefined, key)).status).toBe(200);
  expect((await call(sandbox, "POST", `/orgs/${sandbox.orgId}/teams`, {}, key)).status).toBe(401);
});

/** Names in the first column of the table that has this heading. */
function firstColumn(heading: string): string[] {
  const table = page.slice(page.indexOf(`| ${heading} |`)).split("\n\n")[0] ?? "";
  const cells = table
    .split("\n")
    .slice(2)
    .map((row) => row.split(" | ")[0] ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)/g)].map(([, name = ""]) => name));
}

test("docs/sandbox.md names options and members that exist", async () => {
  const options = firstColumn("option");
  expect(options).toContain("seed");
  const own = ["seed", "port", "controlPort", "dataFile", "tls", "log"];
  expect(options.filter((name) => ![...own, ...switchNames].includes(name))).toEqual([]);

  const members = firstColumn("member");
  expect(members).toContain("state");
  const sandbox = await start();
  expect(members.filter((name) => !(name in sandbox))).toEqual([]);
});
