/** Last events of unmanaged objects if several stacks are given; a script is in for `pulumi`. */
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { reportOn } from "../../../cli/drift/index";
import { withLastEvents } from "../../../cli/drift/last-events";
import { unmanagedOf } from "../../../cli/drift/report/model";
import { hints } from "../../../cli/drift/report/summary";
import { findUnmanaged } from "../../../cli/drift/unmanaged";
import { Ownership } from "../../../cli/lib/ownership";
import type { Terminal } from "../../../cli/lib/terminal";
import { clientFactory } from "../client/with-client";

const start = clientFactory();
const owner = ["GROUP_OWNER"];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "opsmanager-last-events-"));
  await writeFile(join(folder, "Pulumi.yaml"), "name: platform\nruntime: nodejs\n");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A terminal in which each stack has these settings. */
async function terminalWith(settings: Readonly<Record<string, string>>): Promise<Terminal> {
  const config = Object.entries(settings).map(([name, value]) => [`opsmanager:${name}`, { value }]);
  const printed = JSON.stringify(JSON.stringify(Object.fromEntries(config)));
  await writeFile(join(folder, "pulumi"), `#!${process.execPath}\nconsole.log(${printed});\n`);
  await chmod(join(folder, "pulumi"), 0o755);
  const env = { PATH: [folder, process.env.PATH].join(delimiter) };
  const streams = { stdout: () => {}, stderr: () => {}, isWatched: false, hasColors: false, columns: 80 };
  return { ...streams, env, cwd: folder, stop: new AbortController().signal };
}

it("are read with the key of a stack that has a resource in the organization, and unknown without one", async () => {
  const { sandbox, client } = await start.sandbox({
    seed: { orgs: [{ name: "Example" }, { name: "Other" }], projects: [{ name: "payments" }] },
  });
  const [payments, here] = [sandbox.state.projects[0], sandbox.addProject({ name: "by-hand" })];
  const elsewhere = sandbox.addProject({ name: "elsewhere", orgId: sandbox.state.orgs[1]?.id ?? "" });
  for (const { id } of [here, elsewhere]) sandbox.setMember(id, { username: "eve@example.com" }, owner);
  const project = {
    type: "opsmanager:index:Project",
    id: payments?.id ?? "",
    outputs: { orgId: sandbox.orgId },
  };
  const resources = new Map([
    ["empty", []],
    ["prod", [project]],
  ]);
  const { baseUrl, publicKey, privateKey, orgId } = sandbox;
  const terminal = await terminalWith({ baseUrl, publicKey, privateKey });
  const search = await findUnmanaged({
    declared: { owners: new Ownership([project]), planned: new Ownership([]), comparison: "program" },
    client,
    ownKeys: new Set([publicKey]),
    orgIds: [orgId, elsewhere.orgId],
    signal: terminal.stop,
    terminal,
  });
  const beside = { ...search, unmanaged: unmanagedOf(search) };
  const found = reportOn([], [], { generatedAt: new Date().toISOString(), beside });
  const report = await withLastEvents(terminal, found, { resources, since: new Date(0) });
  const eve =
    report.unmanaged?.rows.filter(({ kind, status }) => kind === "people" && status === "active") ?? [];
  const outcomes = eve.map(({ place, lastEvent }) => [place.name, lastEvent?.outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({ "by-hand": "found", elsewhere: "unknown" });
  expect(report.eventsUnread?.map(({ what }) => what)).toContain(`project ${elsewhere.id}`);
  expect(hints(report).join("\n")).toContain("None of the given stacks has a resource in the organization");
});
