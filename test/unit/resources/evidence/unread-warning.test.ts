import type { Session } from "../../../../provider/resources/contract/session";
import { warnOfUnread } from "../../../../provider/resources/evidence/unread-warning";
import { SharedCauses } from "../../../../provider/resources/session/shared-causes";
import { ApiError } from "../../../../provider/text/errors";

type UnreadSubject = Parameters<typeof warnOfUnread>[0];

function warningOf(subject: UnreadSubject, error: unknown, items?: string): string {
  const messages: string[] = [];
  const log = { info: () => undefined, warn: (message: string) => void messages.push(message) };
  const session = { of: () => new SharedCauses() } as unknown as Session;
  warnOfUnread(subject, "5f00000000000000000000a1", error, { session, urn: "Team 5f", log }, items);
  return messages.join("\n");
}

const rejected = new ApiError("403 Not for you.", { status: 403, errorCode: "NOT_ALLOWED" });
const notOffered = new ApiError("404", { status: 404 });

test.each<[UnreadSubject, string, string]>([
  ["people", "people of project", "listing the people of a project (GET /groups/{id}/users)"],
  ["teams", "teams of project", "listing the teams of a project (GET /groups/{id}/teams)"],
  [
    "agent keys",
    "agent API keys of project",
    "listing the agent API keys of a project (GET /groups/{id}/agentapikeys)",
  ],
  ["keys", "API keys of project", "listing the API keys of a project (GET /groups/{id}/apiKeys)"],
  [
    "organization people",
    "people of organization",
    "listing the people of an organization (GET /orgs/{id}/users)",
  ],
  [
    "organization keys",
    "API keys of organization",
    "reading the API keys of an organization (GET /orgs/{id}/apiKeys)",
  ],
  ["organization", "teams of organization", "reading the teams of an organization (GET /orgs/{id}/teams)"],
])("%s that cannot be read are named with their owner and the operation", (subject, what, operation) => {
  const owner = `${what} 5f00000000000000000000a1`;
  expect(warningOf(subject, rejected)).toContain(
    `The ${owner} cannot be read with these credentials, so the state keeps the last known values: 403 Not for you.`,
  );
  expect(warningOf(subject, rejected)).toContain("[unreadable]");
  expect(warningOf(subject, notOffered)).toContain(
    `This service does not offer ${operation}, so the state of the ${owner} keeps the last known values and drift is not detected. If it is a complete Ops Manager or Cloud Manager, check baseUrl.`,
  );
  expect(warningOf(subject, notOffered)).toContain("[missing operation]");
});

test("a part of what a subject stands for is named alone", () => {
  expect(warningOf("organization", rejected, 'team "operators"')).toContain(
    'The team "operators" of organization 5f00000000000000000000a1 cannot be read',
  );
});
