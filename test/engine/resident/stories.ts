/** The story of the comparison: it runs each kind of command line that the engine tests use. */
import type { Program, ProviderKind } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { emptyProgram, projectNamed, projectProgram, projectsProgram } from "../support/project-program";
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

/**
 * Operations with failures, secrets, unknown values, lookups, resource options and people. Steps of
 * the engine alone are compared through the plugin only. Other steps already run everything that the
 * hosts of the dynamic provider and its programs do in them.
 */
const operations: readonly (Step & { readonly isOfEngine?: true })[] = [
  { title: "up", command: ({ stack }) => stack.up() },
  {
    title: "preview of drift",
    isOfEngine: true,
    before: ({ sandbox }) => {
      sandbox.changeProject(projectNamed(sandbox, "payments").id, { tags: ["URGENT"] });
    },
    command: ({ stack }) => stack.preview({ diff: true, expectNoChanges: true }),
  },
  {
    title: "drift, reported by the command of this project",
    isOfEngine: true,
    command: ({ stack }) => opsmanager(stack, ["drift"]),
  },
  {
    title: "refresh of drift, previewed only",
    isOfEngine: true,
    command: ({ stack }) => stack.refresh({ previewOnly: true, expectNoChanges: true, diff: true }),
  },
  { title: "up that corrects drift", isOfEngine: true, command: ({ stack }) => stack.up({ diff: true }) },
  {
    title: "up of a program with a fault",
    before: ({ sandbox, stack }) =>
      stack.setProgram(projectProgram({ orgId: sandbox.orgId, name: "", tags: ["PROD", "PROD"] })),
    command: ({ stack }) => stack.up(),
  },
  {
    title: "up that the service refuses in its middle",
    before: async ({ sandbox, stack }) => {
      const { orgId } = sandbox;
      const properties = { orgId, name: "audit", tags: ["PROD"] };
      const audit = { type: "Project", properties, options: { dependsOn: ["${ada}"] } };
      await stack.setProgram({ resources: { payments: payments(orgId), ada: member(ada), audit } });
      sandbox.addFault({ method: "PATCH", times: 0, fault: { status: 400 } });
    },
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
    title: "export of the state",
    isOfEngine: true,
    command: ({ stack }) => stack.run("stack", "export", "--show-secrets"),
  },
  { title: "outputs", isOfEngine: true, command: ({ stack }) => stack.run("stack", "output", "--json") },
  { title: "destroy of what is protected", isOfEngine: true, command: ({ stack }) => stack.destroy() },
  {
    title: "end of a protection",
    command: ({ stack }) => stack.run("state", "unprotect", "--all", "--yes"),
  },
  {
    title: "up that moves the person to ProjectMembers",
    isOfEngine: true,
    before: ({ sandbox, stack }) => {
      const members = { [bob]: ["GROUP_OWNER"], [ada]: reader };
      const properties = { projectId: "${payments.projectId}", members };
      const people = { type: "ProjectMembers", properties };
      return stack.setProgram({ resources: { payments: payments(sandbox.orgId), people } });
    },
    command: ({ stack }) => stack.up(),
  },
  {
    title: "refresh after people were removed outside Pulumi",
    before: ({ sandbox }) => {
      for (const { id } of sandbox.state.invitations) sandbox.removeInvitation(id);
    },
    command: ({ stack }) => stack.refresh({ diff: true }),
  },
  {
    title: "up with a program that does not resolve",
    isOfEngine: true,
    before: ({ stack }) => stack.setProgram({ outputs: { word: "${nowhere.word}" } }),
    command: ({ stack }) => stack.up(),
  },
  {
    title: "targeted up of a renamed resource with an alias",
    isOfEngine: true,
    before: ({ sandbox, stack }) => {
      const { properties } = payments(sandbox.orgId);
      const options = { aliases: [{ name: "payments" }] };
      return stack.setProgram(
        projectsProgram({ ledger: { properties: { ...properties, tags: ["RENAMED"] }, options } }),
      );
    },
    command: ({ stack }) => stack.up({ target: "**ledger" }),
  },
  { title: "destroy", command: ({ stack }) => stack.destroy() },
];

/** No program and no dynamic provider takes part in these. */
const commands: readonly Step[] = [
  { title: "stacks", command: ({ stack }) => stack.run("stack", "ls") },
  { title: "settings", command: ({ stack }) => stack.run("config", "--show-secrets", "--json") },
  { title: "a flag that no command has", command: ({ stack }) => stack.run("up", "--yes", "--no-such-flag") },
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
  return {
    provider,
    program: ({ orgId }) => ({ resources: { payments: payments(orgId), ada: member(ada) } }),
    steps:
      provider === "plugin"
        ? [...operations, ...commands]
        : operations.filter(({ isOfEngine }) => !isOfEngine),
  };
}
