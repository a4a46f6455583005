/** The program of a world: what its steps declare, as the engine gets it. */
import {
  type Declaration,
  type Json,
  type OutputOf,
  type ResourceType,
  secretValue,
  unwrapped,
  type Values,
} from "../engine-model";
import { type Entry, matches } from "./oracle";
import {
  type ApiKeyResource,
  type DeclareApiKey,
  type DeclareKey,
  type DeclareMember,
  type DeclareMembers,
  type DeclareOrganizationMember,
  type DeclareProject,
  type DeclareProjectKey,
  type DeclareProjectTeam,
  type DeclareTeam,
  type Misspelling,
  misspellings,
  type People,
  type Person,
  type ProgramStep,
  type Slot,
  type TeamName,
  type TeamResource,
  teamResources,
} from "./world";

export type DeclareStep =
  | DeclareProject
  | DeclareMember
  | DeclareMembers
  | DeclareTeam
  | DeclareProjectTeam
  | DeclareKey
  | DeclareApiKey
  | DeclareProjectKey
  | DeclareOrganizationMember;

/** The project that the declaration is about; `undefined` for a team or an API key of the organization. */
const slotOf = (step: DeclareStep): Slot | undefined => ("slot" in step ? step.slot : undefined);

/** The project whose first name the Project has, and on whose resource it depends. */
const takes = (step: DeclareStep): Slot | undefined =>
  step.declare === "Project" && step.takes !== step.slot ? step.takes : undefined;

const isFirst = (step: DeclareStep): boolean => step.first === true && takes(step) === undefined;

interface Resource {
  readonly step: DeclareStep;
  name: string;
  aliases: string[];
  /** Inputs that are not references. */
  inputs: Values;
  /** IDs that are texts and no references. */
  texts?: Values | undefined;
  /** The inputs without a misspelled name, until that is mended. */
  meant?: Values | undefined;
}

/** The key of another program. It exists when the world begins. */
export const FOREIGN_KEY = { id: "5f0000000000000000000f01", publicKey: "theirkey", desc: "theirs" };

export interface Surroundings {
  readonly orgId: string;
  /** Name of the owner of the organization. */
  readonly ownerName: string;
  /** Ids of the projects that existed before. */
  readonly projectIds: ReadonlyMap<Slot, string>;
  /** The name that the person had when the world began. */
  firstName(person: Person): string;
  currentName(person: Person): string;
  /** `undefined` while the person has no account. */
  userId(person: Person): string | undefined;
  /** Ids of the teams that existed before. */
  readonly teamIds: ReadonlyMap<TeamName, string>;
  /** Whether the service accepts LDAP group mappings. Such a service has no teams. */
  readonly ldap: boolean;
  /** Whether the service has the groups of an identity provider. */
  readonly idp: boolean;
  /** An output of a resource in the state. */
  outputOf(reference: OutputOf): Json | undefined;
}

export class Program {
  #resources: Resource[] = [];
  #renames = 0;

  constructor(private readonly surroundings: Surroundings) {}

  /** @returns what happened, or `undefined` if the step is not possible */
  apply(step: ProgramStep): string | undefined {
    if ("declare" in step) return this.#declare(step);
    if ("remove" in step)
      return step.remove === "all" ? this.#removeAll() : this.#remove(step.remove, step.alone === true);
    if ("rename" in step) return this.#rename(step.rename, step.alias);
    if ("exchange" in step) return this.#exchange(step.exchange, step.with);
    if ("misspell" in step) return this.#misspell(step.misspell, step.as);
    return this.#convert(step.convert);
  }

