/** The project `payments` with its owner, and declarations of people in it: for stories on the model of the engine. */
import type { SandboxOptions } from "../../../sandbox";
import type { Program, ResourceDeclaration, ResourceOptions } from "../../support";
import { type StackSetupOptions, setUpStack } from "../../support/model-stack";
import { owner, owners, readers } from "../../support/people";

export { ada, admins, bob, eve, owner, owners, readers } from "../../support/people";

export const projectId = "5f00000000000000000000a1";

export type People = Readonly<Record<string, readonly string[]>>;

/** A ProjectMember, who reads unless `roles` are given. */
export function person(properties: object, options: ResourceOptions = {}): ResourceDeclaration {
  return { type: "ProjectMember", properties: { projectId, roles: readers, ...properties }, options };
}

/** A ProjectMembers with the owner and these people. */
export function allMembers(
  people: People,
  properties: object = {},
  options: ResourceOptions = {},
): ResourceDeclaration {
  const members = { [owner]: owners, ...people };
  return { type: "ProjectMembers", properties: { projectId, members, ...properties }, options };
}

/** What `membershipsIn` returns if these people are in the project beside its owner. */
export function peopleWith(members: People, invited: People = {}) {
  return { members: { [owner]: owners, ...members }, invited };
}

interface Beginning extends Omit<StackSetupOptions, "program" | "sandbox"> {
  readonly sandbox?: Omit<SandboxOptions, "seed">;
  /** Members beside the owner. */
  readonly members?: People;
  readonly invited?: People;
  /** Usernames of accounts that are not in the project. */
  readonly accounts?: readonly string[];
}

/** A stack that declares nothing yet. */
export async function setUpPayments(beginning: Beginning = {}) {
  const { sandbox: switches, members, invited = {}, accounts = [], ...options } = beginning;
  const invitations = Object.entries(invited).map(([username, roles]) => ({ username, roles }));
  const project = { id: projectId, name: "payments", members: { [owner]: owners, ...members }, invitations };
  const seed = { users: accounts.map((username) => ({ username })), projects: [project] };
  const { sandbox, stack } = await setUpStack({
    ...options,
    sandbox: { ...switches, seed },
    program: () => ({}),
  });
  const userId = (username: string) => sandbox.user({ username })?.id ?? "";
  /** Declares these resources from now on, and carries that out. */
  const upWith = async (resources: Program["resources"] = {}) => {
    await stack.setProgram({ resources });
    return stack.up();
  };
  const previewWith = async (resources: Program["resources"] = {}) => {
    await stack.setProgram({ resources });
    return stack.preview();
  };
  const outputsOf = async (name: string) => (await stack.resource(name))?.outputs;
  return { sandbox, stack, userId, upWith, previewWith, outputsOf };
}
