/** Small words for tests of people: programs to run, and who is in a project by what the service states. */
import type { Sandbox } from "../../../sandbox";
import { type Program, type ResourceOptions, type Run, succeeded } from "../../support";
import { projectNamed, writes } from "./project-program";

type Properties = Readonly<Record<string, unknown>>;

/** A program with the one person `ada` of the project `payments`, which the sandbox has already. */
export function memberProgram(properties: Properties, options?: ResourceOptions): Program {
  return { resources: { ada: { type: "ProjectMember", properties, ...(options && { options }) } } };
}

/** A program with everyone of the project: the resource `people`. */
export function membersProgram(properties: Properties, options?: ResourceOptions): Program {
  return { resources: { people: { type: "ProjectMembers", properties, ...(options && { options }) } } };
}

/** Id of the sandbox's project `payments`. */
export function paymentsId(sandbox: Sandbox): string {
  return projectNamed(sandbox, "payments").id;
}

/** Who is in the project, by name: `{ "ada@example.com": ["GROUP_OWNER"] }`. */
export function membersOf(sandbox: Sandbox, projectId = paymentsId(sandbox)): Record<string, string[]> {
  const entries = sandbox.state.users.flatMap(({ username, roles }) => {
    const own = roles.filter(({ groupId }) => groupId === projectId).map(({ roleName }) => roleName);
    return own.length === 0 ? [] : [[username, own.sort()] as const];
  });
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Roles of the invited users of the project, by name. A user with two invitations is listed once. */
export function invitedTo(sandbox: Sandbox, projectId = paymentsId(sandbox)): Record<string, string[]> {
  const entries = invitationsTo(sandbox, projectId).map(
    ({ username, roles }) => [username, [...roles].sort()] as const,
  );
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function invitationsTo(sandbox: Sandbox, projectId = paymentsId(sandbox)) {
  return sandbox.state.invitations.filter(({ groupId }) => groupId === projectId);
}

/** The only invitation of that name to the project. */
export function invitationOf(sandbox: Sandbox, username: string, projectId = paymentsId(sandbox)) {
  const [invitation, ...others] = invitationsTo(sandbox, projectId).filter(
    (candidate) => candidate.username === username,
  );
  if (invitation === undefined || others.length > 0) {
    throw new Error(`Expected one invitation of ${username}, found ${invitation ? others.length + 1 : 0}.`);
  }
  return invitation;
}

interface UppableSetup {
  readonly sandbox: Sandbox;
  readonly stack: { up(): Promise<Pick<Run, "exitCode" | "output" | "changes">> };
}

/** What one more `up` does; `nothing` if everything is as the program declares. */
export async function upAgain({ sandbox, stack }: UppableSetup) {
  sandbox.clearRequests();
  const { changes } = await succeeded(stack.up());
  return { changes, writes: writes(sandbox) };
}

export const nothing = { changes: { same: 1 }, writes: [] };

/** All members and invitations of the project, to compare them before and after an operation that must end no membership. */
export function membershipsIn(sandbox: Sandbox, projectId = paymentsId(sandbox)) {
  return { members: membersOf(sandbox, projectId), invited: invitedTo(sandbox, projectId) };
}

/** The requests that delete. */
export function deletions(sandbox: Sandbox): string[] {
  return writes(sandbox)
    .filter(({ method }) => method === "DELETE")
    .map(({ path }) => path);
}
