/**
 * Responses that say something about an object: not found, not readable with this key, or not
 * offered.
 */
import { meaningOf } from "./meaning";

/** The error that replaced a response. */
export class Refusal {
  /**
   * @param error the response
   * @param isContradicted the response means that the operation does not exist, but it has responded
   * before
   */
  constructor(
    readonly error: unknown,
    readonly isContradicted = false,
  ) {}
}

/** @throws an error that says nothing about the object */
export async function orRefusal<T>(response: Promise<T>): Promise<T | Refusal> {
  try {
    return await response;
  } catch (error) {
    if (meaningOf(error) === "failure") throw error;
    return new Refusal(error);
  }
}
