/** What other people do in the service, past the provider: a table of steps, each with what it draws and what it does. */
import fc from "fast-check";
import type { Sandbox, Switches } from "../../../sandbox";
import type { Declaration, Recorded } from "../engine-model";
import { accountIds, firstName, orgId, otherOrgId, projectIds } from "./beginning";
import {
  among,
  anyRoles,
  at,
  type Drawn,
  drawn,
  type IdpMapping,
  idpMappings,
  keyDescription,
  mappingsOfOrganization,
  oneIn,
  orgRoles,
  orgRolesOfAccount,
  orgRolesOfPerson,
  person,
  pick,
  roles,
  slot,
  somePeople,
  tags,
  teamName,
  yes,
} from "./draws";
import type { Person, Slot } from "./names";
import { API_KEY } from "./oracle";
import { fold, mappingsText, ownersOf, type ServiceView, viewService } from "./service-view";

interface Play {
  readonly program: { readonly declarations: readonly Declaration[]; slotOf(name: string): Slot | undefined };
  state(): readonly Recorded[];
  /** Before an account gets another name. */
  onRename(id: string, username: string): void;
  onAgentKey(id: string): void;
}

interface Entry<Fields, Step> {
  /** How often worlds have it; 0: only in stories of several steps, or in between. */
  readonly weight: number;
  readonly draws: Fields;
  /**
   * @param projectId of the step's slot, if it has one
   * @returns what happened, or `undefined` if the step is not possible
   */
  act(step: Step, others: Outsiders, projectId: string): string | undefined;
}

const entry = <const Fields extends { readonly outside: string }>(
  weight: number,
  draws: Fields,
  act: Entry<Fields, Drawn<Fields>>["act"],
): Entry<Fields, Drawn<Fields>> => ({ weight, draws, act });

const endings = {
  accept: ["accepted", (sandbox: Sandbox, id: string) => sandbox.acceptInvitation(id)],
  expire: ["expired", (sandbox: Sandbox, id: string) => sandbox.expireInvitation(id)],
  "take back": ["taken back", (sandbox: Sandbox, id: string) => sandbox.removeInvitation(id)],
} as const;

/** An invitation to a project ends. */
const endOfInvitation = (weight: number, outside: keyof typeof endings) =>
  entry(weight, { outside, slot, pick }, ({ slot, pick }, { sandbox, view }, projectId) => {
    const invitation = at(view().projects.get(projectId)?.invitations ?? [], pick);
    if (invitation === undefined) return undefined;
    const [text, end] = endings[outside];
    end(sandbox, invitation.id);
    return `the invitation of ${invitation.name} to ${slot} is ${text}`;
  });

