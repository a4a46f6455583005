/** Which access has which last day, by the resources of a state. Pure. */

import { ORGANIZATION_FILE_TYPE } from "../../../provider/component";
import { toProperties } from "../../../provider/resources/contract/border";
import { textIn } from "../../../provider/resources/contract/declared";
import { isDay } from "../../../provider/resources/contract/until";
import { isRecord, type Properties } from "../../../provider/resources/contract/values";
import { splitId } from "../../../provider/text/object-id";
import { partsOfUrn } from "../../../provider/text/urn";
import { kindOf, logicalName, treatmentOf } from "../own-resources";
import type { StateResource } from "../stack-export";
import { Declarations } from "./declared";

/** A person has a `username`, a team or a key a `name`. */
interface LastDay {
  /** `project payments` */
  readonly place: string;
  readonly username?: string;
  readonly name?: string;
  readonly until: string;
}

/** What the texts of files name first. */
const PLACES = ["project", "team", "organization"] as const;

/** Everything that ends or has ended, but for the roles of a key that end with it. A secret is left out. */
export function lastDaysOf(resources: readonly StateResource[]): LastDay[] {
  const declared = new Declarations(resources);
  const valuesOf = ({ inputs = {}, outputs = {} }: StateResource) => ({
    ...toProperties(inputs),
    ...toProperties(outputs),
  });
  const keys = resources.filter(({ type }) => kindOf(type) === "ApiKey").map(valuesOf);
  const endOfKey = new Map(keys.map((key) => [textIn(key, "keyId"), textIn(key, "until")]));
  const inPlaces = PLACES.flatMap((place) => resources.filter((resource) => placeOf(resource) === place));
  return inPlaces.flatMap((resource) => {
    const values = valuesOf(resource);
    const place = placeText(resource, values, declared);
    const { until } = toProperties(resource.inputs ?? {});
    if (isRecord(until)) {
      return Object.entries(until).flatMap(([username, last]) =>
        isLastDay(last) ? [{ place, username, until: last }] : [],
      );
    }
    const withKey =
      kindOf(resource.type) === "ProjectApiKey" ? endOfKey.get(textIn(values, "keyId")) : undefined;
    if (!isLastDay(until) || (withKey !== undefined && withKey <= until)) return [];
    const username = textIn(values, "username");
    return [{ place, ...(username === undefined ? { name: nameOf(values) } : { username }), until }];
  });
}

function isLastDay(value: unknown): value is string {
  return typeof value === "string" && isDay(value);
}

/** The name of a team or a key. */
function nameOf(values: Properties): string {
  const names = ["teamName", "description", "publicKey", "keyId", "teamId"].map((part) =>
    textIn(values, part),
  );
  return names.find((name) => name !== undefined) ?? "";
}

function placeOf({ type }: Pick<StateResource, "type">): (typeof PLACES)[number] {
  return treatmentOf(type)?.belongsTo ?? "project";
}

function placeText(resource: StateResource, values: Properties, declared: Declarations): string {
  const { id = "", urn } = resource;
  const { placeId, name } = splitId(id);
  const kind = placeOf(resource);
  if (kind === "team") return `team ${textIn(values, "name") ?? name}`;
  if (kind === "project") return `project ${declared.factsOf(placeId).name ?? placeId}`;
  // The service shows no name beside the ID, but the key of the file is one.
  const isOfFile = partsOfUrn(urn).types.includes(ORGANIZATION_FILE_TYPE);
  return `organization ${isOfFile ? logicalName(urn).split("/")[0] : placeId}`;
}
