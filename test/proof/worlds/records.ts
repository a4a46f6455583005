/** What the declarations of a program and the records of the state say. */
import { type Declaration, type Recorded, unwrapped, type Values } from "../engine-model";
import { isOver } from "./days";
import { fold, type ServiceView } from "./service-view";

/** Whether the record is of the declaration, by the present name of the resource or by an earlier one. */
export const isRecordOf = (
  { name, aliases }: Pick<Declaration, "name" | "aliases">,
  recorded: Pick<Recorded, "name">,
): boolean => recorded.name === name || aliases.includes(recorded.name);

/** An ignored property keeps the recorded value. */
export const ignores = ({ options }: Pick<Declaration, "options">, property: string): boolean =>
  options?.ignoreChanges?.includes(property) ?? false;

export const mayBeReplaced = ({ options }: Declaration): boolean => options?.replaceOnChanges !== undefined;

export const isDeletedFirst = ({ options }: Declaration): boolean => options?.deleteBeforeReplace === true;

/** A list of texts, such as `usernames` or `roles`; empty if there is none. */
export const textsIn = (values: Values, property: string): readonly string[] =>
  unwrapped(values[property] ?? []) as readonly string[];

/** Last days; of a list with the person of each. */
export function daysIn({ until }: Values): readonly (readonly [day: string, person?: string])[] {
  const days = unwrapped(until ?? {});
  if (typeof days === "string") return [[days]];
  return Object.entries(days as Readonly<Record<string, string>>).map(([person, day]) => [day, person]);
}

/** Those that are over by this machine's clock. */
export const daysOverIn = (inputs: Values) => daysIn(inputs).filter(([day]) => isOver(day, Date.now()));

/** The inputs without people of a list whose last day is over: as if they had left the program. */
export function lasting(inputs: Values): Values {
  const over = new Set(daysOverIn(inputs).map(([, person = ""]) => fold(person)));
  const { members, usernames } = inputs;
  return {
    ...inputs,
    ...(usernames !== undefined && {
      usernames: textsIn(inputs, "usernames").filter((name) => !over.has(fold(name))),
    }),
    ...(members !== undefined && {
      members: Object.fromEntries(
        Object.entries(unwrapped(members) as Values).filter(([name]) => !over.has(fold(name))),
      ),
    }),
  };
}

/** What is recorded of the end of a person of a list, or of a whole access. */
export interface RecordedEnd {
  readonly userId?: string;
  readonly endedAt?: string;
  readonly overdueReason?: string;
}

export function recordedEnd({ outputs }: Pick<Recorded, "outputs">, person: string | undefined): RecordedEnd {
  if (person === undefined) return outputs as RecordedEnd;
  const ends = unwrapped(outputs.ends ?? []) as unknown as readonly (RecordedEnd & { username: string })[];
  return ends.find(({ username }) => fold(username) === fold(person)) ?? {};
}

/** Whether an update has tried to end the access, or ended it. */
export function isEndRecorded(record: Pick<Recorded, "outputs">, person: string | undefined): boolean {
  const { endedAt, overdueReason } = recordedEnd(record, person);
  return endedAt !== undefined || overdueReason !== undefined;
}

/**
 * Whether a record ends the account, which is recorded of those who were there once, and else has one of the names. What leaves
 * the program is destroyed by its record.
 */
export const isEndedIn = (
  records: readonly Recorded[],
  program: readonly Declaration[],
  { id, names }: { readonly id: string; readonly names: ReadonlySet<string> },
): boolean =>
  records.some((record) => {
    const { inputs } = program.find((one) => isRecordOf(one, record)) ?? record;
    return daysOverIn(inputs).some(([, person]) => {
      const { userId } = recordedEnd(record, person);
      return userId === undefined ? names.has(fold(person ?? "")) : userId === id;
    });
  });

/** Someone in the record of a ProjectMembers or a Team. */
export interface RecordedPerson {
  readonly username: string;
  readonly userId?: string;
  readonly status?: string;
  readonly roles?: readonly string[];
  readonly declared: boolean;
  /** The name in the program, where the account has been renamed since. */
  readonly declaredAs?: string;
}

export const peopleIn = ({ outputs }: Pick<Recorded, "outputs">): readonly RecordedPerson[] =>
  unwrapped(outputs.memberDetails ?? outputs.people ?? []) as unknown as readonly RecordedPerson[];

/** The roles of an account that the record of its member, or of the list, has as those of teams. */
export function teamRolesIn(record: Pick<Recorded, "outputs">, account: string): readonly string[] {
  const all: readonly Values[] = [record.outputs, ...(peopleIn(record) as unknown as readonly Values[])];
  return all.filter(({ userId }) => userId === account).flatMap((one) => textsIn(one, "teamRoles"));
}

/** Patterns with which the resource was recorded before. */
export function formerPatterns(state: readonly Recorded[], declaration: Declaration): readonly string[] {
  const property = patternsOf(declaration.type);
  return state
    .filter((resource) => resource.type === declaration.type && isRecordOf(declaration, resource))
    .flatMap(({ inputs, outputs }) => [...textsIn(outputs, property), ...textsIn(inputs, property)]);
}

export const patternsOf = (type: string): "ignoreTags" | "ignoreUsers" =>
  type === "Project" ? "ignoreTags" : "ignoreUsers";

const identifying = "name teamId teamName keyId publicKey userId username invitationId".split(" ");

/** By what these inputs and outputs name objects and people, and by what else the service knows them. */
export function identitiesIn(
  all: readonly Values[],
  { before, after }: { readonly before: ServiceView; readonly after: ServiceView },
): Set<string> {
  const texts = all.flatMap((values) => [
    ...identifying.map((property) => unwrapped(values[property] ?? null)),
    ...textsIn(values, "usernames"),
    ...Object.keys(Object(unwrapped(values.members ?? {}))),
    ...peopleIn({ outputs: values }).flatMap(({ userId, username }) => [userId, username]),
  ]);
  const found = new Set(texts.flatMap((text) => (typeof text === "string" ? [fold(text)] : [])));
  for (const { teams, apiKeys, names, projects } of [before, after]) {
    const invitations = [...projects.values()].flatMap((project) => project.invitations);
    for (const alike of [
      ...[...teams.values()].map(({ id, name }) => [id, fold(name)]),
      ...[...apiKeys.values()].map(({ id, publicKey }) => [id, publicKey]),
      ...[...names],
      ...invitations.map(({ id, name, account = name }) => [id, name, account]),
    ])
      if (alike.some((one) => found.has(one))) for (const one of alike) found.add(one);
  }
  return found;
}
