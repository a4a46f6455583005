import { ListValue, NullValue, Struct, Value as WireValue } from "google-protobuf/google/protobuf/struct_pb";
import { decodeProperties, encodeProperties } from "../../../provider/plugin/properties";
import { type Properties, UNKNOWN } from "../../../provider/resources/contract/values";

/** How the engine marks special values (sdk/go/common/resource/sig/sig.go). */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const secretOf = (value: unknown) => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });
const outputOf = (rest: object) => ({ [SIGNATURE]: "d0e6a833031e9bbcd3f4e8bde6ca49a4", ...rest });
const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const otherUnknowns = [
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
];

/** Built without the code under test, so that it is not measured with itself. */
function wireOf(value: unknown): WireValue {
  const wire = new WireValue();
  if (value === null) return wire.setNullValue(NullValue.NULL_VALUE);
  if (typeof value === "boolean") return wire.setBoolValue(value);
  if (typeof value === "number") return wire.setNumberValue(value);
  if (typeof value === "string") return wire.setStringValue(value);
  if (Array.isArray(value)) return wire.setListValue(new ListValue().setValuesList(value.map(wireOf)));
  return wire.setStructValue(structOf(value as object));
}

function structOf(values: object): Struct {
  const struct = new Struct();
  for (const [key, value] of Object.entries(values)) struct.getFieldsMap().set(key, wireOf(value));
  return struct;
}

const decoded = (values: object) => decodeProperties(structOf(values));

describe("what comes from the engine", () => {
  test.each([UNKNOWN_TEXT, ...otherUnknowns])("is not known yet where it is %s", (text) => {
    expect(decoded({ a: text, list: ["x", text], object: { b: text } }).values).toEqual({
      a: UNKNOWN,
      list: ["x", UNKNOWN],
      object: { b: UNKNOWN },
    });
  });

  test("is unwrapped where it is secret, and its property remembered", () => {
    const { values, secrets } = decoded({ name: secretOf("n"), tags: ["A", secretOf("B")], plain: "p" });
    expect(values).toEqual({ name: "n", tags: ["A", "B"], plain: "p" });
    expect(secrets).toEqual(new Set(["name", "tags"]));
  });

  test("may be an output, known or not, secret or not", () => {
    const { values, secrets } = decoded({
      known: outputOf({ value: "v", dependencies: ["urn"] }),
      unknown: outputOf({ dependencies: [] }),
      secret: outputOf({ value: "s", secret: true }),
      open: outputOf({ value: "o", secret: false }),
    });
    expect(values).toEqual({ known: "v", unknown: UNKNOWN, secret: "s", open: "o" });
    expect(secrets).toEqual(new Set(["secret"]));
  });

  test("may not be an asset, an archive or a resource", () => {
    expect(() => decoded({ name: { [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", text: "x" } })).toThrow(
      "are not values of this provider's properties",
    );
  });

  test("reaches no prototype", () => {
    const struct = structOf({ object: {} });
    struct.getFieldsMap().set("__proto__", wireOf({ polluted: true }));
    const { values } = decodeProperties(struct);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
    expect("polluted" in values).toBe(false);
    expect("polluted" in {}).toBe(false);
  });
});

describe("what goes to the engine", () => {
  const sent = (values: Properties, secrets?: ReadonlySet<string>) =>
    encodeProperties(values, secrets).toJavaScript();

  test("has the engine's own text for what is not known yet", () => {
    expect(sent({ a: UNKNOWN, list: [UNKNOWN] })).toEqual({ a: UNKNOWN_TEXT, list: [UNKNOWN_TEXT] });
  });

  test("wraps the secret properties, and no others", () => {
    expect(sent({ name: "n", tags: ["A"], plain: "p" }, new Set(["name", "tags", "absent"]))).toEqual({
      name: secretOf("n"),
      tags: secretOf(["A"]),
      plain: "p",
    });
  });

  test("comes back as it went", () => {
    const values: Properties = {
      a: [UNKNOWN, { b: null }],
      c: { d: [true, 0, "", 1.5], empty: {} },
      list: [],
    };
    const secrets = new Set(["a"]);
    expect(decodeProperties(encodeProperties(values, secrets))).toEqual({ values, secrets });
  });
});
