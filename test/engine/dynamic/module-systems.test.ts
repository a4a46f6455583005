/**
 * One program in all the forms that Node.js programs come in, in the folders that npm workspaces and pnpm make. The package is the packed
 * one: what the serialized provider requires is searched for from the program's folder.
 *
 * Each form is in the layout that can fail for it. npm's has all packages in a folder above the programs, or in that of the only
 * program. In pnpm's, a program and each package find only what their own manifest names, which is where an import without a
 * dependency fails.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeIf, type Run, succeeded } from "../../support";
import { linkPackages } from "../../support/installation";
import { registryProblem } from "../../support/npm";
import { startBarrier } from "../packaging/support/barrier";
import { type InstalledExample, installExample } from "../support/installed-example";
import {
  checkTypes,
  type Files,
  installation,
  installPnpmWorkspace,
  writeFiles,
} from "../support/installed-package";
import { projectNamed } from "../support/project-program";
import { expectProviderTexts } from "../support/provider-texts";
import { type StackSetup, setUpStack, tearDownStacks } from "../support/stack-setup";

const imports = `import * as pulumi from "@pulumi/pulumi";
import { getProjectOutput, Project, ProjectMember, ProjectRole } from "pulumi-opsmanager/dynamic";
`;
const requires = `const pulumi = require("@pulumi/pulumi");
const { getProjectOutput, Project, ProjectMember, ProjectRole } = require("pulumi-opsmanager/dynamic");
const modules = Object.keys(require.cache);
`;
const resources = `
const orgId = new pulumi.Config().require("orgId");
const payments = new Project("payments", { orgId, name: "payments", tags: ["PROD"] });
const person = { projectId: payments.projectId, username: "ada@example.com", roles: [ProjectRole.Owner] };
const ada = new ProjectMember("ada", person, { deletedWith: payments });
const found = getProjectOutput({ projectId: payments.projectId });
`;
const modern = `${imports}${resources}
export const name = found.name;
export const status = ada.status;
`;
const classic = `${requires}${resources}
module.exports = { name: found.name, status: ada.status, modules };
`;

/** @param compilerOptions of a program in TypeScript that has a tsconfig.json */
function programFiles(entry: string, text: string, manifest: object = {}, compilerOptions?: object): Files {
  const inFolder = entry.includes("/");
  return {
    "package.json": JSON.stringify({ private: true, ...(inFolder ? {} : { main: entry }), ...manifest }),
    "Pulumi.yaml": `name: platform\nruntime: nodejs\n${inFolder ? "main: src/\n" : ""}`,
    [entry]: text,
    ...(compilerOptions && {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { lib: ["es2022"], strict: true, noEmit: true, types: ["node"], ...compilerOptions },
        files: [entry],
      }),
    }),
  };
}

const esm = { type: "module" };
const node10 = {
  strict: false,
  target: "es2016",
  module: "commonjs",
  moduleResolution: "node10",
  ignoreDeprecations: "6.0",
};
const nodenext = { target: "es2022", module: "nodenext", moduleResolution: "nodenext" };

type Forms = Readonly<Record<string, Files>>;

/**
 * All TypeScript that is no ES module becomes the same JavaScript, CommonJS, so one form of it is run. For the types, the settings
 * of node10 and nodenext are checked, without `strict` and with it.
 */
const forms = {
  npm: {
    "typescript-without-tsconfig": programFiles("index.ts", modern),
    "typescript-node10": programFiles("index.ts", modern, {}, node10),
  },
  pnpm: {
    "commonjs-in-a-subfolder": programFiles("src/index.js", classic),
    "typescript-es-modules": programFiles("index.ts", modern, esm, nodenext),
  },
} satisfies Record<string, Forms>;

const packages = {
  dependencies: {
    "@pulumi/pulumi": "^3.270.0",
    "pulumi-opsmanager": "file:../../pulumi-opsmanager-0.1.0.tgz",
  },
  devDependencies: { "@types/node": "^24.0.0", typescript: "^6.0.3" },
};

const folderOf = (workspace: string, name: string) => join(workspace, "packages", name);

/** Returns the manifests, by path in the workspace. */
async function writePrograms(workspace: string, forms: Forms): Promise<Files> {
  const manifests: Record<string, string> = {};
  for (const [name, { "package.json": manifest = "{}", ...files }] of Object.entries(forms)) {
    const own = JSON.stringify({ name, ...JSON.parse(manifest), ...packages });
    await writeFiles(folderOf(workspace, name), { ...files, "package.json": own });
    manifests[`packages/${name}/package.json`] = own;
  }
  return manifests;
}

