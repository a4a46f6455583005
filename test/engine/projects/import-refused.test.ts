/**
 * Lists that do not fit what the stack or the program declares: a message before anything is written, where an import once
 * ended in a stack whose every preview failed, or in a panic of the engine.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeeded } from "../../support";
import { recorded, setUpAccessFolder, writeFiles } from "../support/access-folder";
import { opsmanager } from "../support/opsmanager";
import { writes } from "../support/project-program";
import { type StackSetup, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];

/** A stack with a project, its people, a team, and the organization's people, none of them declared. */
async function setUp(): Promise<StackSetup> {
  const members = { "olga@example.com": owner, "ada@example.com": owner };
  return setUpAccessFolder({
    provider: "plugin",
    sandbox: {
      seed: {
        users: [{ username: "ada@example.com" }],
        teams: [{ name: "operators", usernames: ["ada@example.com"] }],
        projects: [{ name: "payments", members }],
      },
    },
    files: () => ({}),
  });
}

const folderNamed = (name: string, options = "{}") =>
  `new AccessFolder("${name}", { folder: ".", provider: "plugin" }, ${options});`;

async function useProgram({ stack }: StackSetup, ...lines: string[]): Promise<void> {
  const imports = [
    'const opsmanager = require("pulumi-opsmanager");',
    'const { AccessFolder } = require("pulumi-opsmanager/projects");',
  ];
  await writeFile(join(stack.paths.program, "index.js"), [...imports, ...lines].join("\n"));
}

async function done(command: ReturnType<typeof opsmanager>): Promise<void> {
  expect(await command).toMatchObject({ exitCode: 0, stderr: "" });
}

/** The command ends with this message, and with the files and the state as they were. */
async function refused(
  setup: StackSetup,
  argv: readonly string[],
  ...says: readonly string[]
): Promise<void> {
  const { stack } = setup;
  const list = () => readFile(join(stack.paths.program, "import.json"), "utf8").catch(() => "");
  const before = [await list(), JSON.stringify(await stack.state())];
  const { exitCode, stdout, stderr } = await opsmanager(stack, argv);
  expect({ exitCode, stdout, lines: stderr.trim().split("\n").length }).toEqual({
    exitCode: 1,
    stdout: "",
    lines: 1,
  });
  for (const text of says) expect(stderr).toContain(text);
  expect([await list(), JSON.stringify(await stack.state())]).toEqual(before);
}

it("a component that is renamed without an up, and a list of the one that it was", async () => {
  const setup = await setUp();
  const { sandbox, stack } = setup;
  const listOf = async (component: string) => {
    const path = join(stack.paths.program, "import.json");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/"logicalName": "(access|files)"/, `"logicalName": "${component}"`));
  };
  await done(opsmanager(stack, ["adopt"]));
  // The program does not declare the folder yet, or declares it where an import cannot put it.
  await useProgram(setup);
  await refused(
    setup,
    ["import"],
    'Nothing was imported: import.json is of AccessFolder "access", which the program does not declare. ',
  );
  const inner = "new (require('@pulumi/pulumi').ComponentResource)('my:index:Access', 'all')";
  await useProgram(setup, folderNamed("access", `{ parent: ${inner} }`));
  await refused(setup, ["import"], "at its top, but within another component");
  await useProgram(setup, folderNamed("access"), "throw new Error('no such setting')");
  await refused(
    setup,
    ["import"],
    "Nothing was imported, because the program does not run: ",
    "no such setting",
  );

  await useProgram(setup, folderNamed("access"));
  const imported = await opsmanager(stack, ["import"], { isWatched: true });
  expect(imported.exitCode).toBe(0);
  for (const progress of ["0 s waiting for pulumi", "3/3 resources imported", "3/3 resources read"])
    expect(imported.stderr).toContain(progress);
  await succeeded(stack.up());
  const before = await recorded(setup);

  await useProgram(setup, folderNamed("files"));
  const advice =
    'in AccessFolder "access", not in "files": Project payments, ProjectMembers payments, Team operators.';
  await rmList(setup);
  await refused(
    setup,
    ["adopt", "--component", "files"],
    advice,
    "If the program has renamed it, run pulumi up, and then opsmanager adopt --component files,",
  );
  sandbox.addProject({ name: "billing" });
  await done(opsmanager(stack, ["adopt"]));
  await refused(
    setup,
    ["import"],
    'It declares "files". Delete import.json and run opsmanager adopt --component files.',
  );
  const older = await readFile(join(stack.paths.program, "import.json"), "utf8");

  // As the message says.
  await writeFiles(setup, { "projects/billing.yaml": undefined });
  sandbox.clearRequests();
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);
  expect(await recorded(setup)).toEqual(
    before.map((name) => name.replace(/^(AccessFolder) .*/, "$1 files")).sort(),
  );

  await rmList(setup);
  await done(opsmanager(stack, ["adopt", "--component", "files"]));
  const list = await readFile(join(stack.paths.program, "import.json"), "utf8");
  await writeFile(join(stack.paths.program, "import.json"), older);
  await refused(
    setup,
    ["import"],
    'It declares "files". Delete import.json and run opsmanager adopt --component files.',
  );
  await writeFile(join(stack.paths.program, "import.json"), list);
  expect(await opsmanager(stack, ["import"])).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await recorded(setup)).toContain("Project billing");
  await succeeded(stack.up());
  expect(writes(sandbox)).toEqual([]);

  // A file that was deleted after the list was written.
  for (const name of ["ledger", "stock"]) sandbox.addProject({ name });
  await done(opsmanager(stack, ["adopt", "--component", "files"]));
  await writeFiles(setup, { "projects/ledger.yaml": undefined });
  expect(await opsmanager(stack, ["import"])).toMatchObject({
    exitCode: 1,
    stdout: expect.stringMatching(/^1 resource imported into stack test\./),
    stderr:
      "opsmanager: 1 resource of the list is not imported, because the program does not declare it: Project ledger. opsmanager adopt writes the list again.\n",
  });
  await succeeded(stack.up());

  // A list of everything, for another component than the stack has.
  await useProgram(setup, folderNamed("access"));
  await listOf("access");
  await refused(setup, ["import"], 'in AccessFolder "files", not in "access": Project stock.');
});

const rmList = ({ stack }: StackSetup) => writeFiles({ stack } as StackSetup, { "import.json": undefined });

it.each([
  {
    resource: "Project",
    single: (id: string) => `new opsmanager.Project("own", { projectId: "${id}", name: "payments" });`,
  },
  {
    resource: "ProjectMembers",
    single: (id: string) =>
      `new opsmanager.ProjectMember("own", { projectId: "${id}", username: "ada@example.com", roles: ["GROUP_OWNER"] });`,
  },
])("single resources that declare what the list has as $resource", async ({ resource, single }) => {
  const setup = await setUp();
  const { sandbox, stack } = setup;
  await done(opsmanager(stack, ["adopt"]));
  await useProgram(setup, single(sandbox.state.projects[0]?.id ?? ""));
  await succeeded(stack.up());
  const says = [
    `by other resources: ${resource} payments as urn:pulumi:test::`,
    "::own",
    "pulumi state delete",
  ];
  await refused(setup, ["import"], ...says, "Nothing was imported: ");
  await rmList(setup);
  await refused(setup, ["adopt"], ...says, "Nothing was written: ");
});
