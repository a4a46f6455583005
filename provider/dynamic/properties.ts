/**
 * Converts between the plain values of the host and property values. The properties of the host and
 * of the dynamic provider itself are removed and added.
 */
import { canonicalText, knownTexts } from "../resources/contract/canonical";
import { isRecord, type Properties, UNKNOWN, type Value } from "../resources/contract/values";
import {
  DECLARED,
  IGNORE_CHANGES,
  INPUTS_READ,
  isHiddenProperty,
  MARK,
  SECRET_INPUTS,
  UNKNOWN_SENTINELS,
  UNKNOWN_TEXT,
} from "../text/sentinels";

export type Plain = Record<string, unknown>;

export function toOutputs(state: Properties, inputs: Properties, props: Plain): Plain {
  return { ...toPlain(state), [DECLARED]: toPlain(inputs), ...optionsIn(props) };
}

/** What the class passes on beside the inputs, in the form in which it is recorded with them. */
export function optionsIn(props: Plain): Plain {
  return { [IGNORE_CHANGES]: ignoreChangesOf(props), [SECRET_INPUTS]: secretsIn(props) };
}

/** The inputs or outputs without the properties of the host and of the dynamic provider itself. */
export function visibleValues(props: Plain): Properties {
  const entries = Object.entries(props).filter(([key]) => !isHiddenProperty(key));
  return fromPlain(Object.fromEntries(entries)) as Properties;
}

/** The inputs of a program, without the secret in place of a mark. */
export function programInputs(props: Plain): Properties {
  const { [MARK]: mark, ...inputs } = visibleValues(props);
  return mark === undefined || mark === false ? inputs : { ...inputs, [MARK]: mark };
}

/**
 * The inputs in a record, with the marker of a read: the host does not hand over the inputs
 * themselves.
 */
export function declaredOf(props: Plain): Properties {
  const declared = props[DECLARED];
  if (!isRecord(declared)) return {};
  const { [INPUTS_READ]: marker } = declared;
  return { ...visibleValues(declared), ...(marker !== undefined && { [INPUTS_READ]: fromPlain(marker) }) };
}

export function ignoreChangesOf(props: Plain): string[] {
  return knownTexts(props[IGNORE_CHANGES]);
}

export function secretsIn(props: Plain): string[] {
  return knownTexts(props[SECRET_INPUTS]);
}

function fromPlain(value: unknown): Value {
  if (typeof value === "string" && UNKNOWN_SENTINELS.has(value)) return UNKNOWN;
  if (Array.isArray(value)) return value.map(fromPlain);
  if (!isRecord(value)) return (value ?? null) as Value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fromPlain(entry)]));
}

/** The host's converter throws on `undefined`, so absent values are left out. */
export function toPlain(values: Properties): Plain {
  const visit = (value: Value): unknown => {
    if (value === UNKNOWN) return UNKNOWN_TEXT;
    if (Array.isArray(value)) return value.map((entry: Value) => visit(entry));
    return isRecord(value) ? toPlain(value as Properties) : value;
  };
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, visit(value)]));
}

/** Checked inputs are canonical, so only the order of keys can differ without meaning anything. */
export function sameValues(one: Properties, other: Properties): boolean {
  return canonicalText(toPlain(one)) === canonicalText(toPlain(other));
}