  /** After a successful `up`: the state knows the resources by their new names. */
  forgetAliases(): void {
    for (const resource of this.#resources) resource.aliases = [];
  }

  get declarations(): readonly Declaration[] {
    const rank = {
      Project: 0,
      Team: 1,
      ApiKey: 1,
      OrganizationMember: 1,
      ProjectTeam: 2,
      ProjectApiKey: 2,
      AgentApiKey: 3,
      ProjectMember: 4,
      ProjectMembers: 4,
    } as const;
    const orderOf = (step: DeclareStep) =>
      rank[step.declare] * 2 + (isFirst(step) ? 0 : takes(step) ? 1.5 : 1);
    return [...this.#resources]
      .sort((one, other) => orderOf(one.step) - orderOf(other.step))
      .map((resource) => this.#declarationOf(resource));
  }

  #declarationOf(resource: Resource): Declaration {
    const { step, name, aliases, inputs, texts = {} } = resource;
    const slot = slotOf(step);
    const all = this.#referencesOf(step);
    const references = Object.fromEntries(Object.entries(all).filter(([input]) => !(input in texts)));
    const isCreated = slot !== undefined && !this.surroundings.projectIds.has(slot);
    const before = this.#resources.filter(
      (other) => other.step.declare === step.declare && isFirst(other.step) && !isFirst(step),
    );
    const taken = takes(step);
    const giver = taken && this.#projectOf(taken);
    // The engine replaces what refers to a resource that it deletes first, and the model does not.
    const isReferred = this.#referrersOf(resource).length > 0;
    const { deleteBeforeReplace, replaceOnChanges, ...others } = step.options ?? {};
    const options = isReferred ? others : step.options;
    const given = { ...inputs, ...texts };
    return {
      name,
      type: step.declare,
      inputs: given,
      references,
      aliases,
      deletedWith: isCreated ? references.projectId?.resource : undefined,
      options,
      dependsOn: [...new Set([...before, ...(giver ? [giver] : [])])].map((other) => other.name),
      unknown: step.unknown !== undefined && step.unknown in given ? [step.unknown] : [],
    };
  }

  /** The inputs that are outputs of other resources of the program. */
  #referencesOf(step: DeclareStep): Record<string, OutputOf> {
    const slot = slotOf(step);
    const project = slot === undefined || step.declare === "Project" ? undefined : this.#projectOf(slot);
    const team = step.declare === "ProjectTeam" ? this.#teamOf(step.of) : undefined;
    const key = step.declare === "ProjectApiKey" ? this.#apiKeyOf(step.of) : undefined;
    return {
      ...(project && { projectId: { resource: project.name, output: "projectId" } }),
      ...(team && { teamId: { resource: team.name, output: "teamId" } }),
      ...(key && { keyId: { resource: key.name, output: "keyId" } }),
    };
  }

