/** Adopts projects that were created outside Pulumi into Git, and corrects later changes outside Pulumi. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadProjectFiles } from "../../../projects/load";
import type { Sandbox } from "../../../sandbox";
import { type Run, repositoryRoot, succeeded } from "../../support";
import { filesBelow } from "../drift/support/files";
import { opsmanager } from "../support/opsmanager";
import { membershipsIn } from "../support/people-program";
import { doings } from "../support/project-folder";
import { writes } from "../support/project-program";
import { attachment, type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";
import { changeOutsidePulumi, corrections, drifted, projects } from "./manual-projects";
import { type Named, namedIn } from "./named-in";

afterEach(tearDownStacks);

/** One project as a file or the service has it, every list in one order. */
interface Held {
  readonly tags: readonly string[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
  readonly people: Readonly<Record<string, readonly string[]>>;
}

/** By the project's name. */
type Content = Readonly<Record<string, Held>>;

/** The projects as the files declare them. */
function inFiles({ stack }: StackSetup): Content {
  const files = loadProjectFiles("projects", stack.paths.program);
  return Object.fromEntries(
    files.map(({ name, tags = [], ldapGroupMappings = [], members = {} }) => [
      name,
      inOneOrder({ tags, ldapGroupMappings, people: members }),
    ]),
  );
}

/** The state of adopted projects at the service. */
function atService(sandbox: Sandbox): Content {
  return Object.fromEntries(
    sandbox.state.projects
      .filter(({ name }) => name !== "legacy-tools")
      .map(({ id, name, tags, ldapGroupMappings }) => {
        const { members, invited } = membershipsIn(sandbox, id);
        return [name, inOneOrder({ tags, ldapGroupMappings, people: { ...members, ...invited } })];
      }),
  );
}

interface Facts {
  readonly tags: readonly string[];
  readonly ldapGroupMappings: readonly { roleName: string; ldapGroups: readonly string[] }[];
  readonly people: Readonly<Record<string, readonly string[]>>;
}

function inOneOrder({ tags, ldapGroupMappings, people }: Facts): Held {
  const sorted = (lists: readonly (readonly [string, readonly string[]])[]) =>
    Object.fromEntries(lists.map(([name, list]) => [name, [...list].sort()]));
  return {
    tags: [...tags].sort(),
    groups: sorted(ldapGroupMappings.map(({ roleName, ldapGroups }) => [roleName, ldapGroups])),
    people: sorted(Object.entries(people)),
  };
}

async function edit({ stack }: StackSetup, file: string, change: (text: string) => string): Promise<void> {
  const path = join(stack.paths.program, "projects", file);
  await writeFile(path, change(await readFile(path, "utf8")));
}

/** `opsmanager drift` in every format, with what each of them names; it must leave service and state as they are. */
async function drift({ sandbox, stack }: StackSetup, ...argv: string[]) {
  const formats = Object.keys(namedIn) as (keyof typeof namedIn)[];
  const before = [JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)];
  const wanted = formats.flatMap((format) => ["--format", `${format}=drift.${format}`]);
  const { exitCode, stderr } = await opsmanager(stack, ["drift", ...argv, ...wanted]);
  expect([JSON.stringify(sandbox.state), await filesBelow(stack.paths.state)]).toEqual(before);
  const named: Partial<Record<keyof typeof namedIn, Named>> = {};
  for (const format of formats)
    named[format] = namedIn[format](await readFile(join(stack.paths.program, `drift.${format}`), "utf8"));
  const report = JSON.parse(await readFile(join(stack.paths.program, "drift.json"), "utf8"));
  const locations = new Map<string, unknown>(
    report.findings.map(({ name, location }: { name: string; location?: object }) => [name, location]),
  );
  return { exitCode, stderr, named, locations };
}

function inEveryFormat(named: Named) {
  return { text: named, json: named, markdown: named, sarif: named, junit: named };
}

/** What a preview or an `up` finds changed at the service, before it compares that with the files. */
function foundChanged({ steps }: Run): string[] {
  return steps
    .filter((step) => step.refreshed && (step.new === null || Object.keys(step.detailedDiff).length > 0))
    .map(({ type, name }) => `${type.split(":").at(-1)} ${name}`)
    .sort();
}

const importing = ["--file", "import.json", "--protect=false", "--generate-code=false"];

