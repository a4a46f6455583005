/** Programs about access, who has access by what the service holds, and what a summary says about it. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "../../../sandbox";
import type { ResourceOptions, Stack } from "../../support";
import { ada, bob, cleo, eve, grace, linus, owner, owners, readers, stranger } from "../../support/people";
import { opsmanager } from "./opsmanager";

export const orgId = "5f0000000000000000000001";

/** An organization with one owner and others. */
export const seed = {
  orgs: [{ id: orgId, name: "Example Org" }],
  users: [owner, ada, bob, cleo, eve, grace, linus, stranger, "first@example.com"].map((username) => ({
    username,
    roles: [{ orgId, roleName: username === owner ? "ORG_OWNER" : "ORG_MEMBER" }],
  })),
};

type Properties = Readonly<Record<string, unknown>>;
type Roles = Readonly<Record<string, readonly string[]>>;

export interface InProject {
  readonly projectId: string;
}

export function resource(type: string, properties: Properties, options?: ResourceOptions) {
  return { type, properties, ...(options && { options }) };
}

/** Everyone of the project: its owner and others. */
export function list(
  { projectId }: InProject,
  members: Roles,
  more: Properties = {},
  options?: ResourceOptions,
) {
  return resource(
    "ProjectMembers",
    { projectId, members: { [owner]: owners, ...members }, ...more },
    options,
  );
}

export function person(
  { projectId }: InProject,
  username: unknown,
  more: Properties = {},
  options?: ResourceOptions,
) {
  return resource("ProjectMember", { projectId, username, roles: readers, ...more }, options);
}

export function team(
  name: string,
  usernames: readonly unknown[],
  more: Properties = {},
  options?: ResourceOptions,
) {
  return resource("Team", { orgId, name, usernames, ...more }, options);
}

/** A project of the service with its owner and others. */
export function having(members: Roles = {}) {
  return { members: { [owner]: owners, ...members } };
}

// What the service has.

/** The ID of an account. */
export function accountOf({ state }: Sandbox, name: string): string {
  return state.users.find(({ username }) => username === name)?.id ?? "";
}

/** Who has access where: `ada@example.com in project payments`. */
export function accessIn({ state, publicKey }: Sandbox): string[] {
  const { users, keys: apiKeys, teams: all, projects, invitations } = state;
  const nameOf = (projectId: string | undefined) =>
    projects.find(({ id }) => id === projectId)?.name ?? "a project that was deleted";
  const placeOf = ({ groupId }: { readonly groupId?: string }) =>
    groupId === undefined ? "organization" : `project ${nameOf(groupId)}`;
  return [
    ...users.flatMap(({ username, roles }) => roles.map((grant) => `${username} in ${placeOf(grant)}`)),
    ...invitations.map((invitation) => `${invitation.username} in ${placeOf(invitation)}`),
    ...apiKeys
      .filter((key) => key.publicKey !== publicKey)
      .flatMap((key) =>
        key.roles.map((grant) => `API key ${key.desc} (${key.publicKey}) in ${placeOf(grant)}`),
      ),
    ...all.flatMap(({ name, userIds }) =>
      users.filter(({ id }) => userIds.includes(id)).map(({ username }) => `${username} in team ${name}`),
    ),
    ...projects.flatMap(({ name, teams: own, agentKeys, idpGroupMappings }) =>
      [
        ...own.map(({ teamId }) => `team ${all.find(({ id }) => id === teamId)?.name}`),
        ...agentKeys
          .filter(({ createdBy }) => createdBy !== "PROVISIONING")
          .map(({ desc, id }) => `agent API key ${desc} (${id})`),
        ...idpGroupMappings.flatMap(({ idpGroups }) =>
          idpGroups.map((group) => `identity provider group ${group}`),
        ),
      ].map((holder) => `${holder} in project ${name}`),
    ),
  ];
}

/** `+ada@example.com in project payments`, and with a minus what is lost. */
export function changesBetween(before: readonly string[], after: readonly string[]): string[] {
  const only = (one: readonly string[], other: readonly string[]) =>
    [...new Set(one)].filter((edge) => !other.includes(edge)).map(withoutIds);
  return [
    ...only(after, before).map((edge) => `+${edge}`),
    ...only(before, after).map((edge) => `-${edge}`),
  ].sort();
}

/** A key that is to be created has no ID yet. */
function withoutIds(edge: string): string {
  return edge.replace(/ \(\w+\)/, "");
}

// What a summary says.

interface Said {
  readonly exitCode: number;
  /** The text, with the names of projects. */
  readonly plan: string;
  /** Who gets and loses access, as `changesBetween` writes it. */
  readonly changes: readonly string[];
}

/** Runs `opsmanager summarize`. */
export async function summarize(stack: Stack, box: Sandbox, ...command: string[]): Promise<Said> {
  const { exitCode } = await opsmanager(stack, ["summarize", "--format", "text=plan.txt", ...command]);
  const plan = await readFile(join(stack.paths.program, "plan.txt"), "utf8");
  const names = new Map(box.state.projects.map(({ id, name }) => [`project ${id}`, `project ${name}`]));
  const changes = plan.split("\n").flatMap((line) => {
    const [, place = "", facts = ""] = /^ {2}((?:project|team|organization) .*?): (.*)$/.exec(line) ?? [];
    // There is one, by its ID or by the key of its file.
    const at = names.get(place) ?? place.replace(/^organization .*/, "organization");
    const named = (phrase: RegExp) => phrase.exec(facts)?.[1]?.split(", ") ?? [];
    return [
      ...named(/(?:^|, )access for (.*?)(?=, no more access for |, perhaps |$)/).map(
        (name) => `+${name} in ${at}`,
      ),
      ...named(/no more access for (.*?)(?=, perhaps |$)/).map((name) => `-${name} in ${at}`),
    ];
  });
  const shown = plan.replaceAll(/project (\w{24})/g, (place) => names.get(place) ?? place);
  return { exitCode, plan: shown, changes: changes.map(withoutIds).sort() };
}
