/**
 * Error responses that describe an object: not found, not readable with this key, or not offered.
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

/** @throws an error that does not describe the object, such as a lost connection */
export async function orRefusal<T>(response: Promise<T>): Promise<T | Refusal> {
  try {
    return await response;
  } catch (error) {
    if (meaningOf(error) === "failure") throw error;
    return new Refusal(error);
  }
}