/** What each step of the story did and left. No step writes to the service before the correction. */
async function adoptAndCorrect() {
  const setup = await setUpStack({
    sandbox: { ldap: true, seed: { projects } },
    program: () => ({ folder: join(repositoryRoot, "examples", "gitops"), hosts: "resident" }),
  });
  const { sandbox, stack } = setup;
  // The story has no owner of the organization, whom no project file declares.
  sandbox.setOrgMember(sandbox.orgId, { username: "owner@example.com" }, ["ORG_MEMBER"]);
  stack.setEnv({ PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...(await attachment()) }); // examples-types.test.ts checks the types.
  const held = () => ({ files: inFiles(setup), live: atService(sandbox), writes: writes(sandbox) });
  const live = atService(sandbox);
  await rm(join(stack.paths.program, "projects"), { recursive: true });

  const printed = await opsmanager(stack, ["adopt", "--members"]);
  await succeeded(stack.run("import", ...importing, "--yes", "--skip-preview"));
  await succeeded(stack.up({ expectNoChanges: true }));
  const adopted = { printed, ...held() };

  changeOutsidePulumi(sandbox);
  const reported = { drift: await drift(setup, "--unmanaged"), ...held() };

  // A pull request edits two other files.
  await edit(setup, "orders-test.yaml", (text) => text.replace("members:", "tags: [AUDITED]\nmembers:"));
  await edit(setup, "catalog-staging.yaml", (text) => `${text}  grace@example.com: [GROUP_READ_ONLY]\n`);
  const preview = await succeeded(stack.preview());
  const previewed = { doings: doings(preview), foundChanged: foundChanged(preview), ...held() };

  const up = await succeeded(stack.up());
  const corrected = { doings: doings(up), ...held() };
  const clean = await drift(setup, "--unmanaged");
  return { live, adopted, reported, previewed, corrected, clean };
}

describe("twenty-five projects that were created outside Pulumi", () => {
  const edits = ["update Project orders-test", "update ProjectMembers catalog-staging"];
  const edited = [...corrections, ...edits].sort();

  let story: Awaited<ReturnType<typeof adoptAndCorrect>>;
  beforeAll(async () => {
    story = await adoptAndCorrect();
  }, 300_000);

  it("opsmanager adopt and pulumi import turn existing projects into files and a stack, and send nothing", () => {
    const { adopted, live } = story;
    const stdout = "25 project files written to projects, with 40 memberships (10 invited).";
    expect(adopted.printed).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: expect.stringContaining(stdout),
    });
    expect([adopted.files, adopted.live, adopted.writes]).toEqual([live, live, []]);
  });

  it("opsmanager drift reports five changes and a new project outside Pulumi in every format, and sends nothing", () => {
    const { drift, writes } = story.reported;
    const named = inEveryFormat({ drifted, unmanaged: ["legacy-tools"] });
    expect(drift).toMatchObject({ exitCode: 2, stderr: "", named });
    // The folder is in no repository, so only the name of the file is known.
    expect(drift.locations.get("payments-test")).toEqual({ file: "payments-test.yaml", line: 6, column: 7 });
    expect([...drift.locations.values()]).not.toContain(undefined);
    expect(writes).toEqual([]);
  });

  it("the preview of a pull request shows its two edits beside the five corrections", () => {
    const { previewed } = story;
    expect(previewed.doings).toEqual(edited);
    const corrected = corrections.map((correction) => correction.replace(/^\w+ /, ""));
    expect(previewed.foundChanged).toEqual(corrected.sort());
    expect(previewed.writes).toEqual([]);
  });

  it("pulumi up applies the edits and the corrections with one request each, and then there is no drift", () => {
    const { live, corrected, clean } = story;
    expect(corrected.doings).toEqual(edited);
    expect(corrected.writes).toHaveLength(edited.length);
    const [orders, catalog] = [live["orders / Test"], live["catalog-staging"]];
    expect(corrected.files).toEqual({
      ...live,
      "orders / Test": { ...orders, tags: ["AUDITED"] },
      "catalog-staging": {
        ...catalog,
        people: { ...catalog?.people, "grace@example.com": ["GROUP_READ_ONLY"] },
      },
    });
    expect(corrected.live).toEqual(corrected.files);
    const named = inEveryFormat({ drifted: [], unmanaged: ["legacy-tools"] });
    expect(clean).toMatchObject({ exitCode: 0, stderr: "", named });
  });
});
