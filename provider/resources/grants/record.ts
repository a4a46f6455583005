/** What is declared and recorded of a grant, and what messages call its holder. Pure. */
import { z } from "zod";
import { isMasked } from "../../api/masked-key";
import { splitId } from "../../text/object-id";
import { recordedAs, toProperties } from "../contract/border";
import { textIn } from "../contract/declared";
import type { Origin } from "../contract/on-destroy";
import { hasUnknown, type Properties, UNKNOWN, type Unsure } from "../contract/values";
import { recordedOrgId } from "../people/outputs";
import type { FoundHolder, GrantDeclaration, GrantKind, HolderIdentity } from "./port";

type OnDestroy = "remove" | "release";

/** The inputs that all grants have. */
export interface GrantInputs {
  readonly projectId: Unsure<string>;
  readonly roles: Unsure<readonly Unsure<string>[]>;
  readonly onDestroy?: Unsure<OnDestroy>;
}

export interface KnownGrantInputs {
  readonly projectId: string;
  readonly roles: readonly string[];
  readonly onDestroy?: OnDestroy;
}

interface Recorded {
  readonly projectId: string;
  readonly roles: readonly string[];
  readonly orgId: string | undefined;
  readonly origin: Origin;
  readonly onDestroy: OnDestroy;
}

export type RecordedGrant = Recorded & FoundHolder;

/** The outputs that all grants have. @param origin what the origins mean */
export function grantOutputs(onDestroy: GrantDeclaration["onDestroy"], origin: string) {
  return {
    orgId: recordedOrgId,
    origin: z.enum(["created", "adopted", "imported"]).meta({ description: origin }),
    onDestroy: onDestroy.output,
  };
}

/** The holder in inputs or a state, as far as it is known. */
export function identityIn(
  { identity: [id, name] }: Pick<GrantDeclaration, "identity">,
  values: Properties | undefined,
): HolderIdentity {
  return { id: textIn(values, id), name: textIn(values, name) };
}

/** State comes from our own replies. An older one may lack what came later; the id has both ids. */
export function recordedGrant(
  kind: Pick<GrantDeclaration, "identity">,
  state: Properties,
  id: string,
): RecordedGrant {
  const recorded = recordedAs<Recorded>(state);
  const holder = identityIn(kind, state);
  const { ownerId, name: holderId } = splitId(id);
  return {
    projectId: recorded.projectId ?? ownerId,
    id: holder.id ?? holderId,
    name: holder.name,
    roles: recorded.roles ?? [],
    orgId: recorded.orgId,
    origin: recorded.origin ?? "adopted",
    onDestroy: recorded.onDestroy ?? "remove",
  };
}

export function toState(
  { identity: [idProperty, nameProperty] }: Pick<GrantDeclaration, "identity">,
  { id, name, ...recorded }: RecordedGrant,
): Properties {
  return toProperties({ ...recorded, [idProperty]: id, [nameProperty]: name });
}

/**
 * The name to record. One that the holder keeps for life is recorded once: a gateway may mask it in a
 * later response.
 */
export function nameToRecord(
  { keepsName }: Pick<GrantKind, "keepsName">,
  recorded: string | undefined,
  shown: string | undefined,
): string | undefined {
  return keepsName && recorded && !isMasked(recorded) ? recorded : (shown ?? recorded);
}

/** The predictable outputs of a preview. */
export function previewState(
  kind: GrantKind,
  inputs: Properties & GrantInputs,
  holder?: FoundHolder,
  recorded?: RecordedGrant,
): Properties {
  const [idProperty, nameProperty] = kind.identity;
  const [id, name] = [inputs[idProperty], inputs[nameProperty]];
  const namedAs = kind.keepsName ? (name ?? holder?.name) : (recorded?.name ?? name);
  return toProperties({
    orgId: UNKNOWN,
    origin: UNKNOWN,
    ...(recorded && toState(kind, recorded)),
    ...inputs,
    [idProperty]: hasUnknown([id, name]) ? UNKNOWN : (holder?.id ?? id ?? UNKNOWN),
    [nameProperty]: namedAs ?? UNKNOWN,
    onDestroy: kind.onDestroy.inPreview(inputs),
  });
}

/** The holder as the beginning of a sentence: `Team platform`. */
export function textOf({ noun }: Pick<GrantKind, "noun">, { id, name }: HolderIdentity): string {
  return `${noun[0]?.toUpperCase()}${noun.slice(1)} ${name ?? id}`;
}
