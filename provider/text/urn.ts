export interface UrnParts {
  /** Those of the parents as well, each before a `$`. */
  readonly types: string;
  /** `opsmanager:index:Project` */
  readonly type: string;
  /** A name may contain `::`. */
  readonly name: string;
}

/** Parts of `urn:pulumi:<stack>::<project>::<types>::<name>`; empty in a text that is no URN. */
export function partsOfUrn(urn: string): UrnParts {
  const [, , types = "", ...name] = urn.split("::");
  return { types, type: types.split("$").at(-1) ?? "", name: name.join("::") };
}
