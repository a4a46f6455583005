/**
 * Keeps a program's secrets out of every reply: marks, messages, failures and the paths of a diff.
 */
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { ObjectNames } from "../api/names";
import type { CheckFailure } from "../resources/contract/check";
import type { Difference } from "../resources/contract/difference";
import { secretTexts } from "../resources/contract/secret-texts";
import { own } from "../text/own";
import { visibleText } from "../text/visible-text";
import { createRedact, type Redact } from "../transport";
import type { Decoded } from "./properties";

/**
 * Shortens paths into a secret map, so the diff shows only that the map changes: the engine prints
 * paths unchanged.
 */
export function withoutKeys(
  differences: readonly Difference[],
  isSecret: (name: string) => boolean,
): readonly Difference[] {
  const isHidden = ({ path }: Difference) => path.length > 1 && isSecret(String(path[0]));
  const names = new Set(differences.filter(isHidden).map(({ path }) => String(path[0])));
  return [
    ...differences.filter((difference) => !isHidden(difference)),
    ...[...names].map((name): Difference => ({ path: [name], kind: "update" })),
  ];
}

export function withSecretsOf(
  redact: Redact,
  names: ObjectNames,
  values: readonly Decoded[],
  maps?: readonly string[],
): Redact {
  return names.maskedBy(
    redact,
    values.flatMap((decoded) => secretTexts(decoded.values, decoded.secrets, maps)),
  );
}

/**
 * Builds a failure. The CLI prints the value of the property that a failure names, secrets included (pulumi/pulumi#19465),
 * so it names no secret, and no list or map: of these, the reason names the entry.
 */
export function toFailure(
  { property, reason }: CheckFailure,
  values: Decoded,
  maps?: readonly string[],
): proto.CheckFailure {
  const isNamed = !values.secrets.has(property) && typeof own(values.values, property) !== "object";
  return new proto.CheckFailure()
    .setProperty(isNamed ? property : "")
    .setReason(visibleText(createRedact(secretTexts(values.values, values.secrets, maps), true)(reason)));
}