const steps = [
  entry(2, { outside: "change tags", slot, tags }, ({ slot, tags }, { sandbox }, projectId) => {
    sandbox.changeProject(projectId, { tags });
    return `tags of ${slot} become ${tags.join(", ") || "none"}`;
  }),
  // Groups of one kind decide: a project has no mappings of both.
  entry(
    1,
    { outside: "map groups", of: among("idp", "ldap"), slot, mappings: idpMappings },
    ({ of, slot, mappings }, { sandbox, switches }, projectId) => {
      const isOffered = of === "ldap" ? switches.ldap === true : switches.idpMappings === "present";
      if (!isOffered) return undefined;
      sandbox.changeProject(
        projectId,
        of === "ldap" ? { ldapGroupMappings: mappings.map(asLdapMapping) } : { idpGroupMappings: mappings },
      );
      return `${of} groups of ${slot} become ${mappingsText(mappings) || "none"}`;
    },
  ),
  entry(
    0,
    { outside: "map groups of organization", of: among("idp", "ldap"), mappings: mappingsOfOrganization },
    ({ of, mappings }, { sandbox, switches }) => {
      // The service takes its groups from one of them, and where it can be an identity provider, programs declare those.
      const hasProvider = switches.idpMappings === "present";
      if (of === "ldap" ? hasProvider || !switches.ldap : !hasProvider) return undefined;
      sandbox.changeOrg(
        orgId,
        of === "ldap" ? { ldapGroupMappings: mappings.map(asLdapMapping) } : { idpGroupMappings: mappings },
      );
      return `${of} groups of the organization become ${mappingsText(mappings) || "none"}`;
    },
  ),
  entry(
    1,
    { outside: "rename project", slot, name: among("one", "three") },
    ({ slot, name }, { sandbox }, projectId) => {
      sandbox.changeProject(projectId, { name: `${slot}-${name}` });
      return `project ${slot} is renamed to ${slot}-${name}`;
    },
  ),
  entry(1, { outside: "move project", slot }, ({ slot }, { sandbox, play }, projectId) => {
    const { orgId: current, teams } = sandbox.project(projectId) ?? {};
    // Teams belong to an organization, and the documents leave open what a move does with them.
    const hasTeams = play.program.declarations.some(({ type }) => type === "ProjectTeam");
    // An API key or a service account belongs to one organization.
    const hasRole = ({ roles }: { roles: readonly { groupId?: string | undefined }[] }) =>
      roles.some(({ groupId }) => groupId === projectId);
    const hasKeys =
      play.program.declarations.some(({ type }) => type === "ProjectApiKey") ||
      play.state().some(({ type }) => type === "ProjectApiKey") ||
      [...sandbox.state.keys, ...sandbox.state.serviceAccounts].some(hasRole);
    if (hasTeams || hasKeys || (teams ?? []).length > 0) return undefined;
    const target = current === orgId ? otherOrgId : orgId;
    sandbox.changeProject(projectId, { orgId: target });
    return `project ${slot} is moved to organization ${target}`;
  }),
  entry(4, { outside: "set member", slot, person, roles }, ({ slot, person, roles }, others, projectId) =>
    others.setMember(projectId, person, roles, (name) => `${name} gets ${roles.join(", ")} in ${slot}`),
  ),
  entry(4, { outside: "remove member", slot, person }, ({ slot, person }, others, projectId) => {
    const account = others.accountOf(person);
    const had = account && others.view().projects.get(projectId)?.members.get(account.id);
    if (account === undefined || had === undefined || others.takesLastOwner(projectId, account.id, []))
      return undefined;
    others.leavers.set(`${projectId} ${account.id}`, had);
    others.sandbox.removeMember(projectId, { id: account.id });
    return `${account.username} is removed from ${slot}`;
  }),
  entry(2, { outside: "invite", slot, person, roles }, ({ slot, person, roles }, others, projectId) => {
    const project = others.view().projects.get(projectId);
    const account = others.accountOf(person);
    const username = account?.username ?? firstName(person);
    if (project?.invitations.some(({ name }) => name === fold(username))) return undefined;
    if (account && project?.members.has(account.id)) return undefined;
    others.sandbox.addInvitation(projectId, { username, roles });
    return `${username} is invited to ${slot} as ${roles.join(", ")}`;
  }),
  endOfInvitation(4, "accept"),
  endOfInvitation(1, "expire"),
  endOfInvitation(1, "take back"),
  entry(2, { outside: "rename account", person }, ({ person }, others) => {
    const account = others.accountOf(person);
    if (account === undefined || !accountIds.has(person)) return undefined;
    return others.rename(account.id, others.newName(person));
  }),
  // The account gets another name, and the account of `by` gets the name that it had.
  entry(4, { outside: "reuse name", person, by: person }, ({ person, by: other }, others) => {
    const [account, by] = [others.accountOf(person), others.accountOf(other)];
    const hasIds = accountIds.has(person) && accountIds.has(other);
    if (account === undefined || by === undefined || account.id === by.id || !hasIds) return undefined;
    const { username } = account;
    const first = others.rename(account.id, others.newName(person));
    return `${first}; ${others.rename(by.id, username)}`;
  }),
  entry(2, { outside: "team people", team: teamName, people: somePeople(0) }, ({ team, people }, others) => {
    const changed = others.teamNamed(team);
    if (changed === undefined) return undefined;
    const inOrg = [...new Set(people)].flatMap((person) => {
      const account = others.accountOf(person);
      return account?.roles.some((role) => role.orgId === orgId) ? [account] : [];
    });
    others.sandbox.changeTeam(changed.id, { userIds: inOrg.map(({ id }) => id) });
    return `the people of team ${team} become ${inOrg.map(({ username }) => username).join(", ") || "none"}`;
  }),
  entry(
    2,
    { outside: "team roles", team: teamName, slot, roles: anyRoles },
    ({ team, slot, roles }, { sandbox, teamNamed }, projectId) => {
      const given = teamNamed(team);
      if (given === undefined || sandbox.project(projectId)?.orgId !== orgId) return undefined;
      sandbox.setProjectTeam(projectId, { teamId: given.id, roleNames: roles });
      return `team ${team} gets ${roles.join(", ") || "no roles"} in ${slot}`;
    },
  ),
  entry(1, { outside: "delete team", team: teamName }, ({ team }, { sandbox, teamNamed }) => {
    const deleted = teamNamed(team);
    if (deleted === undefined) return undefined;
    sandbox.removeTeam(deleted.id);
    return `team ${team} is deleted`;
  }),
  entry(1, { outside: "rename team", team: teamName }, ({ team }, others) => {
    const renamed = others.teamNamed(team);
    if (renamed === undefined) return undefined;
    others.teamRenames += 1;
    const name = `${team} ${others.teamRenames}`;
    others.sandbox.changeTeam(renamed.id, { name });
    return `team ${team} is renamed to ${name}`;
  }),
  // Ops Manager makes keys without a description itself.
  entry(
    1,
    { outside: "add key", slot, description: among("", "agents") },
    ({ slot, description }, { sandbox, play }, projectId) => {
      const { id } = sandbox.addAgentKey(projectId, { desc: description });
      play.onAgentKey(id);
      return `an agent API key "${description}" is made in ${slot}`;
    },
  ),
  entry(1, { outside: "delete key", slot, pick }, ({ slot, pick }, { sandbox, view }, projectId) => {
    const keyId = at([...(view().projects.get(projectId)?.agentKeys.keys() ?? [])], pick);
    if (keyId === undefined) return undefined;
    sandbox.removeAgentKey(projectId, keyId);
    return `an agent API key of ${slot} is deleted`;
  }),
  entry(
    1,
    { outside: "API key roles", slot, pick, roles: anyRoles },
    ({ slot, pick, roles }, { sandbox, apiKeyAt }, projectId) => {
      const key = apiKeyAt(pick);
      if (key === undefined || sandbox.project(projectId)?.orgId !== orgId) return undefined;
      const others = key.roles.filter(({ groupId }) => groupId !== projectId);
      const given = roles.map((roleName) => ({ groupId: projectId, roleName }));
      sandbox.changeKey(key.publicKey, { roles: [...others, ...given] });
      return `API key ${key.desc} gets ${roles.join(", ") || "no roles"} in ${slot}`;
    },
  ),
  entry(
    1,
    {
      outside: "change API key",
      pick,
      description: keyDescription,
      roles: orgRoles,
      accessList: oneIn(2, among<readonly string[]>([], ["192.0.2.9/32"])),
      /** Gets another private key, so that the one of the state works no more. */
      isRemade: oneIn(6, yes),
    },
    ({ pick, description: desc, roles, accessList, isRemade }, { sandbox, apiKeyAt }) => {
      const key = apiKeyAt(pick);
      if (key === undefined) return undefined;
      const inProjects = key.roles.filter(({ groupId }) => groupId !== undefined);
      const created = sandbox.time;
      sandbox.changeKey(key.publicKey, {
        desc,
        roles: [...roles.map((roleName) => ({ orgId, roleName })), ...inProjects],
        accessList: accessList?.map((cidrBlock) => ({ cidrBlock, created })),
        privateKey: isRemade
          ? `${"0".repeat(8)}-0000-4000-8000-${key.privateKey.slice(-12, -4)}0000`
          : undefined,
      });
      const list = accessList && ` and the access list ${accessList.join(", ") || "of no entry"}`;
      const remade = isRemade ? " and another private key" : "";
      return `API key ${key.desc} becomes ${desc} with ${roles.join(", ")}${list ?? ""}${remade}`;
    },
  ),
  entry(1, { outside: "delete API key", pick }, ({ pick }, { sandbox, apiKeyAt }) => {
    const key = apiKeyAt(pick);
    if (key === undefined) return undefined;
    sandbox.removeKey(key.publicKey);
    return `API key ${key.desc} is deleted`;
  }),
  entry(
    0,
    { outside: "add service account", inOrganization: orgRolesOfAccount, slot, roles: anyRoles },
    ({ inOrganization, slot, roles }, { sandbox, switches }, projectId) => {
      const isHere = sandbox.project(projectId)?.orgId === orgId;
      if (switches.serviceAccountLists !== "offered" || !isHere) return undefined;
      const given = [
        ...inOrganization.map((roleName) => ({ orgId, roleName })),
        ...roles.map((roleName) => ({ groupId: projectId, roleName })),
      ];
      sandbox.addServiceAccount({ name: "deploy", orgId, roles: given });
      const text = given.map(({ roleName }) => roleName).join(", ") || "no role";
      return `a service account with ${text} in the organization and ${slot} is made`;
    },
  ),
  entry(
    0,
    { outside: "service account roles", pick, slot, roles: anyRoles },
    ({ pick, slot, roles }, { sandbox, serviceAccountAt }, projectId) => {
      const account = serviceAccountAt(pick);
      if (account === undefined || sandbox.project(projectId)?.orgId !== orgId) return undefined;
      const others = account.roles.filter(({ groupId }) => groupId !== projectId);
      const given = roles.map((roleName) => ({ groupId: projectId, roleName }));
      sandbox.changeServiceAccount(account.clientId, { roles: [...others, ...given] });
      return `service account ${account.clientId} gets ${roles.join(", ") || "no roles"} in ${slot}`;
    },
  ),
  entry(0, { outside: "delete service account", pick }, ({ pick }, { sandbox, serviceAccountAt }) => {
    const account = serviceAccountAt(pick);
    if (account === undefined) return undefined;
    sandbox.removeServiceAccount(account.clientId);
    return `service account ${account.clientId} is deleted`;
  }),
  entry(
    1,
    { outside: "into organization", does: among("set roles", "invite"), person, roles: orgRolesOfPerson },
    ({ does, person, roles }, others) => {
      const { username, isMember, invitation } = others.inOrganization(person);
      if (does === "set roles") {
        others.sandbox.setOrgMember(orgId, { username }, roles);
        return `${username} is in the organization with ${roles.join(", ")}`;
      }
      if (isMember || invitation !== undefined) return undefined;
      others.sandbox.addOrgInvitation(orgId, { username, roles });
      return `${username} is invited to the organization with ${roles.join(", ")}`;
    },
  ),
  entry(
    2,
    { outside: "in organization", does: among("accept", "accept", "expire", "take back", "remove"), person },
    ({ does, person }, others) => {
      const { sandbox } = others;
      const { username, account, isMember, invitation } = others.inOrganization(person);
      if (does === "remove") {
        const projects = [...others.view().projects.values()].filter((project) => project.orgId === orgId);
        const isLast = projects.some(({ id }) => others.takesLastOwner(id, account?.id ?? "", []));
        if (!isMember || isLast) return undefined;
        sandbox.removeOrgMember(orgId, { username });
        return `${username} is removed from the organization`;
      }
      if (isMember || invitation === undefined) return undefined;
      const [text, end] = endings[does];
      end(sandbox, invitation.id);
      return `${username} is invited to the organization: ${text}`;
    },
  ),
  // Gives the person the roles back that "remove member" took.
  entry(0, { outside: "return member", slot, person }, ({ slot, person }, others, projectId) => {
    const given = others.leavers.get(`${projectId} ${others.accountOf(person)?.id}`);
    if (given === undefined) return undefined;
    return others.setMember(
      projectId,
      person,
      given,
      (name) => `${name} returns with ${given.join(", ")} in ${slot}`,
    );
  }),
] as const;

