/** The story of the comparison: it runs each kind of command line that the engine tests use. */
import type { Program, ProviderKind } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { emptyProgram, projectNamed, projectProgram } from "../support/project-program";
import type { Step, Story } from "./comparison";

const ada = "ada@example.com";
const bob = "bob@example.com";
const reader = ["GROUP_READ_ONLY"];

const payments = (orgId: string) => ({
  type: "Project",
  properties: { orgId, name: "payments", tags: ["PROD"] },
});

const member = (username: string) => ({
  type: "ProjectMember",
  properties: { projectId: "${payments.projectId}", username, roles: reader },
});

/** Unknown values in its preview, a lookup, a secret output, and another person than before. One resource after the other. */
function manifoldProgram(orgId: string): Program {
  return {
    resources: {
      payments: payments(orgId),
      ada: member(bob),
      tools: { type: "Project", properties: { orgId, name: "tools" }, options: { dependsOn: ["${ada}"] } },
      mirror: {
        type: "Project",
        properties: { orgId: "${tools.orgId}", name: "mirror", tags: ["OF-${tools.projectId}"] },
        options: { protect: true },
      },
    },
    lookups: { found: { function: "getProject", arguments: { name: "payments", orgId } } },
    outputs: { tags: "${found.tags}", hidden: { "fn::secret": "not for logs" } },
  };
}

/** Failures, secrets, unknown values, lookups, resource options and people. No step repeats what another one runs in the hosts. */
const operations: readonly (Step & { readonly only?: ProviderKind })[] = [
  {
    title: "up that the service refuses in its middle",
    before: ({ sandbox }) => {
      sandbox.addFault({ method: "PATCH", bodyPattern: "AUDIT", times: 0, fault: { status: 400 } });
    },
    command: ({ stack }) => stack.up(),
  },
  {
    title: "drift, reported by the command of this project",
    only: "plugin",
    before: ({ sandbox }) => {
      sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT"] });
    },
    command: ({ stack }) => opsmanager(stack, ["drift"]),
  },
  {
    title: "up of a program that the provider rejects, as its host reports it",
    only: "dynamic",
    before: ({ sandbox, stack }) =>
      stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "", tags: ["PROD", "PROD"] })),
    command: ({ stack }) => stack.up(),
  },
  {
    title: "up after its preview, which replaces an accepted invitation and deletes what failed before",
    before: async ({ sandbox, stack }) => {
      sandbox.clearFaults();
      for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
      await stack.setProgram(manifoldProgram(sandbox.orgId));
    },
    command: ({ stack }) => stack.up({ skipPreview: false, diff: true }),
  },
  {
    title: "refresh after people were removed outside Pulumi",
    before: ({ sandbox }) => {
      for (const { id } of sandbox.state.invitations) sandbox.removeInvitation(id);
    },
    command: ({ stack }) => stack.refresh({ diff: true, expectNoChanges: true }),
  },
];

/** No dynamic provider takes part in these, and no program of Node.js. */
const commands: readonly Step[] = [
  {
    title: "export of the state",
    command: ({ stack }) => stack.run("stack", "export", "--show-secrets"),
  },
  { title: "settings", command: ({ stack }) => stack.run("config", "--show-secrets", "--json") },
  {
    title: "end of a protection",
    command: ({ stack }) => stack.run("state", "unprotect", "--all", "--yes"),
  },
  { title: "destroy", command: ({ stack }) => stack.destroy() },
  {
    title: "import",
    before: async ({ sandbox, stack }) => {
      sandbox.addProject({ name: "imported", tags: ["OLD"] });
      await stack.setProgram(emptyProgram);
    },
    command: ({ sandbox, stack }) =>
      stack.import("opsmanager:index:Project", "imported", projectNamed(sandbox, "imported").id, {
        generateCode: true,
      }),
  },
];

export function storyOf(provider: ProviderKind): Story {
  const steps = operations.filter(({ only = provider }) => only === provider);
  return {
    provider,
    program: ({ orgId }) => {
      const properties = { orgId, name: "audit", tags: ["AUDIT"] };
      const audit = { type: "Project", properties, options: { dependsOn: ["${ada}"] } };
      return { resources: { payments: payments(orgId), ada: member(ada), audit } };
    },
    steps: provider === "plugin" ? [...steps, ...commands] : steps,
  };
}
