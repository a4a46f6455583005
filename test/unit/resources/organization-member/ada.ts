/** Ada in an organization: what is declared and recorded of her, and the service that has her. */
import type { SessionSettings } from "../../../../provider/resources/contract/session";
import type { Properties } from "../../../../provider/resources/contract/values";
import { fault } from "../checker";
import { invitation, member } from "../people/people";
import { orgId, type People, type Responses, Service } from "../people/service";

export const ada = "ada@example.com";
export const grace = "grace@example.com";
export const id = `${orgId}/${ada}`;
export const roles = ["ORG_MEMBER"];
export const owners = ["ORG_OWNER"];
export const inputs: Properties = { orgId, username: ada, roles };
export const active: Properties = {
  ...{ orgId, status: "active", username: ada, userId: "user-ada", roles },
  ...{ origin: "created", onDestroy: "remove" },
};
const { userId: _, ...common } = active;
export const pending: Properties = {
  ...{ ...common, status: "pending", invitationId: "invite-ada", createdAt: "2026-01-01T00:00:00Z" },
  ...{ expiresAt: "2026-01-31T00:00:00Z", inviterUsername: "owner@example.com" },
};

export const notOffered = fault(404, "RESOURCE_NOT_FOUND");

export const ordinary = member("ada", ...roles);
export const owner = member("ada", ...owners);
export const otherOwner = member("olga", ...owners);
export const renamed = { ...ordinary, username: grace };
export const invited = invitation("ada", ...roles);

export const organization = (
  people: People = {},
  responses: Responses = {},
  settings: Partial<SessionSettings> = {},
) => new Service("OrganizationMember", people, responses, settings);
