/**
 * `opsmanager drift --unmanaged` in a world: whoever owns a project whose people are declared, or can make owners in it, and is not
 * declared, is a difference, service accounts among them, and so is a group that owns a declared organization.
 */
import type { Declaration, Recorded } from "../engine-model";
import { type Access, accessIn } from "./access";
import type { DriftReported } from "./agree/reports";
import type { Holds } from "./command";
import { API_KEY, candidatesOf, type Entry, type Identities, matches } from "./oracle";
import { ignores, textsIn } from "./records";
import type { ProjectView, ServiceView } from "./service-view";

interface Situation {
  readonly service: ServiceView;
  readonly program: readonly Declaration[];
  readonly state: readonly Recorded[];
  readonly entries: readonly Entry[];
  readonly identities: Identities;
}

export const canOwn = (roles: readonly string[]): boolean =>
  roles.includes("GROUP_OWNER") || roles.includes("GROUP_USER_ADMIN");

const ownsOrganization = ({ organization }: ServiceView, account: string | undefined): boolean =>
  account !== undefined && organization.get(account)?.roles.includes("ORG_OWNER") === true;

/** Who owns the project, or can make owners in it, without being declared, by the names in reports. */
function undeclaredOwners(project: ProjectView, { service, program, state, entries, identities }: Situation) {
  const { id } = project;
  const inProject = (type: string) =>
    state.filter((one) => one.type === type && one.outputs.projectId === id && !one.pendingDelete);
  const lists = program.filter(({ type, name }) =>
    inProject("ProjectMembers").some((one) => one.type === type && one.name === name),
  );
  const patterns = lists.flatMap(({ inputs }) => textsIn(inputs, "ignoreUsers"));
  // Whoever ignores changes of the list accepts everyone in it.
  const isOpen = lists.some((list) => ignores(list, "members"));
  const declared = entries
    .filter(({ projectId }) => projectId === id)
    .map((entry) => {
      const held = identities.heldBy(entry);
      const { accounts, names } = candidatesOf(entry, service, identities);
      // A stranger who has the name of a recorded account now is not declared.
      return { accounts: held === undefined ? accounts : new Set([held]), names, roles: entry.roles };
    });
  const isDeclared = (
    name: string,
    account: string | undefined,
    isEnough: (roles: Entry["roles"]) => boolean,
  ) =>
    isOpen ||
    matches(patterns, name) ||
    declared.some(
      ({ accounts, names, roles }) =>
        isEnough(roles) && (account === undefined ? names.has(name) : accounts.has(account)),
    );
  // Other roles of a declared person are a difference of the person, but not those of an invitation beside them.
  const isHere = {
    person: ({ holder: { name, account }, isPending }: Access) =>
      ownsOrganization(service, account) ||
      isDeclared(name, account, (roles) => !isPending || roles === undefined || canOwn(roles)),
    team: ({ holder }: Access) =>
      inProject("ProjectTeam").some(({ outputs }) => outputs.teamId === holder.id),
    "API key": ({ holder }: Access) =>
      holder.publicKey === API_KEY ||
      inProject("ProjectApiKey").some(({ outputs }) => outputs.keyId === holder.id),
    "agent API key": () => true,
    // Nothing declares one. A role in a project is no news of one that owns the organization.
    "service account": ({ holder }: Access) =>
      service.serviceAccounts.get(holder.id)?.orgRoles.includes("ORG_OWNER") === true,
    group: ({ holder }: Access) => inProject("Project").some(({ inputs }) => inputs[holder.id] !== undefined),
  };
  return accessIn(service)
    .filter(({ place, roles }) => place.id === id && canOwn(roles))
    .filter((access) => !isHere[access.holder.kind](access))
    .map(({ holder: { name, publicKey } }) => publicKey ?? name);
}

/** The groups that own the organization, where it is declared without the mappings of their kind. */
function undeclaredGroups({ service, state }: Situation): readonly string[] {
  const declared = state.filter(({ type, pendingDelete }) => type === "Organization" && !pendingDelete);
  if (declared.length === 0) return [];
  return service.orgFields.groups
    .filter(({ role }) => role === "ORG_OWNER")
    .filter(({ property }) => declared.every(({ inputs }) => inputs[property] === undefined))
    .map(({ name }) => name);
}

export function checkDriftReport(
  { exitCode, findings, stdout, stderr }: DriftReported,
  situation: Situation,
  holds: Holds,
) {
  const { service, entries } = situation;
  const reported = JSON.stringify(findings);
  const isUndetermined = exitCode === 1;
  for (const project of service.projects.values()) {
    if (!entries.some(({ projectId }) => projectId === project.id)) continue;
    const hidden = undeclaredOwners(project, situation).filter((name) => !reported.includes(name));
    holds(
      "an undeclared owner of a project is a difference",
      hidden.length === 0 || isUndetermined,
      () => `${hidden.join(", ")} in ${project.name}: ${stderr}${stdout}`,
    );
  }
  const hidden = undeclaredGroups(situation).filter(
    (name) => !findings.some(({ object }) => object?.in === "organization" && object.name === name),
  );
  holds(
    "an undeclared group that owns a declared organization is a difference",
    hidden.length === 0 || isUndetermined,
    () => `${hidden.join(", ")}: ${stderr}${stdout}`,
  );
  for (const { kind, object } of findings) {
    const account = [...service.names].find(([, name]) => name === object?.name)?.[0];
    const isPerson = kind === "undeclared" && object?.what === "person";
    holds(
      "an owner of the organization is no difference in its projects",
      !isPerson || !service.projects.has(object.containerId) || !ownsOrganization(service, account),
      () => `${object?.name} in ${object?.containerId}`,
    );
    if (object?.what !== "service account") continue;
    const roles = service.serviceAccounts.get(object.name)?.projectRoles.get(object.containerId);
    holds(
      "a service account that is called undeclared owns the project",
      roles !== undefined && canOwn(roles),
      () => `${object.name} in ${object.containerId} has ${roles?.join(", ")}`,
    );
  }
}
