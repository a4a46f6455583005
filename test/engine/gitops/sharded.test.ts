/** examples/gitops-sharded: its workflows, its GitLab pipeline and its manifests, which all name the same stacks. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";
import { describeIf, repositoryRoot } from "../../support";
import { jsonValidator, judgesProblem } from "../../support/formats";
import { operatorSchemas } from "../../support/formats/pulumi-operator";
import { readWorkflow, stepsOf, type WorkflowJob } from "./support";

const example = join(repositoryRoot, "examples", "gitops-sharded");
const textOf = (...path: string[]) => readFileSync(join(example, ...path), "utf8");

/** The job of a workflow that has its name: pull requests are also checked without a stack. */
function jobOf(file: string): WorkflowJob {
  const job = readWorkflow(file, "gitops-sharded").jobs[file.replace(/\.yml$/, "")];
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
  for (const file of ["preview.yml", "up.yml", "review.yml"]) {
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

it("drift is that of examples/gitops, for all stacks", () => {
  const { stacks: _, arguments: words, ...inputs } = stepsOf("drift.yml", "gitops").at(-1)?.with ?? {};
  const own = stepsOf("drift.yml", "gitops-sharded").at(-1)?.with;
  expect(own).toEqual({ ...inputs, stacks: "shop bank", arguments: `${words} --parallel 2` });
});

const operator = operatorSchemas();
const missing = judgesProblem() || ("missing" in operator ? operator.missing : "");
describeIf(missing === "", missing)("the definitions of the operator", () => {
  it("accept the manifests", async () => {
    const { schemas } = operator as { schemas: ReadonlyMap<string, object> };
    for (const manifest of manifests) {
      const schema = schemas.get(`${manifest.kind} ${manifest.apiVersion.split("/")[1]}`);
      const validate = await jsonValidator(schema ?? {});
      expect(schema).toBeDefined();
      expect(await validate(JSON.stringify(manifest))).toEqual([]);
      const faulty = { ...manifest, spec: { ...manifest.spec, repository: "a" } };
      expect(await validate(JSON.stringify(faulty))).not.toEqual([]);
    }
  });
});
