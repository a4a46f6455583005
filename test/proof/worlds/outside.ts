/** What other people do in the service, past the provider. */
import type { Sandbox } from "../../../sandbox";
import type { Recorded } from "../engine-model";
import { accountIds, firstName, orgId, otherOrgId, projectIds } from "./beginning";
import { API_KEY } from "./oracle";
import type { Program } from "./program";
import { fold, mappingsText, ownersOf, type ServiceView, viewService } from "./service-view";
import type { IdpMapping, OutsideStep, Person, Slot, World } from "./world";

type StepOf<Name extends OutsideStep["outside"]> = Extract<OutsideStep, { readonly outside: Name }>;

interface Play {
  readonly program: Program;
  state(): readonly Recorded[];
  /** Before an account gets another name. */
  onRename(id: string, username: string): void;
  onAgentKey(id: string): void;
}

export class Outsiders {
  /** How many accounts have got another name. */
  renames = 0;
  #teamRenames = 0;
  /** Roles of members who were removed, by project and account. */
  readonly #leavers = new Map<string, readonly string[]>();

  constructor(
    private readonly world: World,
    private readonly sandbox: Sandbox,
    private readonly play: Play,
  ) {}

  accountOf(person: Person) {
    const id = accountIds.get(person);
    return id === undefined ? this.sandbox.user({ username: firstName(person) }) : this.sandbox.user({ id });
  }

  teamNamed(name: string) {
    return this.sandbox.state.teams.find((team) => team.orgId === orgId && team.name === name);
  }

  /** @returns what happened, or `undefined` if the step is not possible */
  act(step: OutsideStep): string | undefined {
    switch (step.outside) {
      case "rename account":
        return this.#rename(step);
      case "reuse name":
        return this.#reuseName(step);
      case "change API key":
      case "delete API key":
        return this.#changeKey(step);
      case "in organization":
        return this.#changeOrganization(step);
      case "team people":
      case "delete team":
      case "rename team":
        return this.#changeTeam(step);
      default: {
        const projectId = this.#projectIdOf(step.slot);
        return projectId === undefined ? undefined : this.#changeProject(projectId, step);
      }
    }
  }

