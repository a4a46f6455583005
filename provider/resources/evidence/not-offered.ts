/** Whether the service offers a removal. An access that is to end must not stay because of one wrong response. */
import { messageOf, NotOfferedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { isOperationNotOffered } from "./meaning";

/**
 * Sends a removal. Where a last day is over, the run goes on without an operation that the service does not offer, and one
 * response that means this, such as a proxy's page, proves nothing: a second one has to mean the same, and the operation
 * must not have succeeded for anything else in this run. A read before the removal that is not offered is a failure.
 *
 * @param advice what to do, as sentences
 * @throws NotOfferedError if the service does not offer the operation
 */
export async function removeAtEnd<T>(
  send: () => Promise<T>,
  { session: { client }, end }: Pick<Context, "session" | "end">,
  advice = "The access stays until somebody takes it away in the service's web interface.",
): Promise<T> {
  return send().catch((first: unknown) => {
    if (end === undefined || !isOperationNotOffered(first)) throw first;
    return send().catch((second: unknown) => {
      if (!isOperationNotOffered(second) || !client.mayLackWrite(second)) throw second;
      throw new NotOfferedError(`${messageOf(second)} ${advice}`, { cause: second });
    });
  });
}
