/**
 * Of which outputs the SDK is to make properties of a class: by itself it makes them of the arguments that a program gives, and of no more.
 * Kept by hand, as a program that only declares does not load the handlers, which know them.
 */
import type { DynamicKind } from "./provider-text";

export const outputsOf: Readonly<Record<DynamicKind, readonly string[]>> = {
  Project: [
    "orgId",
    "name",
    "tags",
    "ldapGroupMappings",
    "ignoreTags",
    "origin",
    "onDestroy",
    "projectOwnerId",
    "tagsVisible",
    "withDefaultAlertsSettings",
  ],
  ProjectMember: [
    "projectId",
    "username",
    "userId",
    "invitationId",
    "roles",
    "status",
    "createdAt",
    "expiresAt",
    "inviterUsername",
    "groupName",
    "orgId",
    "origin",
    "onDestroy",
  ],
  ProjectMembers: [
    "projectId",
    "members",
    "memberDetails",
    "ignoreUsers",
    "maxRemovals",
    "orgId",
    "origin",
    "onDestroy",
    "removeUnlisted",
  ],
};