type StepOf<One> = One extends Entry<infer Fields, infer _> ? Drawn<Fields> : never;

/** Something that other people do in the service, past this provider. */
export type OutsideStep = StepOf<(typeof steps)[number]>;

const stepsFrom = (some: readonly { readonly weight: number; readonly draws: object }[]) =>
  fc.oneof(
    ...some.map(({ weight, draws }) => ({ weight, arbitrary: drawn(draws) as fc.Arbitrary<OutsideStep> })),
  );

export const outsideStep = stepsFrom(steps);

/** About what programs of worlds never declare, or only in part. */
const undeclarable: readonly string[] = [
  "map groups",
  "map groups of organization",
  "add service account",
  "service account roles",
  "delete service account",
];

export const undeclarableStep = stepsFrom(
  steps
    .filter(({ draws }) => undeclarable.includes(draws.outside))
    .map(({ draws }) => ({ weight: 1, draws })),
);

const entries = new Map<string, Pick<Entry<unknown, OutsideStep>, "act">>(
  steps.map((one) => [one.draws.outside, one]),
);

export class Outsiders {
  /** How many accounts have got another name. */
  renames = 0;
  teamRenames = 0;
  /** Roles of members who were removed, by project and account. */
  readonly leavers = new Map<string, readonly string[]>();

