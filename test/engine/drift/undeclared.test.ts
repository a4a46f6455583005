/** People and teams that a resource with all people of a project or team does not declare. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { driftReport } from "../../../provider/cli/drift/report";
import type { Sandbox } from "../../../sandbox";
import { type Program, succeeded } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { projectNamed } from "../support/project-program";
import { setUpStack, tearDownStacks } from "../support/stack-setup";

afterEach(tearDownStacks);

const owner = ["GROUP_OWNER"];
const seed = { projects: [{ name: "payments", members: { "olga@example.com": owner } }] };

function program(type: "ProjectMembers" | "ProjectMember", more: object = {}) {
  return (sandbox: Sandbox): Program => {
    const projectId = projectNamed(sandbox, "payments").id;
    const people =
      type === "ProjectMembers"
        ? { members: { "olga@example.com": owner }, ...more }
        : { username: "olga@example.com", roles: owner };
    return { resources: { people: { type, properties: { projectId, ...people } } } };
  };
}

const formats = ["json", "markdown", "html", "sarif", "junit"];
const intoFiles = formats.flatMap((name) => ["--format", `${name}=drift.${name}`]);

it.each(["plugin", "dynamic"] as const)(
  "reports an invited owner in every preview and every format, until a rule accepts her (%s)",
  async (provider) => {
    const { sandbox, stack } = await setUpStack({
      provider,
      sandbox: { seed },
      program: program("ProjectMembers"),
    });
    await succeeded(stack.up());
    expect((await opsmanager(stack, ["drift", "--stack", "test"])).exitCode).toBe(0);
    const { id } = projectNamed(sandbox, "payments");
    sandbox.addInvitation(id, { username: "mallory@example.com", roles: owner });

    const preview = await succeeded(stack.preview());
    expect(preview.changes).toEqual({ same: 1 });
    const lines = preview.diagnostics.filter(({ message }) => message.includes("mallory"));
    expect(lines).toMatchObject([{ message: expect.stringContaining("is not listed and not changed") }]);
    await succeeded(stack.up());

    for (const option of [[], ["--state-only"], ["--unmanaged"]]) {
      const found = await opsmanager(stack, ["drift", "--stack", "test", ...option, ...intoFiles]);
      expect(found).toMatchObject({ exitCode: 2, stderr: "" });
      expect(found.stdout).toMatch(/^Drift: 1 difference in 1 resource \(1 undeclared\)\./);
      expect(found.stdout).toContain(
        '! members["mallory@example.com"]: pending, ["GROUP_OWNER"], not declared',
      );
      const files = await Promise.all(
        formats.map((name) => readFile(join(stack.paths.program, `drift.${name}`), "utf8")),
      );
      for (const file of files) expect(file).toContain("mallory");
      const { result, findings } = driftReport.parse(JSON.parse(files[0] ?? ""));
      expect({ result, findings }).toMatchObject({
        result: "drift",
        findings: [
          { kind: "undeclared", name: "people", property: 'members["mallory@example.com"]', live: owner },
        ],
      });
    }
    const masked = await opsmanager(stack, ["drift", "--stack", "test", "--mask-people"]);
    expect(masked.stdout).toMatch(/! members\["person-\w{10}"\]/);
    expect(masked.stdout).not.toContain("mallory");

    const rule = { resource: "people", property: 'members["mallory@example.com"]', kind: "undeclared" };
    const rules = join(stack.paths.program, ".opsmanager-drift.yaml");
    await writeFile(rules, JSON.stringify([{ ...rule, reason: "audit", expires: "2999-12-31" }]));
    expect((await opsmanager(stack, ["drift", "--stack", "test"])).exitCode).toBe(0);
  },
);
