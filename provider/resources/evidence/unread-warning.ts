/** Warns of something that cannot be read. The state keeps the last known values. */
import { capitalized } from "../../text/capitalized";
import { ApiError, messageOf } from "../../text/errors";
import { formatNotice, type Notice } from "../../text/notices";
import type { Context } from "../contract/resource";
import { SharedCauses } from "../session/shared-causes";
import { CHECK_BASE_URL, meaningOf } from "./meaning";

/** By subject: what cannot be read, and the operation that the service would have to offer. */
const UNREAD_SUBJECTS = {
  people: { items: "people", operation: "listing the people of a project (GET /groups/{id}/users)" },
  teams: { items: "teams", operation: "listing the teams of a project (GET /groups/{id}/teams)" },
  "agent keys": {
    items: "agent API keys",
    operation: "listing the agent API keys of a project (GET /groups/{id}/agentapikeys)",
  },
  keys: { items: "API keys", operation: "listing the API keys of a project (GET /groups/{id}/apiKeys)" },
  "organization people": {
    items: "people",
    operation: "listing the people of an organization (GET /orgs/{id}/users)",
  },
  "organization keys": {
    items: "API keys",
    operation: "reading the API keys of an organization (GET /orgs/{id}/apiKeys)",
  },
  "organization itself": {
    items: "name and group mappings",
    operation: "reading an organization (GET /orgs/{id})",
  },
  organization: { items: "teams", operation: "reading the teams of an organization (GET /orgs/{id}/teams)" },
};

type Warned = Pick<Context, "session" | "urn" | "log">;

/**
 * @param placeId ID of the project or organization
 * @param items what cannot be read, if it is not all that the subject stands for
 */
export function warnOfUnread(
  subject: keyof typeof UNREAD_SUBJECTS,
  placeId: string,
  error: unknown,
  context: Warned,
  items = UNREAD_SUBJECTS[subject].items,
): void {
  const { operation } = UNREAD_SUBJECTS[subject];
  const place = subject.startsWith("organization") ? "organization" : "project";
  const what = `${items} of ${place} ${placeId}`;
  const about = { subject, placeId };
  if (meaningOf(error) === "missing-operation") {
    warnOnce(
      { code: "missing operation", ...about },
      `This service does not offer ${operation}, so the state of the ${what} keeps the last known values and drift is not detected. ${CHECK_BASE_URL}`,
      context,
    );
  } else warnOfUnreadable(about, `The ${what}`, error, context);
}

/** @param what as the beginning of a sentence */
export function warnOfUnreadable(
  about: Omit<Notice, "code">,
  what: string,
  error: unknown,
  context: Warned,
): void {
  warnOnce(
    { code: "unreadable", ...about },
    `${what} cannot be read with these credentials, so the state keeps the last known values: ${messageOf(error)}`,
    context,
    error instanceof ApiError ? `${error.status} ${error.errorCode ?? ""}` : "",
  );
}

/** Warns that people who are invited to a project may be missing. */
export function warnOfDoubt(projectId: string, error: unknown, context: Warned): void {
  warnOnce(
    { code: "in doubt", subject: "people", placeId: projectId },
    `Nobody counts as invited to project ${projectId}, because this service seems to offer no invitations to projects. If it does, check the proxies and gateways in front of it. (${messageOf(error)})`,
    context,
  );
}

const CAUSES = {
  unreadable: "not readable",
  "missing operation": "not offered",
  "in doubt": "in doubt",
} as const satisfies Partial<Record<Notice["code"], string>>;

/**
 * The first resource that meets the response explains it, and the others refer to that resource.
 *
 * @param response distinguishes responses with different explanations
 */
function warnOnce(
  notice: Notice & { readonly code: keyof typeof CAUSES },
  sentence: string,
  { session, urn, log }: Warned,
  response = "",
): void {
  const name = `${notice.subject} ${CAUSES[notice.code]}`;
  const cause = { key: `${name} ${response}`, name: capitalized(name) };
  log.warn(formatNotice(notice, session.of(SharedCauses).warning(cause, sentence, urn)));
}
