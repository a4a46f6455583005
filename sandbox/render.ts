import { STATUS_CODES } from "node:http";
import type { ApiFault } from "./errors";
import type { Outgoing } from "./http";
import type { Reply } from "./router";
import type { Switches } from "./switches";

/** From a route's response to the bytes on the wire: documented headers, `pretty` and `envelope`. */

// The document names these for every response; they are sent over plain HTTP too, where clients ignore the first.
const commonHeaders = { "Strict-Transport-Security": "max-age=300", Vary: "Accept-Encoding" };

/** Invented, but of the documented form. */
export const gitHash = "5a4d0b0c000000000000000000000000000000d1";

/** One entity becomes `{status, content}`; a list only gains `status` (documentation of the API's core). */
function enveloped(reply: Reply): Reply {
  if (reply.isList)
    return { status: reply.status, body: { ...(reply.body as object), status: reply.status } };
  // A client that requests the envelope cannot read the status code, so a 204 has to come with a body.
  const status = reply.status === 204 ? 200 : reply.status;
  return { status, body: { status: reply.status, content: reply.body ?? {} } };
}

function render(reply: Reply, query: URLSearchParams, headers: Readonly<Record<string, string>>): Outgoing {
  const { status, body } = query.get("envelope") === "true" ? enveloped(reply) : reply;
  const isSent = body !== undefined && (status !== 204 || reply.bodyWith204 === true);
  if (!isSent) return { status, headers: { ...commonHeaders, ...headers } };
  return {
    status,
    bodyWith204: reply.bodyWith204,
    headers: { "Content-Type": "application/json", ...commonHeaders, ...headers },
    body: JSON.stringify(body, undefined, query.get("pretty") === "true" ? 2 : undefined),
  };
}

function versionHeader({ versionString }: Switches): Readonly<Record<string, string>> {
  const version = `gitHash=${gitHash}; versionString=${versionString}`;
  return versionString === "" ? {} : { "X-MongoDB-Service-Version": version };
}

/** A successful response. It carries the version header, unless the version is switched off. */
export function renderReply(reply: Reply, query: URLSearchParams, switches: Switches): Outgoing {
  return render(reply, query, versionHeader(switches));
}

/** A refusal. It carries the version header where the switch `versionOnErrors` is on. */
export function renderFault(fault: ApiFault, query: URLSearchParams, switches: Switches): Outgoing {
  const headers = { ...(switches.versionOnErrors ? versionHeader(switches) : {}), ...fault.headers };
  return render({ status: fault.status, body: fault.body() }, query, headers);
}

/** The page of a web server that does not serve the API. */
export function renderWebPage(status: number): Outgoing {
  const title = `${status} ${STATUS_CODES[status] ?? ""}`;
  const body = `<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`;
  return { status, headers: { "Content-Type": "text/html;charset=utf-8" }, body };
}
