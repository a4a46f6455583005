/** Sentinel values that replace real ones. Unknowns: sdk/go/common/resource/plugin, rpc.go. */

/** Sentinel for unknown text; SDKs in Node.js use it for unknowns of every type. */
export const UNKNOWN_TEXT = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Sentinels for unknown text, boolean, number, array, object, asset and archive. */
export const UNKNOWN_SENTINELS: ReadonlySet<string> = new Set([
  UNKNOWN_TEXT,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
]);

/**
 * Whether a property is hidden: one of this provider, or of the host of dynamic providers. The
 * engine's diffs skip properties whose names begin with two underscores.
 */
export function isHiddenProperty(name: string): boolean {
  return name.startsWith("__");
}

/**
 * Output in which the dynamic provider stores the checked inputs; a record of the plugin never has
 * it.
 */
export const DECLARED = "__declared";

/** Input in which Check marks the access whose last day is over. It is as secret as the last days. */
export const MARK = "ended";

/** Input in which the dynamic provider passes on the resource option `ignoreChanges`. */
export const IGNORE_CHANGES = "__ignoreChanges";

/** Input with the names of secret inputs: the dynamic host passes their values without a mark. */
export const SECRET_INPUTS = "__secrets";

/** Input with the names of the inputs in a state that come from a read, sorted. */
export const INPUTS_READ = "__inputsRead";

/**
 * Key of special values, and its values for secrets and outputs (sdk/go/common/resource/sig,
 * sig.go).
 */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
export const SECRET_SIGNATURE = "1b47061264138c4ac30d75fd1eb44270";
export const OUTPUT_SIGNATURE = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
