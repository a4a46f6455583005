/** `access`: the review lists every access that the service has, with its roles and its way, and nothing else; a name lists its own. */
import type { Holds } from "../command";
import { API_KEY } from "../oracle";
import type { ServiceView } from "../service-view";
import type { AccessReported } from "./reports";
import { areOwn, differenceOf, keyOf, personNamed, rolesByTeams, type Way, waysOf } from "./ways";

export function checkReview(review: AccessReported, service: ServiceView, holds: Holds): void {
  const expected = reachIn(service);
  const reported = new Map(review.ways.map((way) => [keyOf(way), way]));
  const known = new Set(expected.map(keyOf));
  for (const way of expected) {
    const shown = reported.get(keyOf(way));
    holds("access shows every access of the service", shown !== undefined || !review.isComplete, () =>
      keyOf(way),
    );
    if (shown === undefined) continue;
    const lists = () =>
      `${keyOf(way)} has ${way.roles.join(", ")}, and is shown with ${shown.roles.join(", ")}`;
    holds("access shows each access with its roles", hasAll(way, shown, service), lists);
    holds("access shows what a team gives as the team's alone", isNotByTeam(way, shown, service), lists);
  }
  for (const way of review.ways) {
    holds(
      "access shows no access that the service does not have",
      known.has(keyOf(way)) || isBeyond(way, service),
      () => keyOf(way),
    );
  }
}

/**
 * @param name a present or a former one
 * @param isRenamed whether an account may have access by another name as well, such as by an invitation to its former one
 */
export function checkNamed(
  { name, isRenamed }: { readonly name: string; readonly isRenamed: boolean },
  found: AccessReported,
  review: AccessReported,
  holds: Holds,
): void {
  const holder = personNamed(name);
  const shown = new Set(found.ways.map((way) => textOf({ ...way, holder })));
  // Whoever is renamed has one name in the report, and by that of an invitation the review does not join them.
  const own = review.ways
    .filter((way) => way.holder === holder || (isRenamed && shown.has(textOf({ ...way, holder }))))
    .map((way) => textOf({ ...way, holder }));
  const difference = differenceOf(new Set(own), shown);
  holds(
    "access of a person is what the review shows of the name",
    difference.length === 0 || !found.isComplete || !review.isComplete,
    () => `${name}: ${difference.join("; ")}`,
  );
}

const textOf = (way: AccessReported["ways"][number]): string =>
  `${keyOf(way)} with ${way.roles.join(", ")}, declared: ${way.isDeclared}`;

/** Whether the way is shown with its roles, and with none that neither it nor a team of the person gives. */
function hasAll(way: Way, { roles }: Way, service: ServiceView): boolean {
  const byTeams = way.team === undefined ? rolesByTeams(way, service) : new Set();
  return (
    way.roles.every((role) => roles.includes(role) || byTeams.has(role)) &&
    roles.every((role) => way.roles.includes(role) || byTeams.has(role))
  );
}

const isNotByTeam = (way: Way, { roles }: Way, service: ServiceView): boolean =>
  way.team !== undefined || areOwn(roles, way, service);

/** What the review is about: the people of a team reach its projects, and the team itself nothing. */
export function reachIn(service: ServiceView): readonly Way[] {
  return waysOf(service).flatMap((way): readonly Way[] => {
    const [kind, id = ""] = way.holder.split(" ");
    if (kind !== "team") return [way];
    const people = service.teams.get(id)?.userIds ?? [];
    return people.map((account) => ({
      ...way,
      holder: personNamed(service.names.get(account) ?? ""),
      team: id,
    }));
  });
}

/** The view has the people of one organization. A key or a service account that belongs to one may have no role there. */
function isBeyond({ place, holder, roles }: Way, { orgId }: ServiceView): boolean {
  if (holder === `key ${API_KEY}` || (/^(key|service account) /.test(holder) && roles.length === 0))
    return true;
  return place.startsWith("organization ") && place !== `organization ${orgId}`;
}
