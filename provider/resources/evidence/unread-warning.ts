/** Warns of something that cannot be read. The state retains the last known values. */
import { messageOf } from "../../text/errors";
import { formatNotice } from "../../text/notices";
import type { Log } from "../contract/resource";
import { meaningOf } from "./meaning";

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
  organization: { items: "teams", operation: "reading the teams of an organization (GET /orgs/{id}/teams)" },
};

/**
 * @param ownerId ID of the project or organization
 * @param items what cannot be read, if it is not all that the subject stands for
 */
export function warnOfUnread(
  subject: keyof typeof UNREAD_SUBJECTS,
  ownerId: string,
  error: unknown,
  log: Log,
  items = UNREAD_SUBJECTS[subject].items,
): void {
  const { operation } = UNREAD_SUBJECTS[subject];
  const owner = subject.startsWith("organization") ? "organization" : "project";
  const what = `${items} of ${owner} ${ownerId}`;
  const about = { subject, projectId: ownerId };
  log.warn(
    meaningOf(error) === "missing-operation"
      ? formatNotice(
          { code: "missing operation", ...about },
          `This service does not offer ${operation}, so the state of the ${what} retains the last known values and drift is not detected. If it is a complete Ops Manager or Cloud Manager, check baseUrl.`,
        )
      : formatNotice(
          { code: "unreadable", ...about },
          `The ${what} cannot be read with these credentials, so the state retains the last known values: ${messageOf(error)}`,
        ),
  );
}
