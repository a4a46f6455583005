/**
 * Answers that say something about an object: not found, not readable with this key, or not
 * offered.
 */
import { meaningOf } from "./meaning";

/** The error that replaced an answer. */
export class Refusal {
  /**
   * @param error the answer
   * @param isContradicted the answer means that the operation does not exist, but it has answered
   * before
   */
  constructor(
    readonly error: unknown,
    readonly isContradicted = false,
  ) {}
}

/** @throws an error that says nothing about the object */
export async function orRefusal<T>(answer: Promise<T>): Promise<T | Refusal> {
  try {
    return await answer;
  } catch (error) {
    if (meaningOf(error) === "failure") throw error;
    return new Refusal(error);
  }
}
