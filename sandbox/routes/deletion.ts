import type { Reply } from "../router";
import type { Switches } from "../switches";

/** The response to a completed deletion: status and body are not documented, or documented differently. */
export function deletionReply(status: "200" | "202" | "204", { deletionBody }: Switches): Reply {
  const reply = { status: Number(status) };
  return deletionBody === "none" ? reply : { ...reply, body: {}, bodyWith204: true };
}