  #referrersOf({ name }: Resource): Resource[] {
    return this.#resources.filter(({ step, texts = {} }) =>
      Object.entries(this.#referencesOf(step)).some(
        ([input, { resource }]) => resource === name && !(input in texts),
      ),
    );
  }

  /** The IDs of the references as they are now; `undefined` if one is not known. */
  #asTexts(step: DeclareStep): Values | undefined {
    const { outputOf } = this.surroundings;
    const ids = Object.entries(this.#referencesOf(step)).map(([input, reference]) => [
      input,
      outputOf(reference),
    ]);
    const isKnown = ids.length > 0 && ids.every(([, id]) => id !== undefined);
    return isKnown ? Object.fromEntries(ids) : undefined;
  }

  /** Resources with a misspelled name. */
  get misspelled(): readonly string[] {
    return this.#resources.filter(({ meant }) => meant !== undefined).map(({ name }) => name);
  }

  /** Mends all misspelled names. @returns which resources had one */
  respell(): string | undefined {
    const names = this.misspelled;
    this.#resources = this.#resources.map(({ meant, ...resource }) =>
      meant === undefined ? resource : { ...resource, inputs: meant },
    );
    return names.length === 0 ? undefined : `mend the name in ${names.join(", ")}`;
  }

  slotOf(name: string): Slot | undefined {
    const step = this.stepOf(name);
    return step && slotOf(step);
  }

  stepOf(name: string): DeclareStep | undefined {
    return this.#resources.find((resource) => resource.name === name)?.step;
  }

  /** Adds a resource with exactly these inputs, which `pulumi import` has printed. */
  addImported(step: DeclareStep, inputs: Values, name: string): void {
    this.#resources.push({ step, name, aliases: [], inputs });
  }

  /** Whether the program can have the declaration, and does not have one of its name. */
  canImport(step: DeclareStep): boolean {
    return this.#isPossible(step) && this.#sameAs(step) === undefined;
  }

  #teamOf(of: TeamResource | TeamName): Resource | undefined {
    return this.#resources.find(({ step }) => step.declare === "Team" && step.resource === of);
  }

  #apiKeyOf(of: ApiKeyResource | "theirs"): Resource | undefined {
    return this.#resources.find(({ step }) => step.declare === "ApiKey" && step.resource === of);
  }

  #projectOf(slot: Slot): Resource | undefined {
    return this.#resources.find(({ step }) => step.declare === "Project" && step.slot === slot);
  }

  #peopleOf(slot: Slot, kind?: "ProjectMember" | "ProjectMembers"): Resource[] {
    return this.#resources.filter(
      ({ step }) =>
        slotOf(step) === slot && (kind === undefined ? step.declare !== "Project" : step.declare === kind),
    );
  }

  #isPossible(step: DeclareStep): boolean {
    const { projectIds, ldap } = this.surroundings;
    if (ldap && (step.declare === "Team" || step.declare === "ProjectTeam")) return false;
    if (!("slot" in step) || step.declare === "Project") return true;
    const isKnown = this.#sameAs(step)?.texts?.projectId !== undefined;
    if (!projectIds.has(step.slot) && !this.#projectOf(step.slot) && !isKnown) return false;
    if (step.declare === "ProjectTeam") {
      return !(teamResources as readonly string[]).includes(step.of) || this.#teamOf(step.of) !== undefined;
    }
    if (step.declare === "ProjectApiKey") {
      return step.of === "theirs" || this.#apiKeyOf(step.of) !== undefined;
    }
    if (step.declare === "AgentApiKey") return true;
    const rival = step.declare === "ProjectMember" ? "ProjectMembers" : "ProjectMember";
    return this.#peopleOf(step.slot, rival).length === 0;
  }

  #sameAs(step: DeclareStep): Resource | undefined {
    return this.#resources.find((resource) => keyOf(resource.step) === keyOf(step));
  }

  nameFor(step: DeclareStep): string {
    this.#renames += 1;
    const taken = this.#resources.some(({ name }) => name === keyOf(step));
    return `${keyOf(step)}${taken ? `-${this.#renames}` : ""}`;
  }

  #declare(step: DeclareStep): string | undefined {
    if (!this.#isPossible(step)) return undefined;
    const inputs = this.#inputsOf(step);
    if (inputs === undefined) return undefined;
    const same = this.#sameAs(step);
    // What the program no longer has cannot be referred to.
    const known = Object.keys(this.#referencesOf(step)).length === 0 ? same?.texts : undefined;
    const texts = step.asText ? this.#asTexts(step) : known;
    const how = texts === undefined ? "" : ` with ${Object.keys(texts).join(" and ")} as text`;
    if (same) {
      this.#resources = this.#resources.map((resource) =>
        resource === same ? { name: same.name, aliases: same.aliases, step, inputs, texts } : resource,
      );
      return `change ${same.name}${how}`;
    }
    const name = this.nameFor(step);
    this.#resources.push({ step, name, aliases: [], inputs, texts });
    return `add ${name}${how}`;
  }

  #inputsOf(step: DeclareStep): Values | undefined {
    const { orgId, projectIds, ldap, idp } = this.surroundings;
    if (step.declare === "Team") return this.#teamInputs(step);
    if (step.declare === "ApiKey") {
      const { description, roles, accessList, onDestroy } = step;
      return withoutUndefined({ orgId, description, roles, accessList, onDestroy });
    }
    if (step.declare === "OrganizationMember") {
      const { person, roles, onDestroy } = step;
      return withoutUndefined({
        orgId,
        username: this.surroundings.currentName(person),
        roles,
        onDestroy,
      });
    }
    const projectId = projectIds.get(step.slot);
    const given = projectId === undefined ? {} : { projectId };
    if (step.declare === "ProjectTeam") {
      const { of, roles, onDestroy } = step;
      const named = (teamResources as readonly string[]).includes(of) ? {} : { teamName: of };
      return withoutUndefined({ ...given, ...named, roles, onDestroy });
    }
    if (step.declare === "ProjectApiKey") {
      const { of, roles, onDestroy } = step;
      const named = of === "theirs" ? { publicKey: FOREIGN_KEY.publicKey } : {};
      return withoutUndefined({ ...given, ...named, roles, onDestroy });
    }
    if (step.declare === "AgentApiKey") {
      const { description, onDestroy } = step;
      return withoutUndefined({ ...given, description, onDestroy });
    }
    const inputs =
      step.declare === "Project"
        ? projectInputs(step, { ldap, idp, orgId }, projectId)
        : step.declare === "ProjectMember"
          ? this.#memberInputs(step)
          : this.#membersInputs(step);
    if (inputs === undefined) return undefined;
    return withoutUndefined({ ...inputs, ...(step.declare === "Project" ? {} : given) });
  }

  #teamInputs({ team, people, adopts, removeUnlisted, maxRemovals, onDestroy }: DeclareTeam): Values {
    const { orgId, teamIds, currentName } = this.surroundings;
    const teamId = adopts ? teamIds.get(team) : undefined;
    const usernames = people.map(currentName).sort();
    return withoutUndefined({
      orgId,
      name: team,
      teamId,
      usernames,
      removeUnlisted,
      maxRemovals,
      onDestroy,
    });
  }

  #memberInputs({ person, by, roles, onDestroy }: DeclareMember) {
    const { firstName, currentName, userId: idOf } = this.surroundings;
    const userId = by === "userId" || by === "current name and userId" ? idOf(person) : undefined;
    if (by === "userId" && userId === undefined) return undefined;
    const username =
      by === "userId" ? undefined : by === "username" ? firstName(person) : currentName(person);
    // Without an id roles are required.
    if (userId === undefined && roles === undefined) return undefined;
    return { username, userId, roles, onDestroy };
  }

  #membersInputs({ people, withoutOwner, ...settings }: DeclareMembers) {
    const { currentName, ownerName } = this.surroundings;
    const { ignoreUsers = [], removeUnlisted, maxRemovals, onDestroy } = settings;
    const all = [
      ...Object.entries(people).map(([person, roles]) => [currentName(person as Person), roles] as const),
      ...(withoutOwner ? [] : [[ownerName, ["GROUP_OWNER"]] as const]),
    ];
    const members = Object.fromEntries(all.filter(([name]) => !matches(ignoreUsers, name)));
    if (Object.keys(members).length === 0) return undefined;
    return {
      members,
      ignoreUsers: settings.ignoreUsers,
      maxRemovals,
      removeUnlisted,
      onDestroy,
    };
  }

  #remove(pick: number | ResourceType, isAlone: boolean): string | undefined {
    const resource =
      typeof pick === "number"
        ? this.#resources[pick % (this.#resources.length || 1)]
        : this.#resources.findLast(({ step: { declare } }) => declare === pick);
    if (resource === undefined) return undefined;
    const { step } = resource;
    const referrers = this.#referrersOf(resource);
    const texts = new Map(isAlone ? referrers.map((one) => [one, this.#asTexts(one.step)]) : []);
    const staying = referrers.filter((one) => texts.get(one) !== undefined);
    // A Project that exists without the program has an ID that its people have as well.
    const isGiven = (slot: Slot) => this.surroundings.projectIds.has(slot);
    const isUnharmed = step.declare === "Project" && isGiven(step.slot) && step.onDestroy !== "delete";
    const dependents = isUnharmed ? [] : referrers.filter((one) => !staying.includes(one));
    this.#resources = this.#resources
      .filter((other) => other !== resource && !dependents.includes(other))
      .map((other) =>
        staying.includes(other) ? { ...other, texts: { ...other.texts, ...texts.get(other) } } : other,
      );
    const kept = staying.length === 0 ? "" : `, and keep ${staying.map(({ name }) => name).join(", ")}`;
    return `remove ${[resource, ...dependents].map(({ name }) => name).join(", ")}${kept}`;
  }

  /** In the first name that the resource has. */
  #misspell(pick: number, as: Misspelling): string | undefined {
    const resource = this.#resources[pick % (this.#resources.length || 1)];
    if (resource === undefined || resource.meant !== undefined) return undefined;
    const { inputs } = resource;
    const misspell = misspellings[as];
    const { username, usernames, members, name } = inputs;
    const changed =
      typeof username === "string"
        ? { username: misspell(username) }
        : Array.isArray(usernames)
          ? { usernames: usernames.map((one, index) => (index === 0 ? misspell(String(one)) : one)).sort() }
          : typeof members === "object" && members !== null
            ? {
                members: Object.fromEntries(
                  Object.entries(members).map(([one, roles], index) => [
                    index === 0 ? misspell(one) : one,
                    roles,
                  ]),
                ),
              }
            : typeof name === "string"
              ? { name: misspell(name) }
              : {};
    const wrong = { ...inputs, ...changed };
    if (JSON.stringify(wrong) === JSON.stringify(inputs)) return undefined;
    this.#resources = this.#resources.map((other) =>
      other === resource ? { ...resource, inputs: wrong, meant: inputs } : other,
    );
    return `a name in ${resource.name} gets a ${as}`;
  }

  #removeAll(): string | undefined {
    if (this.#resources.length === 0) return undefined;
    this.#resources = [];
    return "remove all resources";
  }

  #rename(pick: number, alias: boolean): string | undefined {
    const resource = this.#resources[pick % (this.#resources.length || 1)];
    if (resource === undefined) return undefined;
    // Without an alias docs/resources/project.md requires the error that the name is taken. An
    // imported project has no `projectId`.
    const needsAlias = resource.step.declare === "Project" && resource.inputs.projectId === undefined;
    this.#renames += 1;
    const former = resource.name;
    resource.name = `${former.split("~")[0]}~${this.#renames}`;
    if (alias || needsAlias) resource.aliases = [...resource.aliases, former];
    return `rename ${former} to ${resource.name}${alias || needsAlias ? " with an alias" : ""}`;
  }

  #exchange(pick: number, other: number): string | undefined {
    const one = this.#resources[pick % (this.#resources.length || 1)];
    const same = this.#resources.filter(
      ({ step }) => step.declare === one?.step.declare && slotOf(step) === slotOf(one.step),
    );
    const two = same[other % (same.length || 1)];
    if (one === undefined || two === undefined || one === two) return undefined;
    if (one.step.declare === "Project") return undefined;
    const [first, second] = [exchanged(one, two), exchanged(two, one)];
    this.#resources = this.#resources.map((resource) =>
      resource === one ? first : resource === two ? second : resource,
    );
    return `${one.name} and ${two.name} exchange their inputs`;
  }

  #convert(slot: Slot): string | undefined {
    if (!this.surroundings.projectIds.has(slot) && !this.#projectOf(slot)) return undefined;
    const single = this.#peopleOf(slot, "ProjectMember");
    const [whole] = this.#peopleOf(slot, "ProjectMembers");
    if (whole !== undefined) {
      const { people, onDestroy: _ } = whole.step as DeclareMembers;
      this.#resources = this.#resources.filter((resource) => resource !== whole);
      for (const [person, roles] of Object.entries(people)) {
        this.#declare({
          declare: "ProjectMember",
          slot,
          person: person as Person,
          by: "current name",
          roles,
        });
      }
      return `people of ${slot} to ProjectMember`;
    }
    if (single.length === 0) return undefined;
    const steps = single.map(({ step }) => step as DeclareMember);
    if (steps.some(({ roles }) => roles === undefined)) return undefined;
    this.#resources = this.#resources.filter((resource) => !single.includes(resource));
    const people: People = Object.fromEntries(steps.map(({ person, roles }) => [person, roles]));
    this.#declare({ declare: "ProjectMembers", slot, people });
    return `people of ${slot} to ProjectMembers`;
  }
}

