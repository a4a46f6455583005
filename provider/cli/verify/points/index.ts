/**
 * The contested points in the order of a run. Points without a project come first, then those that
 * change the throw-away project, then those that remove from it.
 */
import { digestPoints } from "./digest";
import { invitationPoints } from "./invitations";
import { ldapPoints } from "./ldap";
import { listPoints } from "./lists";
import { memberPoints } from "./members";
import type { Points } from "./point";
import { projectPoints } from "./project";
import { readingPoints } from "./reading";
import { tagPoints } from "./tags";

export const points: Points = {
  ...digestPoints,
  ...readingPoints,
  ...projectPoints,
  ...tagPoints,
  ...ldapPoints,
  ...memberPoints,
  ...invitationPoints,
  ...listPoints,
};

/** Switches that no client can observe, or that a client must not test, each with the reason. */
export const unobservable: Readonly<Record<string, string>> = {
  activeBackupCode: "It requires a project with backups.",
  expiredInvitation: "It requires an expired invitation, which takes days.",
  renamedInvitee: "It requires a renamed account.",
  patchUserRoles: "PATCH /users/{id} writes to an account that the run did not create.",
  requestsPerMinute: "Reaching the limit would affect other clients.",
  invitationsPerMinute: "Reaching the limit would send many invitations.",
  retryAfter: "It requires a request above the limit.",
  latencyMs: "It is a property of the simulation.",
};
