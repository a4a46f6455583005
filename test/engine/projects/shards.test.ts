/** Several stacks share one folder of files, and projects move between them as docs/scale.md describes. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import { type Stack, succeeded } from "../../support";
import { nameOf } from "../../support/engine-events";
import { readState } from "../../support/state-backend";
import { doings, setUpAccessFolder, writeProjectFiles } from "../support/access-folder";
import { deletions } from "../support/people-program";
import { projectNamed, writes } from "../support/project-program";
import { tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const select = 'new (require("@pulumi/pulumi").Config)().requireObject("select")';

/** Another stack of the same program, with the same settings. */
async function addStack(stack: Stack, name: string): Promise<void> {
  const settings = (of: string) => join(stack.paths.program, `Pulumi.${of}.yaml`);
  await succeeded(stack.run("stack", "init", name, "--no-select"));
  await copyFile(settings(stack.name), settings(name));
}

async function selectShard(stack: Stack, name: string, index: number, count: number): Promise<void> {
  const set = (path: string, value: number) =>
    succeeded(stack.run("config", "set", "--stack", name, "--path", `select.shard.${path}`, `${value}`));
  await set("index", index);
  await set("count", count);
}

/** What a stack holds: `Project payments`. */
async function heldBy(stack: Stack, name: string): Promise<string[]> {
  const { resources } = await readState(stack.paths.state, stack.project, name);
  return resources
    .filter(({ type }) => !type.startsWith("pulumi:"))
    .map(({ type, urn }) => `${type.split(":").at(-1)} ${nameOf(urn)}`)
    .sort();
}

/** `pulumi preview --json | jq -r '.steps[] | select(.op == "delete") | .urn'` */
async function leaving(stack: Stack, name: string): Promise<string[]> {
  const { stdout } = await succeeded(stack.run("preview", "--stack", name, "--json"));
  const { steps } = JSON.parse(stdout) as { steps: { op: string; urn: string }[] };
  return steps.filter(({ op }) => op === "delete").map(({ urn }) => urn);
}

const files = ({ orgId }: Sandbox) => ({
  "payments.yaml": `orgId: ${orgId}\nname: payments\nmembers: { ada@example.com: [GROUP_OWNER] }\n`,
  "billing.yaml": `orgId: ${orgId}\nname: billing\nonDestroy: delete\n`,
  "eve.yaml": `orgId: ${orgId}\nname: eve\nonDestroy: delete\nmembership: additive\nmembers: { eve@example.com: [GROUP_OWNER] }\n`,
  "Zürich.yaml": `orgId: ${orgId}\nname: Zürich\nmembers: { bob@example.com: [GROUP_OWNER] }\n`,
});

it("a new shard takes its projects over by `pulumi state move`, and nothing is sent", async () => {
  const config = { "platform:select": '{"shard":{"index":0,"count":1}}' };
  const setup = await setUpAccessFolder({ provider: "plugin", select, config, files });
  const { sandbox, stack } = setup;
  await succeeded(stack.up());
  const service = JSON.stringify(sandbox.state);
  sandbox.clearRequests();
  await addStack(stack, "north");
  await selectShard(stack, "test", 0, 2);
  await selectShard(stack, "north", 1, 2);
  const urns = await leaving(stack, "test");
  expect(urns.map(nameOf).sort()).toEqual(["Zürich", "Zürich", "eve", "eve/eve@example.com"]);
  await succeeded(stack.run("state", "move", "--source", "test", "--dest", "north", "--yes", ...urns));
  const preview = await succeeded(stack.preview({ stack: "north" }));
  expect(new Set(doings(preview))).toEqual(new Set(["create AccessFolder access"]));
  await succeeded(stack.up({ stack: "test", expectNoChanges: true }));
  await succeeded(stack.up({ stack: "north" }));
  await succeeded(stack.up({ stack: "north", expectNoChanges: true }));
  expect(await heldBy(stack, "test")).toEqual([
    "AccessFolder access",
    "Project billing",
    "Project payments",
    "ProjectMembers payments",
  ]);
  expect(await heldBy(stack, "north")).toEqual([
    "AccessFolder access",
    "Project Zürich",
    "Project eve",
    "ProjectMember eve/eve@example.com",
    "ProjectMembers Zürich",
  ]);
  expect(writes(sandbox)).toEqual([]);
  expect(JSON.stringify(sandbox.state)).toBe(service);

  // The new stack knows how the project was created, and that its people are deleted with it.
  const { id } = projectNamed(sandbox, "eve");
  await writeProjectFiles(setup, { "eve.yaml": undefined });
  await succeeded(stack.up({ stack: "test", expectNoChanges: true }));
  await succeeded(stack.up({ stack: "north" }));
  expect(deletions(sandbox)).toEqual([`/groups/${id}`]);
});
