/** examples/gitops-sharded: its workflows, its GitLab pipeline and its manifests, which all name the same stacks. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { describeIf, itIf, repositoryRoot } from "../../support";
import { gitlabCiValidator, jsonValidator, judgesProblem } from "../../support/formats";
import { operatorSchemas } from "../../support/formats/pulumi-operator";
import {
  lintWorkflows,
  readWorkflow,
  runShell,
  standIn,
  type WorkflowJob,
  type WorkflowStep,
} from "./support";

const example = join(repositoryRoot, "examples", "gitops-sharded");
const workflows = join(example, ".github", "workflows");
const files = readdirSync(workflows).sort();
const textOf = (...path: string[]) => readFileSync(join(example, ...path), "utf8");

interface ShardedJob extends WorkflowJob {
  readonly strategy?: {
    readonly matrix: { readonly stack: readonly string[] };
    readonly "max-parallel": number;
  };
  readonly concurrency?: Concurrency;
}

interface Concurrency {
  readonly group: string;
  readonly "cancel-in-progress": boolean;
}

interface ShardedWorkflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: unknown;
  readonly concurrency?: Concurrency;
  readonly jobs: Readonly<Record<string, ShardedJob>>;
}

/** The one job of a workflow. */
function jobOf(file: string): ShardedJob {
  const [job] = Object.values((parse(textOf(".github", "workflows", file)) as ShardedWorkflow).jobs);
  if (job === undefined) throw new Error(`${file} has no job`);
  return job;
}

/** The stacks of the repository: `Pulumi.<stack>.yaml`. */
const stacks = readdirSync(example)
  .flatMap((name) => /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1] ?? [])
  .sort();

const manifests = ["stacks.yaml", "workspace.yaml"].flatMap((file) =>
  parseAllDocuments(textOf("kubernetes", file)).map((document): unknown => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  }),
) as readonly { apiVersion: string; kind: string; spec: Record<string, unknown> }[];

const pipeline = parse(textOf(".gitlab-ci.yml")) as Record<string, Record<string, unknown>>;

it("every file names the same stacks", () => {
  expect(stacks).toEqual(["bank", "shop"]);
  for (const file of ["preview.yml", "up.yml"]) {
    expect([...(jobOf(file).strategy?.matrix.stack ?? [])].sort()).toEqual(stacks);
  }
  const inputs = jobOf("drift.yml").steps.at(-1)?.with ?? {};
  expect(String(inputs.stacks).split(" ").sort()).toEqual(stacks);
  const { parallel } = pipeline[".each-stack"] as { parallel: { matrix: [{ STACK: string[] }] } };
  expect([...parallel.matrix[0].STACK].sort()).toEqual(stacks);
  const [template] = pipeline.include as unknown as readonly {
    readonly inputs: { readonly stacks: string };
  }[];
  expect(template?.inputs.stacks.split(" ").sort()).toEqual(stacks);
  const applied = manifests.filter(({ kind }) => kind === "Stack").map(({ spec }) => spec.stack);
  expect(applied.sort()).toEqual(stacks.map((stack) => `organization/gitops-sharded/${stack}`));
});

it("the stacks that run at a time stay within the requests that Ops Manager allows", () => {
  const allowed = 20;
  for (const stack of stacks) {
    const { config } = parse(textOf(`Pulumi.${stack}.yaml`)) as { config: Record<string, string> };
    const parallel = jobOf("up.yml").strategy?.["max-parallel"] ?? Number.NaN;
    expect(Number(config["opsmanager:requestsPerSecond"]) * parallel).toBe(allowed);
  }
});

lintWorkflows(files.map((file) => join(workflows, file)));

describe.each(files)("%s", (file) => {
  const { on, permissions, concurrency } = parse(textOf(".github", "workflows", file)) as ShardedWorkflow;
  const job = jobOf(file);

  it("has the rights of the same workflow in examples/gitops, and one step alone has the secrets", () => {
    expect(Object.keys(on)).not.toContain("pull_request_target");
    expect(permissions).toEqual({});
    expect(job.permissions).toEqual(readWorkflow(file).jobs[file.replace(".yml", "")]?.permissions);
    const hasSecrets = ({ env = {} }: WorkflowStep) => JSON.stringify(env).includes("secrets.");
    expect(job.steps.filter(hasSecrets)).toHaveLength(1);
    expect(JSON.stringify(job.env ?? {})).not.toContain("secrets.");
    for (const { run = "" } of job.steps) expect(run).not.toContain("$" + "{{");
  });

  it("queues updates of one stack, and cancels only a preview", () => {
    const groups: Record<string, string> = {
      "drift.yml": "drift",
      "preview.yml": "preview-$" + "{{ matrix.stack }}-$" + "{{ github.event.pull_request.number }}",
      "up.yml": "projects-$" + "{{ matrix.stack }}",
    };
    const own = concurrency ?? job.concurrency;
    expect(own).toEqual({ group: groups[file], "cancel-in-progress": file === "preview.yml" });
  });
});

