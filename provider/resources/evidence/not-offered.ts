/** Whether the service offers a removal. An access that is to end must not stay because of one wrong response. */
import { messageOf, NotOfferedError } from "../../text/errors";
import type { Context } from "../contract/resource";
import { isOperationNotOffered } from "./meaning";

/**
 * Sends a removal. One response that means "not offered", such as a proxy's page, proves nothing: a second one has to
 * mean the same, and the operation must not have succeeded for anything else in this run.
 *
 * @param advice what to do, as a sentence
 * @throws NotOfferedError if the service does not offer the operation
 */
export async function sendRemoval<T>(
  send: () => Promise<T>,
  { session: { client } }: Pick<Context, "session">,
  advice: string,
): Promise<T> {
  return send().catch((first: unknown) => {
    if (!isOperationNotOffered(first)) throw first;
    return send().catch((second: unknown) => {
      if (!isOperationNotOffered(second) || client.hasSucceededIn(second)) throw second;
      throw new NotOfferedError(`${messageOf(second)} ${advice}`, { cause: second });
    });
  });
}

/** As `sendRemoval`, for an operation that every service documents: only an end goes on without it. */
export async function removeAtEnd<T>(send: () => Promise<T>, context: Context): Promise<T> {
  return context.end === undefined
    ? send()
    : sendRemoval(
        send,
        context,
        "The access stays until somebody takes it away in the service's web interface.",
      );
}
