/**
 * One program in all the forms that Node.js programs come in, in the folders that npm workspaces and pnpm make. The package is the packed
 * one, installed for real: what the serialized provider requires is looked for from the program's folder.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeIf, succeeded } from "../../support";
import { packRepository, registryProblem } from "../../support/npm";
import { createEstate, disposeEstates } from "../support/estate";
import { compile, type Files, installWith, writeFiles } from "../support/installed-package";
import { projectNamed } from "../support/project-program";
import { expectProviderTexts } from "../support/provider-texts";

const imports = `import * as pulumi from "@pulumi/pulumi";
import { getProjectOutput, Project, ProjectMember, ProjectRole } from "pulumi-opsmanager/dynamic";
`;
const requires = `const pulumi = require("@pulumi/pulumi");
const { getProjectOutput, Project, ProjectMember, ProjectRole } = require("pulumi-opsmanager/dynamic");
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
module.exports = { name: found.name, status: ada.status };
`;

/** @param compilerOptions of a program in TypeScript that has a tsconfig.json */
function programFiles(entry: string, text: string, manifest: object = {}, compilerOptions?: object): Files {
  const inFolder = entry.includes("/");
  return {
    "package.json": JSON.stringify({ private: true, ...(inFolder ? {} : { main: entry }), ...manifest }),
    "Pulumi.yaml": `name: estate\nruntime: nodejs\n${inFolder ? "main: src/\n" : ""}`,
    [entry]: text,
    ...(compilerOptions && {
      "tsconfig.json": JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, types: ["node"], ...compilerOptions },
        files: [entry],
      }),
    }),
  };
}

const esm = { type: "module" };
const node10 = {
  target: "es2016",
  module: "commonjs",
  moduleResolution: "node10",
  ignoreDeprecations: "6.0",
};
const nodenext = { target: "es2022", module: "nodenext", moduleResolution: "nodenext" };

const programs: Readonly<Record<string, Files>> = {
  commonjs: programFiles("index.js", classic),
  "commonjs-in-a-subfolder": programFiles("src/index.js", classic),
  "es-modules": programFiles("index.js", modern, esm),
  "typescript-without-tsconfig": programFiles("index.ts", modern),
  "typescript-node10": programFiles("index.ts", modern, {}, node10),
  "typescript-nodenext": programFiles("index.ts", modern, {}, nodenext),
  "typescript-es-modules": programFiles("index.ts", modern, esm, nodenext),
};

/** The one folder of each manager in which everything is installed once; programs stand in `packages/`. */
const layouts = {
  npm: Object.keys(programs),
  pnpm: ["commonjs", "commonjs-in-a-subfolder", "es-modules", "typescript-nodenext"],
} as const;
type Manager = keyof typeof layouts;

afterEach(disposeEstates);

describeIf(registryProblem() === "", registryProblem())("a program", () => {
  let root: string;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "opsmanager-layouts-"));
    const { tarball } = await packRepository(root);
    for (const manager of Object.keys(layouts) as Manager[]) {
      const folder = join(root, manager);
      await writeFiles(folder, {
        "package.json": JSON.stringify({ name: "estate", private: true, workspaces: ["packages/*"] }),
        "pnpm-workspace.yaml": "packages: ['packages/*']\n",
      });
      for (const name of layouts[manager]) {
        const { "package.json": manifest = "{}", ...files } = programs[name] ?? {};
        const dependencies = { "@pulumi/pulumi": "^3.270.0", "pulumi-opsmanager": `file:${tarball}` };
        const devDependencies = { "@types/node": "^24.0.0", typescript: "^6.0.3" };
        await writeFiles(join(folder, "packages", name), {
          ...files,
          "package.json": JSON.stringify({ name, ...JSON.parse(manifest), dependencies, devDependencies }),
        });
      }
      await installWith(manager, folder);
    }
  }, 600_000);

  afterAll(() => rm(root, { recursive: true, force: true }));

  const cases = (Object.keys(layouts) as Manager[]).flatMap((manager) =>
    layouts[manager].map((name): [string, Manager] => [name, manager]),
  );

  it.each(cases)(
    "in the form %s, installed by %s, is compiled, creates, and destroys without being run",
    async (name, manager) => {
      const folder = join(root, manager, "packages", name);
      if (programs[name]?.["tsconfig.json"]) await compile(folder);
      const { sandbox, stack } = await createEstate({ door: "dynamic", program: () => ({}) });
      await stack.setConfig({ "estate:orgId": sandbox.orgId });
      const there = { cwd: folder, configFile: join(stack.paths.program, `Pulumi.${stack.name}.yaml`) };

      expect((await succeeded(stack.up(there))).changes).toEqual({ create: 2 });
      expect(await stack.outputs()).toEqual({ name: "payments", status: "pending" });
      expect(projectNamed(sandbox, "payments").tags).toEqual(["PROD"]);
      expectProviderTexts(await stack.state({ showSecrets: true }));
      await succeeded(stack.destroy(there));
      expect(sandbox.state.projects).toEqual([]);
    },
  );
});
