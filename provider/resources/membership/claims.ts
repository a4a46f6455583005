/**
 * Who declares which person in this operation, so that no Delete removes somebody whom another resource holds, and so that two
 * resources never undo each other's work.
 */
import type { CheckFailure, Context } from "../resource";
import type { Session } from "../session";
import { foldName, type Identity, nameOf } from "./membership";

type Claimant = Pick<Context, "session" | "urn">;

/** Claims the person under everything that is known of them. @returns another resource that had claimed them */
export function claimPerson(claimant: Claimant, projectId: string, who: Identity): string | undefined {
  const others = personKeys(projectId, who).map((key) => claim(key, claimant));
  return others.find((other) => other !== undefined);
}

/** Who came first holds it: a second declaration fails, and does not make the first one fail as well. */
function claim(key: string, { session, urn }: Claimant): string | undefined {
  const holder = session.ownerOf(key);
  if (holder === undefined) session.claim(key, urn);
  return holder === urn ? undefined : holder;
}

/** The resource of this operation's program that declares the person, under any of these identities. */
export function declarerOf(
  session: Session,
  projectId: string,
  ...people: readonly Identity[]
): string | undefined {
  return ownerOfAny(
    session,
    people.flatMap((who) => personKeys(projectId, who)),
  );
}

/** The resource that may declare the person, so that nothing removes them. */
export function protectorOf(
  session: Session,
  projectId: string,
  ...people: readonly Identity[]
): string | undefined {
  const unverified = people.flatMap((who) => unverifiedKeys(projectId, who));
  return declarerOf(session, projectId, ...people) ?? ownerOfAny(session, unverified);
}

function ownerOfAny(session: Session, keys: readonly string[]): string | undefined {
  return keys.map((key) => session.ownerOf(key)).find((owner) => owner !== undefined);
}

/**
 * Claims the person that a program names. A name beside a `userId` is not claimed before it is known to be the account's name:
 * until then it only protects people from removal.
 *
 * @returns why the program cannot have it
 */
export function claimDeclared(
  claimant: Claimant,
  projectId: string,
  who: Identity,
): CheckFailure | undefined {
  const { userId, invitationId } = who;
  if (userId === undefined) return claimOne(claimant, projectId, who);
  for (const key of unverifiedKeys(projectId, who)) claim(key, claimant);
  return claimOne(claimant, projectId, { userId, invitationId });
}

/** Claims one person: refused if another resource declares this person, or all people of the project. */
export function claimOne(claimant: Claimant, projectId: string, who: Identity): CheckFailure | undefined {
  const { session, urn } = claimant;
  const rival = session.ownerOf(allPeopleKey(projectId));
  const twin = claimPerson(claimant, projectId, who);
  if (rival) return { property: "projectId", reason: bothDeclare(projectId, urn, rival) };
  claim(anyPersonKey(projectId), claimant);
  if (twin && isUrn(urn)) {
    const reason = `${nameOf(who)} in project ${projectId} is declared by ${twin} already: each would undo what the other changes. Take one of them out.`;
    return { property: "", reason };
  }
  return undefined;
}

/** Claims all people of a project: refused where somebody of them is declared alone, or all are declared a second time. */
export function claimAllPeople(claimant: Claimant, projectId: string): CheckFailure | undefined {
  const { session, urn } = claimant;
  const other = session.ownerOf(anyPersonKey(projectId)) ?? claim(allPeopleKey(projectId), claimant);
  return other ? { property: "projectId", reason: bothDeclare(projectId, urn, other) } : undefined;
}

/** The ProjectMembers of this operation's program that declares everybody in the project. */
export function declarerOfAllPeople(session: Session, projectId: string): string | undefined {
  return session.ownerOf(allPeopleKey(projectId));
}

function bothDeclare(projectId: string, urn: string, other: string): string {
  return `${urn} and ${other} both declare people of project ${projectId}, and ProjectMembers owns all of them: each would undo what the other changes. Use one ProjectMembers, or only ProjectMember.`;
}

/** The host of the dynamic door gives none. Its stand-ins say what a resource is about, and one resource may get two of them. */
function isUrn(name: string): boolean {
  return name.startsWith("urn:");
}

function allPeopleKey(projectId: string): string {
  return `everybody in ${projectId}`;
}

function anyPersonKey(projectId: string): string {
  return `somebody in ${projectId}`;
}

function unverifiedKeys(projectId: string, { username }: Identity): string[] {
  return username === undefined ? [] : [`unverified name ${foldName(username)} in ${projectId}`];
}

function personKeys(projectId: string, { userId, invitationId, username }: Identity): string[] {
  return [
    ...(userId === undefined ? [] : [`user ${userId} in ${projectId}`]),
    ...(invitationId === undefined ? [] : [`invitation ${invitationId} to ${projectId}`]),
    ...(username === undefined ? [] : [`name ${foldName(username)} in ${projectId}`]),
  ];
}
