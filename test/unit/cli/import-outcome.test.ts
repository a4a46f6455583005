import { isRecorded, outcomeOf, waitingEntries } from "../../../cli/import/outcome";
import { remarks } from "../../../cli/import/report";
import { entryName, type ImportEntry } from "../../../cli/lib/import-list";
import { parseStackExport } from "../../../cli/lib/stack-export";
import { diagnostic, line, runOf } from "./drift/stream";

const entry = (kind: string, logicalName: string) => ({
  type: `opsmanager:index:${kind}`,
  name: `resource-${logicalName}`,
  logicalName,
  id: "5f00000000000000000000a1",
});
const urnOf = (kind: string, name: string) =>
  `urn:pulumi:prod::platform::opsmanager:index:AccessFolder$opsmanager:index:${kind}::${name}`;
const entries = ["done", "gone", "refused", "left", "held"].map((name) => entry("Project", name));
const placeOf = ({ type, logicalName }: ImportEntry) =>
  `opsmanager:index:AccessFolder$${type}::${logicalName}`;
const metadata = (name: string) => ({ op: "import", urn: urnOf("Project", name), type: "x" });

it("what the engine reports becomes what was imported, what no longer exists, what failed and what is left", () => {
  const state = parseStackExport({
    deployment: { resources: [{ urn: urnOf("Project", "held"), type: "opsmanager:index:Project" }] },
  });
  const waiting = waitingEntries(entries, { placeOf }, state);
  const outcome = outcomeOf(
    waiting,
    runOf(
      line({ resOutputsEvent: { metadata: metadata("done") } }),
      diagnostic("error", "resource 'a/b' does not exist", urnOf("Project", "gone")),
      line({ resOpFailedEvent: { metadata: metadata("gone") } }),
      diagnostic("error", "403 Forbidden.", urnOf("Project", "refused")),
      line({ resOpFailedEvent: { metadata: metadata("refused") } }),
      diagnostic("error", "baseUrl is missing."),
      diagnostic("error", "update failed: step application failed: resource 'a/b' does not exist"),
    ),
  );
  expect(outcome).toMatchObject({
    imported: [entries[0]],
    gone: [entries[1]],
    failed: [{ entry: entries[2], reason: "403 Forbidden." }],
    left: [entries[3]],
    errors: ["baseUrl is missing."],
  });
  expect(waiting.map(entryName)).toEqual(["Project done", "Project gone", "Project refused", "Project left"]);
  expect(remarks(outcome, undefined, { env: {} })).toEqual([
    "baseUrl is missing.",
    "Project refused is not imported: 403 Forbidden.",
    "1 resource of the list does not exist, or the key cannot see it: Project gone. pulumi up would create what the files declare: change the files first. opsmanager adopt writes the list without them.",
    "1 resource is not imported yet: Project left. Run the same command again.",
  ]);
});

it.each([
  { kind: "Project", name: "done", isRecorded: true },
  { kind: "ProjectTeam", name: "done", isRecorded: false },
  { kind: "ProjectTeam", name: "done", deletedWith: urnOf("Project", "done"), isRecorded: true },
  { kind: "ProjectTeam", name: "of the program alone", isRecorded: true },
])(
  "a stack that has $kind $name, deleted with $deletedWith, has what the program knows: $isRecorded",
  (resource) => {
    const { kind, name, deletedWith } = resource;
    const { type } = entry(kind, name);
    const state = parseStackExport({
      deployment: { resources: [{ urn: urnOf(kind, name), type, custom: true, deletedWith }] },
    });
    expect(isRecorded([entry(kind, "done")], { placeOf }, state)).toBe(resource.isRecorded);
  },
);
