/** Ada in a project: what is declared and recorded of her, and the service that has her. */
import type { SessionSettings } from "../../../../provider/resources/contract/session";
import type { Properties } from "../../../../provider/resources/contract/values";
import { projectId } from "../people/people";
import { orgId, type People, type Responses, Service } from "../people/service";

export const ada = "ada@example.com";
export const grace = "grace@example.com";
export const id = `${projectId}/${ada}`;
export const roles = ["GROUP_READ_ONLY"];
export const owners = ["GROUP_OWNER"];
export const inputs: Properties = { projectId, username: ada, roles };
export const facts = { orgId, groupName: "payments" };
export const active: Properties = {
  ...{ projectId, status: "active", username: ada, userId: "user-ada", roles },
  ...{ ...facts, origin: "created", onDestroy: "remove" },
};
export const invitationFields = {
  invitationId: "invite-ada",
  createdAt: "2026-01-01T00:00:00Z",
  expiresAt: "2026-01-31T00:00:00Z",
  inviterUsername: "owner@example.com",
};
const { userId: _, ...common } = active;
export const pending: Properties = { ...common, status: "pending", ...invitationFields };
/** Only the name is recorded. */
export const withoutIds: Properties = common;

export const project = (
  people: People = {},
  responses: Responses = {},
  settings: Partial<SessionSettings> = {},
) => new Service("ProjectMember", people, responses, settings);
