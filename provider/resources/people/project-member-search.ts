/** Finding out who it is that a program names, and that all its names for them mean the same person. */
import { RefusedError } from "../../errors";
import type { Context } from "../resource";
import { withoutUndefined } from "../values";
import { claimOne } from "./claims";
import { type Identity, type Place, sameName } from "./person";
import { accountOf, identityOf, placeIn } from "./places";
import { entriesOf, type Roster } from "./rosters";

/** Check may not have known who it is. */
export function claim(projectId: string, who: Identity, context: Context): void {
  const rival = claimOne(context, projectId, who);
  if (rival) throw new RefusedError(rival.reason);
}

interface Search {
  readonly projectId: string;
  readonly who: Identity;
  /** What the program says of who it is: more than one name is welcome where all of them mean the same person. */
  readonly asserted: Identity;
  readonly roster: Roster;
  readonly context: Context;
}

interface Found {
  readonly place: Place | undefined;
  /** The account of somebody who has no place, where there is one. */
  readonly account: Identity | undefined;
}

export async function find({ projectId, who, asserted, roster, context }: Search): Promise<Found> {
  const seen = placeIn(roster, who);
  // An invitation does not tell whose account it is for.
  const isProven = seen?.status === "active" || (seen && asserted.userId === undefined);
  const account = isProven ? undefined : await accountOf(who, context);
  // Somebody who is named by an account may be invited under its name.
  const place = seen ?? (account && placeIn(roster, account));
  const found = place ? { ...account, ...withoutUndefined(identityOf(place)) } : account;
  if (found) {
    const invited = entriesOf(roster.invitations).find(
      ({ invitationId }) => invitationId === asserted.invitationId,
    );
    refuseContradiction(projectId, asserted, found, [
      asserted.userId === undefined ? undefined : account?.username,
      invited?.username,
    ]);
    claim(projectId, found, context);
  }
  return { place, account };
}

/** @param names of the account and the invitation that the program gives ids of */
function refuseContradiction(
  projectId: string,
  asserted: Identity,
  found: Identity,
  names: readonly (string | undefined)[],
): void {
  const { username, userId } = asserted;
  const otherName = [username, ...names].some(
    (name) => name !== undefined && found.username !== undefined && !sameName(name, found.username),
  );
  const otherId = userId !== undefined && found.userId !== undefined && userId !== found.userId;
  if (!otherName && !otherId) return;
  const actual = found.userId === undefined ? found.username : `${found.username} (user ${found.userId})`;
  throw new RefusedError(
    `${saidOf(asserted)} do not name the same person in project ${projectId}: found ${actual}. Take one of them out, or correct it. Nothing was written.`,
  );
}

function saidOf({ username, userId, invitationId }: Identity): string {
  const said = [
    username === undefined ? undefined : `username "${username}"`,
    userId === undefined ? undefined : `userId ${userId}`,
    invitationId === undefined ? undefined : `invitationId ${invitationId}`,
  ];
  return said.filter((text) => text !== undefined).join(" and ");
}
