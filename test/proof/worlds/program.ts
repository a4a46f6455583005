/** The program of a world: what its steps declare, as the engine gets it. */
import { type Declaration, type Json, secretValue, unwrapped, type Values } from "../engine-model";
import { type Entry, matches } from "./oracle";
import type {
  DeclareMember,
  DeclareMembers,
  DeclareProject,
  People,
  Person,
  ProgramStep,
  Slot,
} from "./world";

export type DeclareStep = DeclareProject | DeclareMember | DeclareMembers;

interface Resource {
  readonly step: DeclareStep;
  name: string;
  aliases: string[];
  /** Inputs that are not references. */
  inputs: Values;
}

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
  /** Whether the service accepts LDAP group mappings. */
  readonly ldap: boolean;
}

export class Program {
  #resources: Resource[] = [];
  #renames = 0;

  constructor(private readonly surroundings: Surroundings) {}

  /** @returns what happened, or `undefined` if the step is not possible */
  apply(step: ProgramStep): string | undefined {
    if ("declare" in step) return this.#declare(step);
    if ("remove" in step) return step.remove === "all" ? this.#removeAll() : this.#remove(step.remove);
    if ("rename" in step) return this.#rename(step.rename, step.alias);
    return this.#convert(step.convert);
  }

  /** After a successful `up`: the state knows the resources by their new names. */
  forgetAliases(): void {
    for (const resource of this.#resources) resource.aliases = [];
  }

  get declarations(): readonly Declaration[] {
    const rank = { Project: 0, ProjectMember: 1, ProjectMembers: 1 };
    return [...this.#resources]
      .sort((one, other) => rank[one.step.declare] - rank[other.step.declare])
      .map(({ step, name, aliases, inputs }) => {
        const project = step.declare === "Project" ? undefined : this.#projectOf(step.slot);
        const isCreated = project !== undefined && !this.surroundings.projectIds.has(step.slot);
        return {
          name,
          type: step.declare,
          inputs,
          references: project ? { projectId: { resource: project.name, output: "projectId" } } : {},
          aliases,
          deletedWith: isCreated ? project.name : undefined,
        };
      });
  }

  slotOf(name: string): Slot | undefined {
    return this.#resources.find((resource) => resource.name === name)?.step.slot;
  }

  #projectOf(slot: Slot): Resource | undefined {
    return this.#resources.find(({ step }) => step.declare === "Project" && step.slot === slot);
  }

  #peopleOf(slot: Slot, kind?: "ProjectMember" | "ProjectMembers"): Resource[] {
    return this.#resources.filter(
      ({ step }) =>
        step.slot === slot && (kind === undefined ? step.declare !== "Project" : step.declare === kind),
    );
  }

  #declare(step: DeclareStep): string | undefined {
    const { slot } = step;
    const isExisting = this.surroundings.projectIds.has(slot);
    if (step.declare !== "Project" && !isExisting && !this.#projectOf(slot)) return undefined;
    const rival = step.declare === "ProjectMember" ? "ProjectMembers" : "ProjectMember";
    if (step.declare !== "Project" && this.#peopleOf(slot, rival).length > 0) return undefined;
    const inputs = this.#inputsOf(step);
    if (inputs === undefined) return undefined;
    const same = this.#resources.find(
      ({ step: other }) =>
        other.declare === step.declare &&
        other.slot === slot &&
        (other.declare !== "ProjectMember" || other.person === (step as DeclareMember).person),
    );
    if (same) {
      this.#resources = this.#resources.map((resource) =>
        resource === same ? { ...same, step, inputs } : resource,
      );
      return `change ${same.name}`;
    }
    const suffix = {
      Project: "",
      ProjectMember: `-${"person" in step ? step.person : ""}`,
      ProjectMembers: "-people",
    };
    this.#renames += 1;
    const taken = this.#resources.some(({ name }) => name === `${slot}${suffix[step.declare]}`);
    const name = `${slot}${suffix[step.declare]}${taken ? `-${this.#renames}` : ""}`;
    this.#resources.push({ step, name, aliases: [], inputs });
    return `add ${name}`;
  }

  #inputsOf(step: DeclareStep): Values | undefined {
    const { slot } = step;
    const { orgId, projectIds, ldap } = this.surroundings;
    const projectId = projectIds.get(slot);
    const inputs =
      step.declare === "Project"
        ? projectInputs(ldap ? step : { ...step, ldapGroupMappings: undefined }, orgId, projectId)
        : step.declare === "ProjectMember"
          ? this.#memberInputs(step)
          : this.#membersInputs(step);
    if (inputs === undefined) return undefined;
    const reference = step.declare !== "Project" && projectId !== undefined ? { projectId } : {};
    return withoutUndefined({ ...inputs, ...reference });
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

  #remove(pick: number): string | undefined {
    const resource = this.#resources[pick % (this.#resources.length || 1)];
    if (resource === undefined) return undefined;
    const { step } = resource;
    // Without the Project nothing gives the id of a created project, and an adopted one may be deleted.
    const dependents =
      step.declare === "Project" &&
      (!this.surroundings.projectIds.has(step.slot) || step.onDestroy === "delete")
        ? this.#peopleOf(step.slot)
        : [];
    this.#resources = this.#resources.filter((other) => other !== resource && !dependents.includes(other));
    return `remove ${[resource, ...dependents].map(({ name }) => name).join(", ")}`;
  }

  #removeAll(): string | undefined {
    if (this.#resources.length === 0) return undefined;
    this.#resources = [];
    return "remove all resources";
  }

  #rename(pick: number, alias: boolean): string | undefined {
    const resource = this.#resources[pick % (this.#resources.length || 1)];
    if (resource === undefined) return undefined;
    // Without an alias docs/resources/project.md requires the error that the name is taken.
    const needsAlias =
      resource.step.declare === "Project" && !this.surroundings.projectIds.has(resource.step.slot);
    this.#renames += 1;
    const former = resource.name;
    resource.name = `${former.split("~")[0]}~${this.#renames}`;
    if (alias || needsAlias) resource.aliases = [...resource.aliases, former];
    return `rename ${former} to ${resource.name}${alias || needsAlias ? " with an alias" : ""}`;
  }

  #convert(slot: Slot): string | undefined {
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

function projectInputs(
  step: Omit<DeclareProject, "ldapGroupMappings"> & {
    ldapGroupMappings?: DeclareProject["ldapGroupMappings"] | undefined;
  },
  orgId: string,
  projectId: string | undefined,
) {
  const { slot, name, tags, secretTags, ignoreTags, ldapGroupMappings, onDestroy } = step;
  const own = tags?.filter((tag) => !(ignoreTags ?? []).some((pattern) => matches([pattern], tag)));
  const given = secretTags && own ? [...own, `SECRET_${slot.toUpperCase()}_TAG`] : own;
  return {
    ...(projectId === undefined
      ? { orgId, name: `${slot}${name === undefined ? "" : `-${name}`}` }
      : { projectId, name: name === undefined ? undefined : `${slot}-${name}` }),
    tags: secretTags && given ? secretValue(given) : given,
    ignoreTags,
    ldapGroupMappings,
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
