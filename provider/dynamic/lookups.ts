/**
 * Lookups as plain functions: the same arguments, answers and messages as those of the plugin's SDK, asked from the program's
 * own process with the settings of the stack.
 */
import * as pulumi from "@pulumi/pulumi";
import type {
  GetProjectArgs,
  GetProjectInvitationArgs,
  GetProjectInvitationOutputArgs,
  GetProjectInvitationResult,
  GetProjectInvitationsArgs,
  GetProjectInvitationsOutputArgs,
  GetProjectInvitationsResult,
  GetProjectMembersArgs,
  GetProjectMembersOutputArgs,
  GetProjectMembersResult,
  GetProjectOutputArgs,
  GetProjectResult,
  GetProjectsArgs,
  GetProjectsOutputArgs,
  GetProjectsResult,
} from "../../sdk/nodejs";
import { isPlain, secretsOf } from "./plain";

/**
 * Looks up one project: by `projectId`, or by `orgId` and the exact `name`. Fails when there is none, or more than one of
 * that name.
 *
 * @param args plain values; `getProjectOutput` takes outputs
 */
export function getProject(args?: GetProjectArgs, opts?: pulumi.InvokeOptions): Promise<GetProjectResult> {
  return answer("getProject", args, opts);
}

/** `getProject` for arguments that are outputs: nothing is asked before they are known, and a secret one makes the answer secret. */
export function getProjectOutput(
  args?: GetProjectOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectResult> {
  return answerOutput("getProject", args, opts);
}

/**
 * Looks up the projects that the API key can see, of one organization or of all; none is an empty list. With `tags`, only
 * projects that have all of them.
 *
 * @param args plain values; `getProjectsOutput` takes outputs
 */
export function getProjects(args?: GetProjectsArgs, opts?: pulumi.InvokeOptions): Promise<GetProjectsResult> {
  return answer("getProjects", args, opts);
}

/** `getProjects` for arguments that are outputs: nothing is asked before they are known, and a secret one makes the answer secret. */
export function getProjectsOutput(
  args?: GetProjectsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectsResult> {
  return answerOutput("getProjects", args, opts);
}

/**
 * Looks up everybody in a project: members, pending invitations and, with `includeIndirect`, those who are in only through a
 * team or the organization. Needs an API key with the role Project User Admin.
 *
 * @param args plain values; `getProjectMembersOutput` takes outputs
 */
export function getProjectMembers(
  args: GetProjectMembersArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetProjectMembersResult> {
  return answer("getProjectMembers", args, opts);
}

/** `getProjectMembers` for arguments that are outputs: nothing is asked before they are known, and a secret one makes the answer secret. */
export function getProjectMembersOutput(
  args: GetProjectMembersOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectMembersResult> {
  return answerOutput("getProjectMembers", args, opts);
}

/**
 * Looks up one pending invitation to a project. Fails when it was accepted, has expired or was deleted: the service keeps
 * pending invitations only. Needs an API key with the role Project User Admin.
 *
 * @param args plain values; `getProjectInvitationOutput` takes outputs
 */
export function getProjectInvitation(
  args: GetProjectInvitationArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetProjectInvitationResult> {
  return answer("getProjectInvitation", args, opts);
}

/** `getProjectInvitation` for arguments that are outputs: nothing is asked before they are known, and a secret one makes the answer secret. */
export function getProjectInvitationOutput(
  args: GetProjectInvitationOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectInvitationResult> {
  return answerOutput("getProjectInvitation", args, opts);
}

/**
 * Looks up the pending invitations to a project, of everybody or of one `username`; none is an empty list. Needs an API key
 * with the role Project User Admin.
 *
 * @param args plain values; `getProjectInvitationsOutput` takes outputs
 */
export function getProjectInvitations(
  args: GetProjectInvitationsArgs,
  opts?: pulumi.InvokeOptions,
): Promise<GetProjectInvitationsResult> {
  return answer("getProjectInvitations", args, opts);
}

/** `getProjectInvitations` for arguments that are outputs: nothing is asked before they are known, and a secret one makes the answer secret. */
export function getProjectInvitationsOutput(
  args: GetProjectInvitationsOutputArgs,
  opts?: pulumi.InvokeOutputOptions,
): pulumi.Output<GetProjectInvitationsResult> {
  return answerOutput("getProjectInvitations", args, opts);
}

async function answer<Result>(
  name: string,
  args: object = {},
  opts: pulumi.InvokeOptions = {},
): Promise<Result> {
  const done = pulumi.runtime.rpcKeepAlive();
  try {
    refuseProvider(name, opts);
    const [early] = Object.entries(args).filter(([, value]) => !isPlain(value));
    if (early) {
      throw new pulumi.RunError(
        `${name}: ${early[0]} is an output, and ${name} takes plain values. Use ${name}Output, which takes outputs.`,
      );
    }
    return await ask(name, args, []);
  } finally {
    done();
  }
}

function answerOutput<Result>(
  name: string,
  args: object = {},
  opts: pulumi.InvokeOutputOptions = {},
): pulumi.Output<Result> {
  refuseProvider(`${name}Output`, opts);
  // Held from here on, as the SDK does for its own lookups: in a program of the Automation API nothing else keeps the connection
  // to the engine open until what follows from the answer is registered.
  const done = pulumi.runtime.rpcKeepAlive();
  const given = pulumi.output(args);
  const sources = pulumi.output(pulumi.getAllResources(given).then(marksOf));
  const before = pulumi.output(opts.dependsOn).apply((named) => pulumi.all(marksOf(resourcesIn(named))));
  const result = pulumi
    .all([given, sources, before])
    .apply(async ([values]): Promise<Result> => ask(name, values, await secretsOf(args)));
  pulumi.isSecret(result).then(done, done);
  return result as pulumi.Output<Result>;
}

async function ask<Result>(name: string, args: object, secrets: readonly string[]): Promise<Result> {
  const asking = require("./ask") as typeof import("./ask");
  return (await asking.ask(name, { ...args }, secrets)) as Result;
}

/** Everything goes to the one service of the stack's settings, so another provider cannot be meant. */
function refuseProvider(name: string, { provider }: pulumi.InvokeOptions): void {
  if (!provider) return;
  throw new pulumi.RunError(
    `${name}: pulumi-opsmanager/dynamic has no providers, so the option provider cannot be used. It asks the service of the stack's opsmanager: settings; for several services in one program import from pulumi-opsmanager.`,
  );
}

/**
 * What is known of each resource once it is there: unknown in a preview as long as one does not exist. An argument alone may be known
 * by then, such as the name of a project that is still to be created. A component stands for everything in it.
 */
function marksOf(resources: Iterable<pulumi.Resource>): pulumi.Output<string>[] {
  return [...resources].flatMap((resource) => {
    if (pulumi.CustomResource.isInstance(resource)) return [resource.id];
    // The SDK's own lookups go through this list too (runtime/dependsOn.js); there is no public one.
    const { __childResources: children = [] } = resource as { __childResources?: Set<pulumi.Resource> };
    return [resource.urn, ...marksOf(children)];
  });
}

function resourcesIn(value: unknown): pulumi.Resource[] {
  return [value].flat().filter((entry) => pulumi.Resource.isInstance(entry));
}
