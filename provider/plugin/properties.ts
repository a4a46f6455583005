/**
 * Converts between the engine's wire values and plain values.
 *
 * Unknowns and secrets are sent as magic strings and signed objects
 * (sdk/go/common/resource/sig/sig.go, rpc.go). The SDK's own converter is not used: it throws on
 * `undefined`, and a key `__proto__` would reach an object's prototype.
 */
import { ListValue, NullValue, Struct, Value as WireValue } from "google-protobuf/google/protobuf/struct_pb";
import { isList, type Properties, UNKNOWN, type Value } from "../resources/contract/values";
import { RefusedError } from "../text/errors";
import {
  OUTPUT_SIGNATURE,
  SECRET_SIGNATURE,
  SIGNATURE,
  UNKNOWN_SENTINELS,
  UNKNOWN_TEXT,
} from "../text/sentinels";
import { keptName, nameOfKept } from "./lost-names";

export interface Decoded {
  /** Plain values with secrets unwrapped. */
  readonly values: Properties;
  /** Top-level properties that are or hold a secret. Values derived from them are secret too. */
  readonly secrets: ReadonlySet<string>;
}

/** @returns no values and no secrets for an absent struct */
export function decodeProperties(struct: Struct | undefined): Decoded {
  const secrets = new Set<string>();
  const entries = fieldsOf(struct).map(([key, wire]): [string, Value] => [
    key,
    decodeValue(wire, () => secrets.add(key)),
  ]);
  return { values: Object.fromEntries(entries), secrets };
}

function fieldsOf(struct: Struct | undefined): [string, WireValue][] {
  return [...(struct?.getFieldsMap().entries() ?? [])].map(([name, wire]) => [nameOfKept(name), wire]);
}

function decodeValue(wire: WireValue, onSecret: () => void): Value {
  switch (wire.getKindCase()) {
    case WireValue.KindCase.BOOL_VALUE:
      return wire.getBoolValue();
    case WireValue.KindCase.NUMBER_VALUE:
      return wire.getNumberValue();
    case WireValue.KindCase.STRING_VALUE: {
      const text = wire.getStringValue();
      return UNKNOWN_SENTINELS.has(text) ? UNKNOWN : text;
    }
    case WireValue.KindCase.LIST_VALUE:
      return (wire.getListValue()?.getValuesList() ?? []).map((entry) => decodeValue(entry, onSecret));
    case WireValue.KindCase.STRUCT_VALUE:
      return decodeObject(wire.getStructValue(), onSecret);
    default:
      return null;
  }
}

function decodeObject(struct: Struct | undefined, onSecret: () => void): Value {
  const fields = new Map(fieldsOf(struct));
  const signature = fields.get(SIGNATURE)?.getStringValue();
  if (signature === undefined) {
    return Object.fromEntries([...fields].map(([key, wire]) => [key, decodeValue(wire, onSecret)]));
  }
  const value = fields.get("value");
  if (signature === SECRET_SIGNATURE) {
    onSecret();
    return value ? decodeValue(value, onSecret) : UNKNOWN;
  }
  if (signature === OUTPUT_SIGNATURE) {
    if (fields.get("secret")?.getBoolValue()) onSecret();
    return value ? decodeValue(value, onSecret) : UNKNOWN;
  }
  throw new RefusedError("Assets, archives and resources are not values of this provider's properties.");
}

/** @param secrets top-level properties to mark as secret */
export function encodeProperties(values: Properties, secrets: ReadonlySet<string> = new Set()): Struct {
  const struct = new Struct();
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const wire = encodeValue(value);
    struct.getFieldsMap().set(keptName(key), secrets.has(key) ? secretOf(wire) : wire);
  }
  return struct;
}

function secretOf(wire: WireValue): WireValue {
  const struct = new Struct();
  struct.getFieldsMap().set(SIGNATURE, new WireValue().setStringValue(SECRET_SIGNATURE));
  struct.getFieldsMap().set("value", wire);
  return new WireValue().setStructValue(struct);
}

function encodeValue(value: Value): WireValue {
  const wire = new WireValue();
  if (value === null) return wire.setNullValue(NullValue.NULL_VALUE);
  if (value === UNKNOWN) return wire.setStringValue(UNKNOWN_TEXT);
  if (typeof value === "boolean") return wire.setBoolValue(value);
  if (typeof value === "number") return wire.setNumberValue(value);
  if (typeof value === "string") return wire.setStringValue(value);
  if (isList(value)) return wire.setListValue(toListValue(value));
  return wire.setStructValue(encodeProperties(value as Properties));
}

function toListValue(values: readonly Value[]): ListValue {
  const list = new ListValue();
  list.setValuesList(values.map(encodeValue));
  return list;
}