/** What makes two declarations the same resource. Also its first name. */
function keyOf(step: DeclareStep): string {
  switch (step.declare) {
    case "Project":
      return step.slot;
    case "ProjectMember":
      return `${step.slot}-${step.person}`;
    case "ProjectMembers":
      return `${step.slot}-people`;
    case "Team":
      return `team-${step.resource}`;
    case "ProjectTeam":
      return `${step.slot}-team-${step.of.replace(" ", "-")}`;
    case "AgentApiKey":
      return `${step.slot}-key-${step.key}`;
    case "ApiKey":
      return `api-key-${step.resource}`;
    case "ProjectApiKey":
      return `${step.slot}-api-key-${step.of}`;
    case "OrganizationMember":
      return `person-${step.person}`;
  }
}

/** The resource with the inputs of another one. A team or a key keeps its name, because other resources refer to it. */
function exchanged({ name, aliases, step: own }: Resource, other: Resource): Resource {
  const { step } = other;
  const resource = { ...other, name, aliases };
  if (own.declare === "Team" && step.declare === "Team")
    return { ...resource, step: { ...step, resource: own.resource } };
  if (own.declare === "ApiKey" && step.declare === "ApiKey")
    return { ...resource, step: { ...step, resource: own.resource } };
  return resource;
}

