/** The program of a world: what its steps declare, as the engine gets it. */
import {
  type Declaration,
  type Json,
  type OutputOf,
  type ResourceType,
  unwrapped,
  type Values,
} from "../engine-model";
import { at } from "./draws";
import {
  type Declare,
  type DeclareStep,
  endsInOrganization,
  inputsOf,
  nameOf,
  rankOf,
  referencesOf,
  type Surroundings,
  takenBy,
} from "./kinds";
import { type Misspelling, misspellings, type People, type Person, type Slot } from "./names";
import type { Entry } from "./oracle";
import { daysIn } from "./records";
import { fold } from "./service-view";
import type { ProgramStep } from "./world";

/** The project that the declaration is about; `undefined` for a team or an API key of the organization. */
const slotOf = (step: DeclareStep): Slot | undefined => ("slot" in step ? step.slot : undefined);

const isFirst = (step: DeclareStep): boolean =>
  step.first === true && takenBy(step) === undefined && !endsInOrganization(step);

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

export class Program {
  #resources: Resource[] = [];
  #renames = 0;

  constructor(
    private readonly surroundings: Surroundings & {
      /** An output of a resource in the state. */
      outputOf(reference: OutputOf): Json | undefined;
    },
  ) {}

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
    const orderOf = (step: DeclareStep) => rankOf(step) * 2 + (isFirst(step) ? 0 : takenBy(step) ? 1.5 : 1);
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
    const taken = takenBy(step);
    const giver = taken && this.#named(taken);
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
    return Object.fromEntries(
      Object.entries(referencesOf(step)).flatMap(([input, first]) => {
        const referred = this.#named(first);
        return referred ? [[input, { resource: referred.name, output: input }]] : [];
      }),
    );
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
    return this.#isPossible(step) && this.#named(nameOf(step)) === undefined;
  }

  /** @param first the name that it had at first */
  #named(first: string): Resource | undefined {
    return this.#resources.find(({ step }) => nameOf(step) === first);
  }

  #peopleOf(slot: Slot, kind: "ProjectMember" | "ProjectMembers"): Resource[] {
    return this.#resources.filter(({ step }) => step.declare === kind && step.slot === slot);
  }

  #isPossible(step: DeclareStep): boolean {
    const { projectIds, ldap } = this.surroundings;
    const { declare } = step;
    if (ldap && (declare === "Team" || declare === "ProjectTeam")) return false;
    if (!("slot" in step) || declare === "Project") return true;
    const isGiven = projectIds.has(step.slot) || this.#named(nameOf(step))?.texts?.projectId !== undefined;
    const missing = Object.entries(referencesOf(step)).filter(([, first]) => !this.#named(first));
    if (missing.some(([input]) => input !== "projectId" || !isGiven)) return false;
    if (declare === "ProjectMember") return this.#peopleOf(step.slot, "ProjectMembers").length === 0;
    return declare !== "ProjectMembers" || this.#peopleOf(step.slot, "ProjectMember").length === 0;
  }

  nameFor(step: DeclareStep): string {
    this.#renames += 1;
    const first = nameOf(step);
    const taken = this.#resources.some(({ name }) => name === first);
    return `${first}${taken ? `-${this.#renames}` : ""}`;
  }

  #declare(step: DeclareStep): string | undefined {
    if (!this.#isPossible(step)) return undefined;
    const inputs = withoutUndefined(inputsOf(step, this.surroundings));
    if (inputs === undefined) return undefined;
    const same = this.#named(nameOf(step));
    // What the program no longer has cannot be referred to.
    const known = Object.keys(this.#referencesOf(step)).length === 0 ? same?.texts : undefined;
    const texts = (step.asText ? this.#asTexts(step) : undefined) ?? known;
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

  #remove(pick: number | ResourceType, isAlone: boolean): string | undefined {
    const resource =
      typeof pick === "number"
        ? at(this.#resources, pick)
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
    const resource = at(this.#resources, pick);
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
    const resource = at(this.#resources, pick);
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
    const one = at(this.#resources, pick);
    const same = this.#resources.filter(
      ({ step }) => step.declare === one?.step.declare && slotOf(step) === slotOf(one.step),
    );
    const two = at(same, other);
    if (one === undefined || two === undefined || one === two) return undefined;
    if (one.step.declare === "Project") return undefined;
    const [first, second] = [exchanged(one, two), exchanged(two, one)];
    this.#resources = this.#resources.map((resource) =>
      resource === one ? first : resource === two ? second : resource,
    );
    return `${one.name} and ${two.name} exchange their inputs`;
  }

  #convert(slot: Slot): string | undefined {
    if (!this.surroundings.projectIds.has(slot) && !this.#named(slot)) return undefined;
    const single = this.#peopleOf(slot, "ProjectMember");
    const [whole] = this.#peopleOf(slot, "ProjectMembers");
    if (whole !== undefined) {
      const { people } = whole.step as Declare<"ProjectMembers">;
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
    const steps = single.map(({ step }) => step as Declare<"ProjectMember">);
    if (steps.some(({ roles }) => roles === undefined)) return undefined;
    this.#resources = this.#resources.filter((resource) => !single.includes(resource));
    const people: People = Object.fromEntries(steps.map(({ person, roles }) => [person, roles]));
    this.#declare({ declare: "ProjectMembers", slot, people });
    return `people of ${slot} to ProjectMembers`;
  }
}

/** The resource with the inputs of another one. A team or a key keeps its name, because other resources refer to it. */
function exchanged({ name, aliases, step: own }: Resource, other: Resource): Resource {
  const kept = "resource" in own ? { resource: own.resource } : {};
  return { ...other, name, aliases, step: { ...other.step, ...kept } };
}

function withoutUndefined(values: Readonly<Record<string, unknown>> | undefined): Values | undefined {
  if (values === undefined) return undefined;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Record<
    string,
    Json
  >;
}

/** The people whom a resource declares, in the project with this id. */
export function entriesOf(resource: string, type: string, values: Values, projectId: string): Entry[] {
  const inputs = unwrapped(values) as Values;
  if (type === "ProjectMember") {
    const { userId, username, roles, until } = inputs as Partial<Entry>;
    return [{ resource, projectId, userId, username, roles, until }];
  }
  if (type !== "ProjectMembers") return [];
  const days = new Map(daysIn(inputs).map(([day, person = ""]) => [fold(person), day]));
  return Object.entries(inputs.members as Record<string, readonly string[]>).map(([username, roles]) => ({
    resource,
    projectId,
    username,
    roles,
    until: days.get(fold(username)),
  }));
}
