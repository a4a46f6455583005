/** Lists the objects of one kind that exist in the service, for `List` of the provider protocol. */
import type { z } from "zod";
import { checkedAs, type KnownOf } from "./border";
import type { Session } from "./session";
import type { Properties } from "./values";

/** An object of the service, whether a stack holds it or not. */
export interface ListedObject {
  /** The ID that `pulumi import` takes. */
  readonly id: string;
  /** What people call the object. */
  readonly name: string;
}

export interface ListContext {
  readonly session: Session;
  readonly signal: AbortSignal;
}

export interface Listing {
  /** What selects the objects. */
  readonly inputs: z.ZodObject;
  /**
   * @param query checked inputs, nothing unknown
   * @returns all selected objects that the API key can see
   */
  list(query: Properties, context: ListContext): Promise<readonly ListedObject[]>;
}

/** A listing whose query has the type of its zod object. */
export function defineListing<Inputs extends z.ZodObject>(
  inputs: Inputs,
  list: (query: KnownOf<Inputs>, context: ListContext) => Promise<readonly ListedObject[]>,
): Listing {
  return { inputs, list: (query, context) => list(checkedAs<KnownOf<Inputs>>(query), context) };
}