function projectInputs(
  step: DeclareProject,
  { ldap, idp, orgId }: Pick<Surroundings, "ldap" | "idp" | "orgId">,
  projectId: string | undefined,
) {
  const { slot, name, tags, secretTags, ignoreTags, ldapGroupMappings, idpGroupMappings, onDestroy } = step;
  const own = tags?.filter((tag) => !(ignoreTags ?? []).some((pattern) => matches([pattern], tag)));
  const given = secretTags && own ? [...own, `SECRET_${slot.toUpperCase()}_TAG`] : own;
  return {
    ...(projectId === undefined
      ? { orgId, name: `${takes(step) ?? slot}${name === undefined ? "" : `-${name}`}` }
      : { projectId, name: name === undefined ? undefined : `${slot}-${name}` }),
    tags: secretTags && given ? secretValue(given) : given,
    ignoreTags,
    ldapGroupMappings: ldap ? ldapGroupMappings : undefined,
    // A project has mappings of one kind.
    idpGroupMappings: idp && !(ldap && ldapGroupMappings) ? idpGroupMappings : undefined,
    onDestroy,
  };
}

function withoutUndefined(values: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
    string,
    Json
  >;
}

/** The people whom a resource declares, in the project with this id. */
export function entriesOf(resource: string, type: string, values: Values, projectId: string): Entry[] {
  const inputs = unwrapped(values) as Values;
  if (type === "ProjectMember") {
    const { userId, username, roles } = inputs as Partial<Entry>;
    return [{ resource, projectId, userId, username, roles }];
  }
  if (type !== "ProjectMembers") return [];
  return Object.entries(inputs.members as Record<string, readonly string[]>).map(([username, roles]) => ({
    resource,
    projectId,
    username,
    roles,
  }));
}
