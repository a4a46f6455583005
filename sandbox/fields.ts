/** What can be wrong with one field of a JSON object. */
type FieldProblem = "missing" | "invalid" | "unknown";

/** Makes the error for one field; `field` is its full path, such as `projects[0].tags`. */
export type FieldFault = (field: string, problem: FieldProblem, expected: string) => Error;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Reads one JSON object from outside, field by field, and refuses what was not requested. The API's bodies, the
 * control address and the seed file are all read with it; they differ only in the error they make.
 */
export class Fields {
  private readonly values: Record<string, unknown>;
  private readonly known = new Set<string>();

  constructor(
    value: unknown,
    private readonly path: string,
    private readonly fault: FieldFault,
  ) {
    if (!isRecord(value)) throw fault(path, "invalid", "an object");
    this.values = value;
  }

  has(name: string): boolean {
    return this.values[name] !== undefined;
  }

  text(name: string): string | undefined {
    return this.read(name, "text", (value) => typeof value === "string");
  }

  flag(name: string): boolean | undefined {
    return this.read(name, "true or false", (value) => typeof value === "boolean");
  }

  number(name: string): number | undefined {
    return this.read(name, "a number", (value) => typeof value === "number");
  }

  texts(name: string): string[] | undefined {
    return this.read(
      name,
      "a list of text",
      (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
    );
  }

  /** An object of numbers by name, such as hostCounts. */
  numbers(name: string): Record<string, number> | undefined {
    return this.read(
      name,
      "an object of numbers",
      (value) => isRecord(value) && Object.values(value).every((item) => typeof item === "number"),
    );
  }

  /** An object whose values this method does not check. */
  record(name: string): Record<string, unknown> | undefined {
    return this.read(name, "an object", isRecord);
  }

  /** Any value at all. */
  any(name: string): unknown {
    this.known.add(name);
    return this.values[name];
  }

  /** A list of objects, each read by `each` and then checked for unknown fields. */
  items<T>(name: string, each: (item: Fields) => T): T[] | undefined {
    const list = this.read<unknown[]>(name, "a list of objects", Array.isArray);
    return list && readItems(list, this.pathOf(name), this.fault, each);
  }

  /** The value, or the error for a missing one. */
  required<T>(name: string, value: T | undefined): T {
    if (value === undefined) throw this.fault(this.pathOf(name), "missing", "a value");
    return value;
  }

  /** Refuses a value that only the caller can judge. */
  refuse(name: string, expected: string): never {
    throw this.fault(this.pathOf(name), "invalid", expected);
  }

  /** To be called when every known field has been requested. */
  refuseOthers(): void {
    const other = Object.keys(this.values).find((name) => !this.known.has(name));
    if (other !== undefined) throw this.fault(this.pathOf(other), "unknown", "no such field");
  }

  private read<T>(name: string, expected: string, fits: (value: unknown) => boolean): T | undefined {
    const value = this.any(name);
    if (value === undefined) return undefined;
    if (!fits(value)) throw this.fault(this.pathOf(name), "invalid", expected);
    return value as T;
  }

  private pathOf(name: string): string {
    return this.path === "" ? name : `${this.path}.${name}`;
  }
}

/** Reads each object of a list and refuses fields that `each` did not request. */
export function readItems<T>(
  list: readonly unknown[],
  path: string,
  fault: FieldFault,
  each: (item: Fields) => T,
): T[] {
  return list.map((value, index) => {
    const item = new Fields(value, `${path}[${index}]`, fault);
    const result = each(item);
    item.refuseOthers();
    return result;
  });
}

/** Reads one object and refuses fields that `read` did not request. */
export function readObject<T>(
  value: unknown,
  path: string,
  fault: FieldFault,
  read: (fields: Fields) => T,
): T {
  const fields = new Fields(value, path, fault);
  const result = read(fields);
  fields.refuseOthers();
  return result;
}