  #view(): ServiceView {
    return viewService(this.sandbox);
  }

  #projectIdOf(slot: Slot): string | undefined {
    const known = projectIds.get(slot);
    if (known !== undefined) return this.sandbox.project(known) && known;
    const recorded = this.play
      .state()
      .find(({ type, name }) => type === "Project" && this.play.program.slotOf(name) === slot);
    const id = recorded && String(recorded.outputs.projectId);
    return id !== undefined && this.sandbox.project(id) ? id : undefined;
  }

  // Accounts.

  #rename({ person }: StepOf<"rename account">): string | undefined {
    const account = this.accountOf(person);
    if (account === undefined || !accountIds.has(person)) return undefined;
    return this.#renameAccount(account.id, this.#newName(person));
  }

  #reuseName({ person, by: other }: StepOf<"reuse name">): string | undefined {
    const [account, by] = [this.accountOf(person), this.accountOf(other)];
    const hasIds = accountIds.has(person) && accountIds.has(other);
    if (account === undefined || by === undefined || account.id === by.id || !hasIds) return undefined;
    const { username } = account;
    const first = this.#renameAccount(account.id, this.#newName(person));
    return `${first}; ${this.#renameAccount(by.id, username)}`;
  }

  #newName(person: Person): string {
    this.renames += 1;
    return `${person}.${this.renames}@example.com`;
  }

  #renameAccount(id: string, username: string): string {
    const before = this.sandbox.user({ id })?.username;
    this.play.onRename(id, username);
    this.sandbox.changeUser(id, { username, emailAddress: username });
    return `account ${before} is renamed to ${username}`;
  }

  // API keys, beside the provider's own.

  #apiKeyAt(pick: number) {
    const keys = this.sandbox.state.keys.filter(({ publicKey }) => publicKey !== API_KEY);
    return keys[pick % (keys.length || 1)];
  }

  #changeKey(step: StepOf<"change API key" | "delete API key">): string | undefined {
    const key = this.#apiKeyAt(step.pick);
    if (key === undefined) return undefined;
    if (step.outside === "delete API key") {
      this.sandbox.removeKey(key.publicKey);
      return `API key ${key.desc} is deleted`;
    }
    const { description: desc, roles, accessList, isRemade } = step;
    const inProjects = key.roles.filter(({ groupId }) => groupId !== undefined);
    const inOrganization = roles.map((roleName) => ({ orgId, roleName }));
    const created = this.sandbox.time;
    this.sandbox.changeKey(key.publicKey, {
      desc,
      roles: [...inOrganization, ...inProjects],
      accessList: accessList?.map((cidrBlock) => ({ cidrBlock, created })),
      privateKey: isRemade
        ? `${"0".repeat(8)}-0000-4000-8000-${key.privateKey.slice(-12, -4)}0000`
        : undefined,
    });
    const more = [
      ...(accessList === undefined ? [] : [`and the access list ${accessList.join(", ") || "of no entry"}`]),
      ...(isRemade ? ["and another private key"] : []),
    ];
    return [`API key ${key.desc} becomes ${desc} with ${roles.join(", ")}`, ...more].join(" ");
  }

  // People of the organization.

  #changeOrganization(step: StepOf<"in organization">): string | undefined {
    const { sandbox } = this;
    const { person, does } = step;
    const username = this.accountOf(person)?.username ?? firstName(person);
    const account = sandbox.user({ username });
    const isMember = account?.roles.some((role) => role.orgId === orgId) === true;
    const now = Date.parse(sandbox.time);
    const invitation = sandbox.state.invitations.find(
      (one) =>
        one.orgId === orgId && fold(one.username) === fold(username) && Date.parse(one.expiresAt) > now,
    );
    const done = (what: string) => `${username} ${what} the organization`;
    switch (does) {
      case "set roles":
        sandbox.setOrgMember(orgId, { username }, step.roles);
        return `${done("is in")} with ${step.roles.join(", ")}`;
      case "invite":
        if (isMember || invitation !== undefined) return undefined;
        sandbox.addOrgInvitation(orgId, { username, roles: step.roles });
        return `${done("is invited to")} with ${step.roles.join(", ")}`;
      case "remove": {
        const projects = [...this.#view().projects.values()].filter((project) => project.orgId === orgId);
        if (!isMember || projects.some(({ id }) => this.takesLastOwner(id, account.id, []))) return undefined;
        sandbox.removeOrgMember(orgId, { username });
        return done("is removed from");
      }
      default:
        if (isMember || invitation === undefined) return undefined;
        if (does === "accept") sandbox.acceptInvitation(invitation.id);
        else if (does === "expire") sandbox.expireInvitation(invitation.id);
        else sandbox.removeInvitation(invitation.id);
        return `${done("is invited to")}: ${endings[does]}`;
    }
  }

  // Teams.

  #changeTeam(step: StepOf<"team people" | "delete team" | "rename team">): string | undefined {
    const team = this.teamNamed(step.team);
    if (team === undefined) return undefined;
    if (step.outside === "delete team") {
      this.sandbox.removeTeam(team.id);
      return `team ${step.team} is deleted`;
    }
    if (step.outside === "rename team") {
      this.#teamRenames += 1;
      const name = `${step.team} ${this.#teamRenames}`;
      this.sandbox.changeTeam(team.id, { name });
      return `team ${step.team} is renamed to ${name}`;
    }
    const inOrg = step.people.flatMap((person) => {
      const account = this.accountOf(person);
      return account?.roles.some((role) => role.orgId === orgId) ? [account] : [];
    });
    this.sandbox.changeTeam(team.id, { userIds: inOrg.map(({ id }) => id) });
    return `the people of team ${step.team} become ${inOrg.map(({ username }) => username).join(", ") || "none"}`;
  }

  // Projects.

  takesLastOwner(projectId: string, account: string, roles: readonly string[]): boolean {
    const project = this.#view().projects.get(projectId);
    const owners = project ? ownersOf(project) : [];
    return owners.length === 1 && owners[0] === account && !roles.includes("GROUP_OWNER");
  }

  #changeProject(projectId: string, step: Extract<OutsideStep, { readonly slot: Slot }>): string | undefined {
    const { sandbox } = this;
    switch (step.outside) {
      case "team roles": {
        const team = this.teamNamed(step.team);
        if (team === undefined || sandbox.project(projectId)?.orgId !== orgId) return undefined;
        sandbox.setProjectTeam(projectId, { teamId: team.id, roleNames: step.roles });
        return `team ${step.team} gets ${step.roles.join(", ") || "no roles"} in ${step.slot}`;
      }
      case "API key roles": {
        const key = this.#apiKeyAt(step.pick);
        if (key === undefined || sandbox.project(projectId)?.orgId !== orgId) return undefined;
        const others = key.roles.filter(({ groupId }) => groupId !== projectId);
        const inProject = step.roles.map((roleName) => ({ groupId: projectId, roleName }));
        sandbox.changeKey(key.publicKey, { roles: [...others, ...inProject] });
        return `API key ${key.desc} gets ${step.roles.join(", ") || "no roles"} in ${step.slot}`;
      }
      case "add key": {
        const { id } = sandbox.addAgentKey(projectId, { desc: step.description });
        this.play.onAgentKey(id);
        return `an agent API key "${step.description}" is made in ${step.slot}`;
      }
      case "delete key": {
        const keyIds = [...(this.#view().projects.get(projectId)?.agentKeys.keys() ?? [])];
        const keyId = keyIds[step.pick % (keyIds.length || 1)];
        if (keyId === undefined) return undefined;
        sandbox.removeAgentKey(projectId, keyId);
        return `an agent API key of ${step.slot} is deleted`;
      }
      case "change tags":
        sandbox.changeProject(projectId, { tags: step.tags });
        return `tags of ${step.slot} become ${step.tags.join(", ") || "none"}`;
      case "map groups":
        return this.#mapGroups(projectId, step);
      case "rename project":
        sandbox.changeProject(projectId, { name: `${step.slot}-${step.name}` });
        return `project ${step.slot} is renamed to ${step.slot}-${step.name}`;
      case "move project":
        return this.#moveProject(projectId, step);
      default:
        return this.#changePeople(projectId, step);
    }
  }

  /** Groups of one kind decide: a project has no mappings of both. */
  #mapGroups(projectId: string, { of, slot, mappings }: StepOf<"map groups">): string | undefined {
    const { switches } = this.world;
    const isOffered = of === "ldap" ? switches.ldap === true : switches.idpMappings === "present";
    if (!isOffered) return undefined;
    this.sandbox.changeProject(
      projectId,
      of === "ldap" ? { ldapGroupMappings: mappings.map(asLdapMapping) } : { idpGroupMappings: mappings },
    );
    return `${of} groups of ${slot} become ${mappingsText(mappings) || "none"}`;
  }

  #moveProject(projectId: string, { slot }: StepOf<"move project">): string | undefined {
    const { sandbox, play } = this;
    const { orgId: current, teams } = sandbox.project(projectId) ?? {};
    // Teams belong to an organization, and the documents leave open what a move does with them.
    const hasTeams = play.program.declarations.some(({ type }) => type === "ProjectTeam");
    // An API key belongs to one organization.
    const hasKeys =
      play.program.declarations.some(({ type }) => type === "ProjectApiKey") ||
      play.state().some(({ type }) => type === "ProjectApiKey") ||
      sandbox.state.keys.some(({ roles }) => roles.some(({ groupId }) => groupId === projectId));
    if (hasTeams || hasKeys || (teams ?? []).length > 0) return undefined;
    const target = current === orgId ? otherOrgId : orgId;
    sandbox.changeProject(projectId, { orgId: target });
    return `project ${slot} is moved to organization ${target}`;
  }

  #changePeople(
    projectId: string,
    step: StepOf<
      "set member" | "remove member" | "return member" | "invite" | "accept" | "expire" | "take back"
    >,
  ): string | undefined {
    const { sandbox } = this;
    const project = this.#view().projects.get(projectId);
    if ("pick" in step) {
      const { outside, pick, slot } = step;
      const invitations = project?.invitations ?? [];
      const invitation = invitations[pick % (invitations.length || 1)];
      if (invitation === undefined) return undefined;
      if (outside === "accept") sandbox.acceptInvitation(invitation.id);
      else if (outside === "expire") sandbox.expireInvitation(invitation.id);
      else sandbox.removeInvitation(invitation.id);
      return `the invitation of ${invitation.name} to ${slot} is ${endings[outside]}`;
    }
    const account = this.accountOf(step.person);
    if (step.outside === "invite") {
      const name = account?.username ?? firstName(step.person);
      if (project?.invitations.some((invitation) => invitation.name === fold(name))) return undefined;
      if (account && project?.members.has(account.id)) return undefined;
      sandbox.addInvitation(projectId, { username: name, roles: step.roles });
      return `${name} is invited to ${step.slot} as ${step.roles.join(", ")}`;
    }
    if (account === undefined) return undefined;
    const key = `${projectId} ${account.id}`;
    if (step.outside === "remove member") {
      const roles = project?.members.get(account.id);
      if (roles === undefined || this.takesLastOwner(projectId, account.id, [])) return undefined;
      this.#leavers.set(key, roles);
      sandbox.removeMember(projectId, { id: account.id });
      return `${account.username} is removed from ${step.slot}`;
    }
    const roles = step.outside === "set member" ? step.roles : this.#leavers.get(key);
    if (roles === undefined || this.takesLastOwner(projectId, account.id, roles)) return undefined;
    sandbox.setMember(projectId, { id: account.id }, roles);
    const verb = step.outside === "set member" ? "gets" : "returns with";
    return `${account.username} ${verb} ${roles.join(", ")} in ${step.slot}`;
  }
}

const endings = { accept: "accepted", expire: "expired", "take back": "taken back" } as const;

const asLdapMapping = ({ roleName, idpGroups }: IdpMapping) => ({
  roleName,
  ldapGroups: idpGroups.map((group) => `cn=${group},dc=example,dc=com`),
});