/** Of the program where it is. */
async function openIn(path: string, env: Readonly<Record<string, string>> = {}): Promise<StackSetup> {
  const setup = await setUpStack({ provider: "dynamic", program: () => ({ folder: path, inPlace: true }) });
  await setup.stack.setConfig({ "platform:orgId": setup.sandbox.orgId });
  setup.stack.setEnv({ PULUMI_NODEJS_TRANSPILE_ONLY: "true", ...env }); // `checkTypes` checks them.
  return setup;
}

async function expectToCreate({ sandbox, stack }: StackSetup): Promise<Run> {
  const up = await succeeded(stack.up());
  expect(up.changes).toEqual({ create: 2 });
  expect(await stack.outputs()).toMatchObject({ name: "payments", status: "pending" });
  expect(projectNamed(sandbox, "payments").tags).toEqual(["PROD"]);
  expectProviderTexts(await stack.state({ showSecrets: true }));
  return up;
}

describeIf(registryProblem() === "", registryProblem())("a program", () => {
  let folder: string;
  let workspaces: Record<"npm" | "pnpm", string>;
  let example: InstalledExample;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "opsmanager-layouts-"));
    const [npm, pnpm] = [join(folder, "npm"), join(folder, "pnpm")];
    workspaces = { npm, pnpm };
    await writePrograms(npm, forms.npm);
    // npm installs what all workspaces share into the folder above them, and the packages of a single program into its own folder.
    const installed = await installation("minimal", packages);
    for (const path of [npm, folderOf(npm, "typescript-without-tsconfig")]) linkPackages(installed, path);
    await installPnpmWorkspace(pnpm, await writePrograms(pnpm, forms.pnpm));
    example = await installExample("testing");
  }, 600_000);
  afterAll(async () => {
    await example?.remove();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(tearDownStacks);

  // One process, as the compiler takes most of its time for the first program.
  it("in TypeScript has no fault in its types, as programs of ES modules, with older settings and in examples/testing", () =>
    checkTypes(
      folderOf(workspaces.npm, "typescript-node10"),
      folderOf(workspaces.pnpm, "typescript-es-modules"),
      example.path,
    ));

  // The SDK that is shipped beside the dynamic provider had a `pulumi` section in its package.json.
  // Language hosts read every package.json below node_modules, so the engine searched for a plugin
  // that no program needed. `pulumi up` took seconds for five attempts to download it. `pulumi
  // install` and `pulumi plugin install` ended with "failed to download plugin: opsmanager-0.1.0".
  it("in TypeScript without a tsconfig.json creates, with nothing more to set up and no request for a plugin", async () => {
    const barrier = await startBarrier();
    try {
      const setup = await openIn(folderOf(workspaces.npm, "typescript-without-tsconfig"), {
        ...barrier.env,
        PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "false",
      });
      const runs = [await succeeded(setup.stack.run("plugin", "install")), await expectToCreate(setup)];
      expect(barrier.attempts).toEqual([]);
      for (const { output } of runs) expect(output).not.toMatch(/resource plugin|download/);
    } finally {
      await barrier.close();
    }
  });

  it("in TypeScript as ES modules creates, with the packages where pnpm installs them", async () => {
    await expectToCreate(await openIn(folderOf(workspaces.pnpm, "typescript-es-modules")));
  });

  // The text of the provider is the same in each form. What it requires is searched for from the program's folder.
  it("in a subfolder creates, loads nothing for its lookup before that, signs in once with each process, and is destroyed without being run, with the packages where pnpm installs them", async () => {
    const setup = await openIn(folderOf(workspaces.pnpm, "commonjs-in-a-subfolder"));
    await expectToCreate(setup);
    const modules = Object.values((await setup.stack.outputs()).modules ?? []).map(String);
    expect(modules.filter((path) => /provider\/dynamic\/index\.js$/.test(path))).toHaveLength(1);
    expect(modules.filter((path) => /undici|zod|provider\/(api|functions|transport)/.test(path))).toEqual([]);
    // Of the program, which ends although the service keeps its idle connection for two minutes, and of the provider's process.
    expect(setup.sandbox.requests.filter(({ publicKey }) => publicKey === undefined)).toHaveLength(2);
    await succeeded(setup.stack.destroy());
    expect(setup.sandbox.state.projects).toEqual([]);
  });
});
