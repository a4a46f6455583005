/** Explains a cause once in an operation, although all resources fail because of it. */

import {
  errorReport,
  PartialFailure,
  SHARED_CAUSES,
  type SharedCause,
  sharedCauseOf,
} from "../../text/errors";
import { visibleText } from "../../text/visible-text";

export class SharedCauses {
  /** The resource whose error explains the cause. */
  readonly #explaining = new Map<SharedCause, string>();

  /**
   * The text of a resource's error: complete, or short if another resource has failed for the same
   * cause.
   *
   * @param name of the resource in the program
   */
  report(error: unknown, name: string): string {
    const cause = error instanceof PartialFailure ? undefined : sharedCauseOf(error);
    if (cause === undefined) return errorReport(error);
    const explaining = this.#explaining.get(cause) ?? name;
    this.#explaining.set(cause, explaining);
    return explaining === name ? errorReport(error) : reference(cause, visibleText(explaining));
  }

  forget(): void {
    this.#explaining.clear();
  }
}

function reference(cause: SharedCause, explaining: string): string {
  return `${cause}: see ${explaining}.`;
}

/** Whether the error of another resource explains this one. */
export function refersToOther(text: string): boolean {
  return SHARED_CAUSES.some((cause) => text.startsWith(reference(cause, "").slice(0, -1)));
}
