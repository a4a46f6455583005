/** `adopt`: the files have what people have themselves, and everything that has access is in them or said to be left out. */
import type { Holds } from "../command";
import { fold, type ServiceView } from "../service-view";
import type { Adopted } from "./reports";
import { areOwn, keyOf, type Way, waysOf } from "./ways";

export function checkAdopted(adopted: Adopted, service: ServiceView, holds: Holds): void {
  const declared = new Map(adopted.ways.map((way) => [keyOf(way), way]));
  // No file has service accounts.
  const live = waysOf(service).filter(
    (way) => isOfOrganization(way, service) && !way.holder.startsWith("service account "),
  );
  // A file does not tell an invitation from a membership.
  const byHolder = Map.groupBy(live, (way) => keyOf({ ...way, isPending: false }));
  for (const [key, ways] of byHolder) {
    const own = declared.get(key);
    const [way, ...others] = ways.toSorted((one, other) => Number(one.isPending) - Number(other.isPending));
    if (way === undefined) continue;
    if (own === undefined) {
      holds(
        "adopt writes what has access into files, or says that it leaves it out",
        isSaid(way, adopted, service),
        () => `${keyOf(way)}: ${adopted.said}`,
      );
      continue;
    }
    const lists = (one: Way) => () =>
      `${keyOf(one)} has ${one.roles.join(", ")}, and the file gives ${own.roles.join(", ")}`;
    holds("adopt writes roles that the holder has itself", areOwn(own.roles, way, service), lists(way));
    for (const offer of others)
      holds(
        "adopt says what an invitation offers beside the membership that it writes",
        offer.roles.every((role) => own.roles.includes(role)) || isSaid(offer, adopted, service),
        lists(offer),
      );
  }
  const invented = [...declared.keys()].filter((key) => !byHolder.has(key));
  holds("adopt writes no access that the service does not have", invented.length === 0, () =>
    invented.join("; "),
  );
}

/** Another organization has the projects that were moved to it. */
function isOfOrganization({ place }: Way, { projects, teams, orgId }: ServiceView): boolean {
  const [kind, id = ""] = place.split(" ");
  if (kind === "organization") return id === orgId;
  return (kind === "project" ? projects : teams).get(id)?.orgId === orgId;
}

/** Whether the holder or the whole place is named. */
function isSaid({ holder, place }: Way, { said }: Adopted, { projects, teams }: ServiceView): boolean {
  const [kind = "", ...name] = holder.split(" ");
  const id = place.split(" ")[1] ?? "";
  const names = [
    kind === "team" ? teams.get(name.join(" "))?.name : name.at(-1),
    projects.get(id)?.id,
    teams.get(id)?.id,
  ];
  return names.some((one) => one !== undefined && said.includes(fold(one)));
}