  constructor(
    readonly switches: Partial<Switches>,
    readonly sandbox: Sandbox,
    readonly play: Play,
  ) {}

  /** @returns what happened, or `undefined` if the step is not possible */
  act(step: OutsideStep): string | undefined {
    const projectId = "slot" in step ? this.projectIdOf(step.slot) : "";
    return projectId === undefined ? undefined : entries.get(step.outside)?.act(step, this, projectId);
  }

  readonly view = (): ServiceView => viewService(this.sandbox);

  accountOf(person: Person) {
    const id = accountIds.get(person);
    return id === undefined ? this.sandbox.user({ username: firstName(person) }) : this.sandbox.user({ id });
  }

  readonly teamNamed = (name: string) =>
    this.sandbox.state.teams.find((team) => team.orgId === orgId && team.name === name);

  /** An API key beside the provider's own. */
  readonly apiKeyAt = (pick: number) =>
    at(
      this.sandbox.state.keys.filter(({ publicKey }) => publicKey !== API_KEY),
      pick,
    );

  readonly serviceAccountAt = (pick: number) => at(this.sandbox.state.serviceAccounts, pick);

  projectIdOf(slot: Slot): string | undefined {
    const known = projectIds.get(slot);
    if (known !== undefined) return this.sandbox.project(known) && known;
    const recorded = this.play
      .state()
      .find(({ type, name }) => type === "Project" && this.play.program.slotOf(name) === slot);
    const id = recorded && String(recorded.outputs.projectId);
    return id !== undefined && this.sandbox.project(id) ? id : undefined;
  }

