/** The stories of the comparison: together they run each kind of command line that the engine tests use. */
import type { ProviderKind } from "../../support";
import { opsmanager } from "../support/opsmanager";
import { memberProgram, membersProgram, paymentsId } from "../support/people-program";
import { emptyProgram, projectNamed, projectProgram, projectsProgram } from "../support/project-program";
import type { Step, Story } from "./comparison";

const payments = { name: "payments", tags: ["PROD"] };

/**
 * Operations with failures, secrets, unknown values, lookups and resource options. Steps of the
 * engine alone are compared through the plugin only. Other steps already run everything that the
 * hosts of the dynamic provider and its programs do in them.
 */
const projectSteps: readonly (Step & { readonly isOfEngine?: true })[] = [
  { title: "up after its preview", command: ({ stack }) => stack.up({ skipPreview: false }) },
  {
    title: "up without a change",
    isOfEngine: true,
    command: ({ stack }) => stack.up({ expectNoChanges: true }),
  },
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
    command: ({ stack }) => stack.refresh({ previewOnly: true, expectNoChanges: true }),
  },
  { title: "refresh of drift", command: ({ stack }) => stack.refresh({ diff: true }) },
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
      await stack.setProgram(
        projectsProgram({
          payments: { properties: { orgId: sandbox.orgId, ...payments } },
          audit: { properties: { orgId: sandbox.orgId, name: "audit", tags: ["PROD"] } },
        }),
      );
      sandbox.addFault({ method: "PATCH", times: 0, fault: { status: 400 } });
    },
    command: ({ stack }) => stack.up(),
  },
  {
    title: "up that finishes what failed",
    isOfEngine: true,
    before: ({ sandbox }) => sandbox.clearFaults(),
    command: ({ stack }) => stack.up(),
  },
  {
    title: "preview of values that are not known yet",
    before: ({ sandbox, stack }) =>
      stack.setProgram({
        resources: {
          payments: { type: "Project", properties: { orgId: sandbox.orgId, ...payments } },
          tools: {
            type: "Project",
            properties: { orgId: "${payments.orgId}", name: "tools", tags: ["OF-${payments.projectId}"] },
            options: { dependsOn: ["${payments}"], protect: true },
          },
        },
        lookups: { found: { function: "getProject", arguments: { name: "payments", orgId: sandbox.orgId } } },
        outputs: { tags: "${found.tags}", hidden: { "fn::secret": "not for logs" } },
      }),
    command: ({ stack }) => stack.preview({ diff: true }),
  },
  { title: "up with a lookup and a secret output", command: ({ stack }) => stack.up() },
  { title: "destroy of what is protected", isOfEngine: true, command: ({ stack }) => stack.destroy() },
  {
    title: "end of a protection",
    command: ({ stack }) => stack.run("state", "unprotect", "--all", "--yes"),
  },
  {
    title: "targeted up of a renamed resource with an alias",
    isOfEngine: true,
    before: ({ sandbox, stack }) =>
      stack.setProgram(
        projectsProgram({
          ledger: {
            properties: { orgId: sandbox.orgId, ...payments, tags: ["RENAMED"] },
            options: { aliases: [{ name: "payments" }] },
          },
        }),
      ),
    command: ({ stack }) => stack.up({ target: "**ledger" }),
  },
  { title: "up that removes what left the program", isOfEngine: true, command: ({ stack }) => stack.up() },
  { title: "destroy", command: ({ stack }) => stack.destroy() },
];

/** No program and no dynamic provider takes part in these. */
const commandSteps: readonly Step[] = [
  {
    title: "export of the state",
    command: ({ stack }) => stack.run("stack", "export", "--show-secrets"),
  },
  { title: "outputs", command: ({ stack }) => stack.run("stack", "output", "--json") },
  { title: "stacks", command: ({ stack }) => stack.run("stack", "ls") },
  { title: "settings", command: ({ stack }) => stack.run("config", "--show-secrets", "--json") },
  { title: "a flag that no command has", command: ({ stack }) => stack.run("up", "--yes", "--no-such-flag") },
  { title: "destroy of nothing", command: ({ stack }) => stack.destroy() },
  {
    title: "import of what does not exist",
    before: ({ stack }) => stack.setProgram(emptyProgram),
    command: ({ stack }) => stack.import("opsmanager:index:Project", "absent", "5f0000000000000000000abc"),
  },
  {
    title: "import",
    before: ({ sandbox }) => {
      sandbox.addProject({ name: "imported", tags: ["OLD"] });
    },
    command: ({ sandbox, stack }) =>
      stack.import("opsmanager:index:Project", "imported", projectNamed(sandbox, "imported").id, {
        generateCode: true,
      }),
  },
];

const ada = "ada@example.com";
const bob = "bob@example.com";

const peopleSteps: readonly Step[] = [
  { title: "up that invites", command: ({ stack }) => stack.up() },
  {
    title: "up after the invitation was accepted",
    before: ({ sandbox }) => {
      for (const { id } of sandbox.state.invitations) sandbox.acceptInvitation(id);
    },
    command: ({ stack }) => stack.up(),
  },
  {
    title: "up that replaces one person by another",
    before: ({ sandbox, stack }) =>
      stack.setProgram(
        memberProgram({ projectId: paymentsId(sandbox), username: bob, roles: ["GROUP_READ_ONLY"] }),
      ),
    command: ({ stack }) => stack.up({ skipPreview: false, diff: true }),
  },
  {
    title: "up that moves the person to ProjectMembers",
    before: ({ sandbox, stack }) =>
      stack.setProgram(
        membersProgram({
          projectId: paymentsId(sandbox),
          members: { [bob]: ["GROUP_OWNER"], [ada]: ["GROUP_READ_ONLY"] },
        }),
      ),
    command: ({ stack }) => stack.up(),
  },
  {
    title: "refresh after people were removed outside Pulumi",
    before: ({ sandbox }) => {
      for (const { id } of sandbox.state.invitations) sandbox.removeInvitation(id);
    },
    command: ({ stack }) => stack.refresh(),
  },
  {
    title: "up with a program that does not resolve",
    before: ({ stack }) => stack.setProgram({ outputs: { word: "${nowhere.word}" } }),
    command: ({ stack }) => stack.up(),
  },
];

export function projectStory(provider: ProviderKind): Story {
  return {
    provider,
    program: ({ orgId }) => projectProgram({ orgId, ...payments }),
    steps:
      provider === "plugin"
        ? [...projectSteps, ...commandSteps]
        : projectSteps.filter(({ isOfEngine }) => !isOfEngine),
  };
}

export function peopleStory(provider: ProviderKind): Story {
  return {
    provider,
    sandbox: {
      seed: { projects: [{ name: "payments", members: { "owner@example.com": ["GROUP_OWNER"] } }] },
    },
    program: (sandbox) =>
      memberProgram({ projectId: paymentsId(sandbox), username: ada, roles: ["GROUP_READ_ONLY"] }),
    steps: peopleSteps,
  };
}
