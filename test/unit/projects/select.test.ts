/** The option `select`: the files of a folder that one stack declares. */
import { AccessFolder } from "../../../projects";
import { loadFiles } from "../../../projects/load";
import { type FileSelection, selectFiles, shardOf } from "../../../projects/select";
import { type Files, folderOf, orgId, removeFolders } from "./folder";

afterEach(removeFolders);

const other = "5f0c0c0c0c0c0c0c0c0c0c0d";

const files: Files = {
  "projects/_defaults/a.yaml": `orgId: ${orgId}`,
  "projects/billing.yaml": `orgId: ${orgId}\nname: billing`,
  "projects/teams-eu/eve.yaml": `orgId: ${other}\nname: eve`,
  "projects/teams/one/payments.yaml": `orgId: ${other}\nname: payments`,
  "projects/teams/zero.yaml": `orgId: ${orgId.toUpperCase()}\nname: zero\nkey: "0"`,
};

function selected(selection: FileSelection): string[] {
  return selectFiles(loadFiles(".", folderOf(files)), selection, "access").projects.map(({ key }) => key);
}

it.each<{ select: FileSelection; keys: string[] }>([
  { select: { orgId }, keys: ["billing", "0"] },
  { select: { orgId: other.toUpperCase() }, keys: ["eve", "payments"] },
  { select: { shard: { index: 0, count: 3 } }, keys: ["billing", "payments"] },
  { select: { shard: { index: 1, count: 3 } }, keys: ["eve"] },
  { select: { shard: { index: 2, count: 3 } }, keys: ["0"] },
  // A shard without a file: no value of it can be wrong.
  { select: { shard: { index: 2, count: 4 } }, keys: [] },
])("$select selects $keys", ({ select, keys }) => {
  expect(selected(select)).toEqual(keys);
});

it("an organization without a file is an error", () => {
  expect(() => selected({ orgId: "5f0c0c0c0c0c0c0c0c0c0c0e" })).toThrow(
    `access: No file has the orgId 5f0c0c0c0c0c0c0c0c0c0c0e, which select names. The files have: ${orgId}, ${other}.`,
  );
});

it("by organization, each file needs one, and an error names at most five organizations", () => {
  const select = (more: Files) => {
    const loaded = loadFiles(".", folderOf(more));
    return () => selectFiles(loaded, { orgId }, "access");
  };
  // Of several stacks, each or none would declare it.
  expect(select({ ...files, "projects/new.yaml": "name: new" })).toThrow(
    "projects/new.yaml: orgId is missing, and select.orgId divides the files by it. Set it here or in a file that this one extends.",
  );
  const ids = [1, 2, 3, 4, 5, 6, 7].map((digit) => `5f0c0c0c0c0c0c0c0c0c0c0${digit}`);
  const seven = ids.map((id) => [`projects/${id}.yaml`, `orgId: ${id}\nname: a`]);
  expect(select(Object.fromEntries(seven))).toThrow(`The files have: ${ids.slice(0, 5).join(", ")}, 2 more.`);
});

it("checks every file of the folder, also those that are not selected", () => {
  const before = process.cwd();
  process.chdir(folderOf({ ...files, "projects/teams/faulty.json": '{"tagz":1}' }));
  try {
    const args = { folder: ".", provider: "dynamic", select: { orgId: other } } as const;
    expect(() => new AccessFolder("access", args)).toThrow(
      "projects/teams/faulty.json:1:2: tagz is not a property. Did you mean tags?",
    );
  } finally {
    process.chdir(before);
  }
});

/** Computed with Python's hashlib and unicodedata. A change here would move projects between stacks. */
it.each([
  { key: "payments", shards: [0, 0, 0, 0, 0, 61, 587, 595935] },
  { key: "eve", shards: [0, 1, 1, 1, 7, 7, 336, 165603] },
  { key: "Zürich", shards: [0, 1, 1, 1, 1, 17, 17, 55599] },
  { key: "Zu\u0308rich", shards: [0, 1, 1, 1, 1, 17, 17, 55599] },
  { key: "0", shards: [0, 0, 2, 3, 3, 67, 701, 481354] },
])("the shard of the key $key is the same for ever", ({ key, shards }) => {
  const counts = [1, 2, 3, 4, 10, 100, 1000, 1_000_000];
  expect(counts.map((count) => shardOf(key, count))).toEqual(shards);
});

it("a shard more takes its projects from all others alike, and moves no other", () => {
  const keys = Array.from({ length: 2000 }, (_, number) => `project-${number}`);
  const moved = keys.filter((key) => shardOf(key, 7) !== shardOf(key, 8));
  expect(new Set(moved.map((key) => shardOf(key, 8)))).toEqual(new Set([7]));
  expect(Math.abs(moved.length - 250)).toBeLessThan(60);
});

describe("an unusable value of select", () => {
  const one = "the option select must have exactly one of orgId and shard";
  it.each<{ select: unknown; fault: string }>([
    { select: undefined, fault: "the option select has no value. To declare all files, leave it out" },
    ...[
      null,
      "teams",
      {},
      { orgID: orgId },
      { orgId, shard: { index: 0, count: 2 } },
      { folder: "teams" },
      { orgId: undefined, shard: { index: 0, count: 1 } },
    ].map((select) => ({ select, fault: one })),
    {
      select: { orgId: "example" },
      fault: "select.orgId must be the id of an organization, 24 hexadecimal digits",
    },
    { select: { shard: 1 }, fault: "select.shard must have an index and a count" },
    { select: { shard: { index: 0 } }, fault: "select.shard.count must be a whole number" },
    { select: { shard: { index: 0.5, count: 2 } }, fault: "select.shard.index must be a whole number" },
    { select: { shard: { index: 0, count: 0 } }, fault: "select.shard.count must be 1 or greater" },
    { select: { shard: { index: 2, count: 2 } }, fault: "select.shard.index must be less than count (2)" },
  ])("$select: $fault", ({ select, fault }) => {
    const args = { folder: "there-is-no-such-folder", provider: "plugin", select } as never;
    expect(() => new AccessFolder("access", args)).toThrow(`AccessFolder "access": ${fault}.`);
  });

  it("a misspelled option is an error, since it would select every file", () => {
    const args = { folder: "there-is-no-such-folder", provider: "plugin", selekt: { orgId } } as never;
    expect(() => new AccessFolder("access", args)).toThrow(
      'AccessFolder "access": selekt is not an option. Options are: folder, provider, select.',
    );
  });
});
