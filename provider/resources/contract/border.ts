/**
 * The border between values as the engine and files give them (`Properties`) and the types that zod
 * describes. The only place where a type is asserted instead of checked: Check has validated inputs
 * by the same zod object, and state comes from our own replies.
 */
import type { z } from "zod";
import { InternalError } from "../../text/errors";
import { isRecord, type Properties, UNKNOWN, type Unsure, type Value } from "./values";

/** A type whose values nothing changes. */
export type Frozen<T> = T extends readonly (infer Entry)[]
  ? readonly Frozen<Entry>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

/** What a zod object describes, with nothing unknown. */
export type KnownOf<Schema extends z.ZodObject> = Frozen<z.output<Schema>>;

/**
 * Checked inputs. In a preview each of them may be unknown, or hold something unknown (`known`,
 * `hasUnknown`).
 */
export type InputsOf<Schema extends z.ZodObject> = {
  readonly [Name in keyof z.output<Schema>]: Unsure<Entries<Frozen<z.output<Schema>[Name]>>>;
};

/** The entries of a map are compared one by one, so each of them may be unknown. */
type Entries<T> = T extends unknown
  ? string extends keyof T
    ? {
        readonly [Key in keyof T]: Unsure<
          T[Key] extends readonly (infer Entry)[] ? readonly Unsure<Entry>[] : T[Key]
        >;
      }
    : T
  : never;

/** What is recorded: the outputs, and the live values of the inputs under their names. */
export type StateOf<Inputs extends z.ZodObject, Outputs extends z.ZodObject> = Omit<
  KnownOf<Inputs>,
  keyof z.output<Outputs>
> &
  KnownOf<Outputs>;

/** A type with some of its optional properties present. */
export type Present<T, Names extends keyof T> = Omit<T, Names> & {
  readonly [Name in Names]-?: Exclude<T[Name], undefined>;
};

/**
 * A value whose form something else has checked: Check, the options of a command, or the zod object
 * of a file.
 */
export function checkedAs<T>(value: unknown): T {
  return value as T;
}

/** State that our own replies recorded. An older one may lack what came later. */
export function recordedAs<State>(state: Properties): Partial<State> {
  return state as Partial<State>;
}

/**
 * Typed values as the engine gets them: an absent property and one that is `undefined` are the
 * same, at any depth.
 */
export function toProperties(values: object): Properties {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, toValue(value)]));
}

function toValue(value: unknown): Value {
  if (value === null || value === UNKNOWN) return value;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(toValue);
  if (isRecord(value)) return toProperties(value);
  throw new InternalError(`A property has a value of type ${typeof value}.`);
}