it("drift is that of examples/gitops, for all stacks", () => {
  const stepOf = ({ jobs }: Pick<ShardedWorkflow, "jobs">) => jobs.drift?.steps.at(-1);
  const own = stepOf(parse(textOf(".github", "workflows", "drift.yml")) as ShardedWorkflow);
  const { stacks: _, arguments: words, ...inputs } = stepOf(readWorkflow("drift.yml"))?.with ?? {};
  expect(own?.with).toEqual({ ...inputs, stacks: "shop bank", arguments: `${words} --parallel 2` });
});

describe("the shell steps", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "opsmanager-sharded-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([
    ["preview.yml", "preview"],
    ["up.yml", "up --yes --continue-on-error"],
  ])("%s summarizes its stack alone, and publishes that under a name of its own", (file, command) => {
    standIn(folder, "npx", "exit 3");
    const [summarize, keep, publish] = jobOf(file).steps.slice(-3);
    const { status, calls } = runShell(folder, summarize?.run ?? "", { STACK: "bank" });
    expect([status, calls]).toEqual([
      3,
      [
        `npx --no-install opsmanager summarize --stack bank --format markdown=summary.md --format text=plan.txt ${command}`,
      ],
    ]);
    for (const name of [keep?.with?.name, publish?.env?.OPSMANAGER_SUMMARY_ID])
      expect(name).toContain("$" + "{{ matrix.stack }}");
  });
});

describeIf(judgesProblem() === "", judgesProblem())("against published schemas", () => {
  it("the pipeline is as GitLab's own editor requires", async () => {
    const validate = await gitlabCiValidator();
    expect(await validate(JSON.stringify(pipeline))).toEqual([]);
    const faulty = { ...pipeline, up: { ...pipeline.up, resource_groups: "a" } };
    expect(await validate(JSON.stringify(faulty))).not.toEqual([]);
  });

  const operator = operatorSchemas();
  itIf("schemas" in operator, "missing" in operator ? operator.missing : "")(
    "the manifests are as the definitions of the operator require",
    async () => {
      const { schemas } = operator as { schemas: ReadonlyMap<string, object> };
      for (const manifest of manifests) {
        const schema = schemas.get(`${manifest.kind} ${manifest.apiVersion.split("/")[1]}`);
        const validate = await jsonValidator(schema ?? {});
        expect(schema).toBeDefined();
        expect(await validate(JSON.stringify(manifest))).toEqual([]);
        const faulty = { ...manifest, spec: { ...manifest.spec, repository: "a" } };
        expect(await validate(JSON.stringify(faulty))).not.toEqual([]);
      }
    },
  );
});

/**
 * The properties that the manifests use, with their types, as the operator's Go types have them
 * (operator/api/pulumi/shared/stack_types.go, operator/api/auto/v1alpha1/workspace_types.go of 2.x).
 */
const used: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "pulumi.com/v1 Stack": {
    serviceAccountName: "string",
    projectRepo: "string",
    branch: "string",
    shallow: "boolean",
    gitAuth: "accessToken",
    backend: "string",
    stack: "string",
    envRefs: "map",
    continueResyncOnCommitMatch: "boolean",
    resyncFrequencySeconds: "number",
    destroyOnFinalize: "boolean",
    workspaceTemplate: "spec",
  },
  "auto.pulumi.com/v1alpha1 Workspace": {
    serviceAccountName: "string",
    securityProfile: "string",
    image: "string",
    git: "url,ref,shallow,auth",
    env: "list",
    resources: "requests",
    stacks: "list",
  },
};

it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.spec.stack ?? ""}`, manifest] as const))(
  "%s has the properties of the operator's types",
  (_, { apiVersion, kind, spec }) => {
    const kindOf = (name: string, value: unknown) => {
      if (Array.isArray(value)) return "list";
      if (name === "envRefs") return "map";
      return typeof value === "object" ? Object.keys(value as object).join(",") : typeof value;
    };
    const types = Object.entries(spec).map(([name, value]) => [name, kindOf(name, value)]);
    expect(Object.fromEntries(types)).toEqual(used[`${apiVersion} ${kind}`]);
    for (const reference of Object.values((spec.envRefs ?? {}) as Record<string, { type: string }>)) {
      expect([
        { type: "Secret", secret: { name: expect.any(String), key: expect.any(String) } },
        { type: "Literal", literal: { value: expect.any(String) } },
      ]).toContainEqual(reference);
    }
    const template = (spec.workspaceTemplate as { spec: object } | undefined)?.spec ?? {};
    expect(["image", "resources"]).toEqual(expect.arrayContaining(Object.keys(template)));
  },
);