  inOrganization(person: Person) {
    const { sandbox } = this;
    const username = this.accountOf(person)?.username ?? firstName(person);
    const account = sandbox.user({ username });
    const isMember = account?.roles.some((role) => role.orgId === orgId) === true;
    const now = Date.parse(sandbox.time);
    const invitation = sandbox.state.invitations.find(
      (one) =>
        one.orgId === orgId && fold(one.username) === fold(username) && Date.parse(one.expiresAt) > now,
    );
    return { username, account, isMember, invitation };
  }

  newName(person: Person): string {
    this.renames += 1;
    return `${person}.${this.renames}@example.com`;
  }

  rename(id: string, username: string): string {
    const before = this.sandbox.user({ id })?.username;
    this.play.onRename(id, username);
    this.sandbox.changeUser(id, { username, emailAddress: username });
    return `account ${before} is renamed to ${username}`;
  }

  setMember(
    projectId: string,
    person: Person,
    roles: readonly string[],
    done: (name: string) => string,
  ): string | undefined {
    const account = this.accountOf(person);
    if (account === undefined || this.takesLastOwner(projectId, account.id, roles)) return undefined;
    this.sandbox.setMember(projectId, { id: account.id }, roles);
    return done(account.username);
  }

  takesLastOwner(projectId: string, account: string, roles: readonly string[]): boolean {
    const project = this.view().projects.get(projectId);
    const owners = project ? ownersOf(project) : [];
    return owners.length === 1 && owners[0] === account && !roles.includes("GROUP_OWNER");
  }
}

const asLdapMapping = <Role extends string>({ roleName, idpGroups }: IdpMapping<Role>) => ({
  roleName,
  ldapGroups: idpGroups.map((group) => `cn=${group},dc=example,dc=com`),
});
