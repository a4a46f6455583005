/**
 * One program in all the forms that Node.js programs come in, in the folders that npm workspaces and pnpm make. The package is the packed
 * one: what the serialized provider requires is searched for from the program's folder.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeIf, succeeded } from "../../../support";
import { linkPackages } from "../../../support/installation";
import { packRepository, registryProblem } from "../../../support/npm";
import {
  compile,
  type Files,
  installation,
  installWithPnpm,
  writeFiles,
} from "../../support/installed-package";
import { projectNamed } from "../../support/project-program";
import { expectProviderTexts } from "../../support/provider-texts";
import { setUpStack, tearDownStacks } from "../../support/stack-setup";

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
    "Pulumi.yaml": `name: platform\nruntime: nodejs\n${inFolder ? "main: src/\n" : ""}`,
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

const layouts = {
  npm: Object.keys(programs),
  pnpm: ["commonjs-in-a-subfolder", "es-modules", "typescript-nodenext"],
} as const;

/** @param manager in whose layout everything is installed once, in one folder; the programs are in its `packages/` */
export function describeModuleSystems(manager: keyof typeof layouts): void {
  afterEach(tearDownStacks);

  describeIf(registryProblem() === "", registryProblem())("a program", () => {
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "opsmanager-layouts-"));
      const packages = {
        dependencies: {
          "@pulumi/pulumi": "^3.270.0",
          "pulumi-opsmanager": "file:pulumi-opsmanager-0.1.0.tgz",
        },
        devDependencies: { "@types/node": "^24.0.0", typescript: "^6.0.3" },
      };
      for (const name of layouts[manager]) {
        const { "package.json": manifest = "{}", ...files } = programs[name] ?? {};
        const own = JSON.stringify({ name, ...JSON.parse(manifest), ...packages });
        await writeFiles(join(folder, "packages", name), { ...files, "package.json": own });
      }
      // npm installs what all workspaces share into the folder above them.
      if (manager === "npm") return linkPackages(await installation("minimal", packages), folder);
      await writeFiles(folder, { "pnpm-workspace.yaml": "packages: ['packages/*']\n", "package.json": "{}" });
      for (const name of layouts.pnpm) await packRepository(join(folder, "packages", name));
      await installWithPnpm(folder);
    }, 600_000);

    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each([...layouts[manager]])(
      `in the form %s, with the packages where ${manager} installs them, is compiled, creates, and destroys without being run`,
      async (name) => {
        const cwd = join(folder, "packages", name);
        const isCompiled = programs[name]?.["tsconfig.json"] !== undefined;
        if (isCompiled) await compile(cwd);
        const { sandbox, stack } = await setUpStack({ provider: "dynamic", program: () => ({}) });
        if (isCompiled) stack.setEnv({ PULUMI_NODEJS_TRANSPILE_ONLY: "true" }); // The types were just checked.
        await stack.setConfig({ "platform:orgId": sandbox.orgId });
        const there = { cwd, configFile: join(stack.paths.program, `Pulumi.${stack.name}.yaml`) };

        expect((await succeeded(stack.up(there))).changes).toEqual({ create: 2 });
        expect(await stack.outputs()).toEqual({ name: "payments", status: "pending" });
        expect(projectNamed(sandbox, "payments").tags).toEqual(["PROD"]);
        expectProviderTexts(await stack.state({ showSecrets: true }));
        await succeeded(stack.destroy(there));
        expect(sandbox.state.projects).toEqual([]);
      },
    );
  });
}
