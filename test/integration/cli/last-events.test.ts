/** Last events of unmanaged objects if several stacks are given; a script is in for `pulumi`. */
import { reportOn } from "../../../cli/drift/index";
import { withLastEvents } from "../../../cli/drift/last-events";
import { unmanagedOf } from "../../../cli/drift/report/model";
import { hints } from "../../../cli/drift/report/summary";
import { clientFactory } from "../client/with-client";
import { commandFolder } from "./command-folder";
import { declared, findAll, owner, printsSettings } from "./drift-search";

const start = clientFactory();
const folder = commandFolder();

it("are read with the key of a stack that has a resource in the organization, and unknown without one", async () => {
  const { sandbox, client } = await start.sandbox({
    seed: { orgs: [{ name: "Example" }, { name: "Other" }], projects: [{ name: "payments" }] },
  });
  const [payments, here] = [sandbox.state.projects[0], sandbox.addProject({ name: "by-hand" })];
  const elsewhere = sandbox.addProject({ name: "elsewhere", orgId: sandbox.state.orgs[1]?.id ?? "" });
  for (const { id } of [here, elsewhere]) sandbox.setMember(id, { username: "eve@example.com" }, owner);
  const { orgId } = sandbox;
  const project = declared("Project", payments?.id ?? "", { outputs: { orgId } });
  const resources = new Map([
    ["empty", []],
    ["prod", [project]],
  ]);
  folder.withPulumi(printsSettings(sandbox));
  const search = await findAll({ client }, [project], { orgIds: [elsewhere.orgId] });
  const beside = { ...search, unmanaged: unmanagedOf(search) };
  const found = reportOn([], [], { generatedAt: new Date().toISOString(), beside });
  const report = await withLastEvents(folder.terminal(), found, { resources, since: new Date(0) });
  const eve =
    report.unmanaged?.rows.filter(({ kind, status }) => kind === "people" && status === "active") ?? [];
  const outcomes = eve.map(({ place, lastEvent }) => [place.name, lastEvent?.outcome]);
  expect(Object.fromEntries(outcomes)).toEqual({ "by-hand": "found", elsewhere: "unknown" });
  expect(report.eventsUnread?.map(({ what }) => what)).toContain(`project ${elsewhere.id}`);
  expect(hints(report).join("\n")).toContain("None of the given stacks has a resource in the organization");
});
