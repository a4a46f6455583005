/** What the next update refuses of the ends that edited files declare, by the rules of the provider. Pure. */
import { OWNER_ROLE } from "../../provider/access/person";
import { isCloudManager } from "../../provider/settings/address";
import type { AccessEntry } from "../lib/access/report";
import type { SearchedPerson } from "../lib/access/search";
import { withId } from "../lib/organization";
import { resourceText } from "../lib/own-resources";
import { type Facts, failuresOf, type Refusals } from "./failures";
import { type Divided, type Fate, isThroughTeam, placeText } from "./left";
import type { Present } from "./next-up";

export interface Leaver extends SearchedPerson, Divided {}

/** @returns finds what is refused of one person, with what fails whoever leaves */
export function refusalsIn(facts: Facts): (leaver: Leaver) => Refusals {
  const failures = failuresOf(facts);
  return (leaver) => {
    const own = leaver.ending.map((entry) => ofOrganization(entry, leaver, facts));
    const all = own.length === 0 ? [] : [...own, failures];
    const refused = all.flatMap((each) => each.refused);
    const isRefused = new Set(refused.map(({ what }) => what));
    return {
      refused,
      unknown: all.flatMap((each) => each.unknown).filter(({ what }) => !isRefused.has(what)),
    };
  };
}

const NONE: Refusals = { refused: [], unknown: [] };

function ofOrganization(
  entry: AccessEntry,
  leaver: Leaver,
  { organizations, declared, nextUp, settings }: Facts,
): Refusals {
  const organization = organizations.find(({ orgId }) => orgId === entry.orgId);
  if (entry.in !== "organization" || entry.status !== "active" || organization === undefined) return NONE;
  const { orgId, places } = organization;
  const what = placeText(entry);
  // What ends by a resource of its own is judged there.
  const below = [
    ...leaver.left,
    ...leaver.ending.filter((each) => !each.declaredBy?.length && !nextUp.removes(each, leaver)),
  ].filter((each) => each.in !== "organization" && each.orgId === orgId && !isThroughTeam(each));
  const urns = [...new Set(below.flatMap(({ declaredBy = [] }) => declaredBy))];
  const declaring = (fate: Fate) =>
    urns.filter((urn) => declared.fateOf(urn, leaver.names) === fate).map(resourceText);
  const [inFiles, ignored, elsewhere] = [declaring("stays"), declaring("ignored"), declaring("elsewhere")];
  const isLeaver = ({ userId = "" }: Present) => leaver.userIds.includes(userId);
  const owned = places.filter(({ place }) => {
    const isOwner = ({ isActive, roles }: Present) => isActive && roles.includes(OWNER_ROLE);
    const owners = nextUp.present(place.id).filter(isOwner);
    const isLeft = below.some(({ projectId }) => projectId === place.id);
    return isLeft && owners.some(isLeaver) && nextUp.staying(place.id, OWNER_ROLE).every(isLeaver);
  });
  const refused = [
    ...(inFiles.length === 0 ? [] : [`The files still declare the person below it: ${inFiles.join(", ")}.`]),
    ...ignored.map(
      (each) =>
        `${each} still declares the person below it, by its option ignoreChanges. Take the option away.`,
    ),
    ...owned.map(
      ({ place: { id, name } }) =>
        `${leaver.names[0]} is the last direct owner of project ${withId(name, id)}. Give GROUP_OWNER to another member there first.`,
    ),
  ].map((reason) => ({ what, reason }));
  const unknown = [
    ...(elsewhere.length === 0
      ? []
      : [`The person stays while the program declares them below it: ${elsewhere.join(", ")}.`]),
    ...(isCloudManager(settings)
      ? []
      : [
          "Only Cloud Manager documents how to remove people from an organization. If the next up fails there, remove the person in the service's web interface and run it again.",
        ]),
  ].map((reason) => ({ what, reason }));
  return { refused, unknown };
}
