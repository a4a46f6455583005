/**
 * The refusal to delete what other resources of the same run still give access. Deleting a person or an API
 * key of an organization, a team, or a project ends access in other places as well. What the engine does
 * not show cannot be seen: resources outside `--target`, of another provider or stack, and those of a
 * `destroy`, which runs no program.
 */

import { memberName } from "../../access/person";
import { type Access, type Deletion, type Holder, placeText, serviceAccountText } from "../../access/places";
import { RefusedError } from "../../text/errors";
import { shortList } from "../../text/list";
import type { Context } from "../contract/resource";
import { howToKeep } from "../contract/until";
import { factsOf } from "../reads/project-facts";
import { Claims } from "../session/claims";
import { type Declaration, Declarations } from "../session/declarations";

/** A project may have hundreds of people. */
const MOST_NAMED = 10;

/**
 * @param deletions the request, by each identity that is known of what it deletes
 * @param refused what is not deleted, as the beginning of a sentence: `Team "operators" was not deleted`
 * @throws RefusedError that names the declarations
 */
export async function refuseToEndDeclared(
  deletions: readonly Deletion[],
  refused: string,
  context: Context,
): Promise<void> {
  const { session, urn, end } = context;
  const declared = deletions.flatMap((deletion) =>
    session
      .of(Declarations)
      .endingWith(deletion, urn)
      .map((declaration) => ({ declaration, deletion })),
  );
  const ending = new Set<string>();
  for (const { declaration, deletion } of declared) {
    if (await isElsewhere(declaration, deletion, context)) continue;
    ending.add(textOf(declaration));
  }
  if (ending.size === 0) return;
  const still = `${refused}, because this run still declares access that would end with it: ${shortList([...ending].sort(), MOST_NAMED, "; ")}.`;
  throw new RefusedError(
    end === undefined
      ? `${still} Remove that from the program as well, or keep this resource. To only remove the resource from the state, set onDestroy to "release" and run pulumi up first.`
      : `${still} Give that the same last day, or remove it from the program. ${howToKeep(end, "")}`,
  );
}

/**
 * A replacement that deletes first comes before the rest of the program, so what that declares is not known yet.
 *
 * @param below what a person or an API key has in other places, declared or not
 * @throws RefusedError if there is anything
 */
export function refuseToDeleteFirst(
  below: readonly Pick<Access, "place" | "roles">[],
  refused: string,
  { session, urn }: Pick<Context, "session" | "urn">,
): void {
  if (below.length === 0 || !session.of(Claims).isDeletedFirst(urn)) return;
  throw new RefusedError(
    `${refused}: deleteBeforeReplace would end the access to ${placesText(below)}, before it is known what the rest of the program declares. Remove deleteBeforeReplace from this resource, or remove that access first.`,
  );
}

/** Whether the project of a declaration certainly belongs to another organization. */
async function isElsewhere(
  { isCertain, access: { place } }: Declaration,
  deletion: Deletion,
  context: Context,
): Promise<boolean> {
  if (isCertain || deletion.of === "project" || place.kind !== "project") return false;
  const { orgId } = await factsOf({ ...context, projectId: place.id });
  return orgId !== undefined && orgId !== deletion.orgId;
}

function textOf({ by, access: { holder, place } }: Declaration): string {
  return `${holderText(holder)} in ${placeText(place)} (${by})`;
}

/** A holder for messages. */
function holderText(holder: Holder): string {
  switch (holder.kind) {
    case "person":
      return memberName(holder);
    case "team":
      return `team ${holder.teamName ?? holder.teamId}`;
    case "API key":
      return `API key ${holder.publicKey ?? holder.keyId}`;
    case "agent API key":
      return "an agent API key";
    case "service account":
      return serviceAccountText(holder);
    case "group":
      return `the mapping of group ${holder.name}`;
  }
}

/** The places of access, for messages. */
export function placesText(accesses: readonly Pick<Access, "place" | "roles">[]): string {
  return accesses
    .map(({ place, roles }) => `${placeText(place)}${roles === undefined ? "" : ` (${roles.join(", ")})`}`)
    .join(", ");
}
