/** Accounts of the service, whether they are in a place or not. */

import type { Identity } from "../../access/person";
import { getUser, getUserByName, type UserResponse } from "../../api/users";
import type { Context } from "../contract/resource";
import { isErrorResponse, meaningOf } from "../evidence/meaning";

/** An account as the service returns it. */
export interface Account extends Identity {
  readonly userId: string;
  readonly username: string;
}

/**
 * @returns `unknown` if these credentials may not look the account up
 * @throws the response if there is no such account
 */
export async function accountById(
  userId: string,
  { session, signal }: Context,
): Promise<Account | "unknown"> {
  return getUser(session.client, userId, signal).then(toAccount, (error: unknown) => {
    const failure = accountLookupFailure(error);
    if (failure === "none") throw error;
    return failure;
  });
}

/** @returns `none` if no account has the name, `unknown` if these credentials may not look it up */
export async function accountByName(
  username: string,
  { session, signal }: Context,
): Promise<Account | "none" | "unknown"> {
  return getUserByName(session.client, username, signal).then(toAccount, accountLookupFailure);
}

/**
 * What an error response to the lookup of an account means. Versions differ in the codes, so a 400
 * or 404 with another code means `unknown`. A failed lookup must not stop an operation that does not
 * require it.
 */
function accountLookupFailure(error: unknown): "none" | "unknown" {
  if (!isErrorResponse(error) || ![400, 401, 403, 404, 405, 501].includes(error.status)) throw error;
  return meaningOf(error) === "deleted" ? "none" : "unknown";
}

export function toAccount({ id, username }: UserResponse): Account {
  return { userId: id, username };
}
